#include "logread/write_log.hpp"

#include <utility>

namespace clearcoat::logread {

void check_background(const tool& t, const std::optional<std::string>& path) {
    if (t.background && !path) {
        t.fail(1, "Missing -w option");
    }
    if (t.background && *path == "-") {
        t.fail(1, "Daemon cannot write to stdout");
    }
}

int write_log(tool& t, const destination& to, std::function<void(group, output&)> add) {
    output out;
    const auto check = [&t, &to](int error) {
        if (error != 0) {
            t.fail(to.failure_status, std::string(to.failure) + " (" + sys::error_text(error) + ")");
        }
    };
    if (to.path) {
        check(out.open(*to.path, to.how));
    }
    tool::hooks hooks;
    hooks.on_group = [&add, &out](group g) {
        add(g, out);
        out.end_of_group();
        return true;
    };
    hooks.on_source = [&out](shm::record_width width) { out.source_is(width); };
    hooks.on_idle = [&out] { out.flush(); };
    if (t.background) {
        hooks.on_hup = [&check, &out] { check(out.reopen()); };
    }
    t.set_up(std::move(hooks));
    t.run();
    out.flush();
    return out.failed() ? 1 : 0;
}

} // namespace clearcoat::logread
