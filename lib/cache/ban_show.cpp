// ban.list: what the management port shows of the bans.
#include "cache/ban_list.hpp"
#include "cache/ban_lurker.hpp"

#include <fmt/core.h>

namespace clearcoat::cache {

struct ban_list::line {
    ban* what;
    std::uint64_t refs;
    bool completed;
    std::vector<const object*> objects; // for debug
};

// Copies what the mutex guards, and keeps all bans alive by a reference to the oldest, so that the text can be made
// without holding up lookups.
std::vector<ban_list::line> ban_list::hold_lines(bool debug) {
    std::vector<line> lines;
    base::lock_guard lock(mutex_);
    for (ban* b = newest_.load(std::memory_order_relaxed); b != nullptr; b = b->older_) {
        lines.push_back({b, b->refs_, b->completed(), {}});
        if (debug) {
            for (object& o : b->objects_) {
                lines.back().objects.push_back(&o);
            }
        }
    }
    ++oldest_->refs_;
    return lines;
}

void ban_list::let_lines_go(const std::vector<line>& lines) noexcept {
    {
        base::lock_guard lock(mutex_);
        --lines.back().what->refs_;
    }
    kick(); // as the reference does: whoever looks wants to see the lurker's work next time
}

std::string ban_list::list_text(bool debug) {
    const std::vector<line> lines = hold_lines(debug);
    std::string out = "Present bans:\n";
    auto end = std::back_inserter(out);
    for (const line& l : lines) {
        const ban_spec& spec = l.what->spec();
        fmt::format_to(end, "{:10.6f} {:5} {}", spec.time(), l.refs, l.completed ? "C" : "-");
        if (debug) {
            fmt::format_to(end, "{}{} {} ", spec.looks_at_request() ? "R" : "-", spec.looks_at_object() ? "O" : "-",
                           static_cast<const void*>(l.what));
        }
        fmt::format_to(end, "  {}\n", l.completed ? std::string() : spec.text());
        for (const object* o : l.objects) {
            fmt::format_to(end, "  oc = {}\n", static_cast<const void*>(o));
        }
    }
    let_lines_go(lines);
    return out;
}

std::string ban_list::list_json(bool debug) {
    const std::vector<line> lines = hold_lines(debug);
    std::string out;
    auto end = std::back_inserter(out);
    for (const line& l : lines) {
        const ban_spec& spec = l.what->spec();
        fmt::format_to(
            end, "{}  {{\n    \"time\": {:.6f},\n    \"refs\": {},\n    \"completed\": {},\n    \"spec\": \"{}\"",
            out.empty() ? "" : ",\n", spec.time(), l.refs, l.completed, l.completed ? std::string() : spec.text(true));
        if (debug) {
            fmt::format_to(end,
                           ",\n    \"req_tests\": {},\n    \"obj_tests\": {},\n    \"pointer\": \"{}\",\n"
                           "    \"objcores\": [\n",
                           spec.looks_at_request(), spec.looks_at_object(), static_cast<const void*>(l.what));
            for (const object* o : l.objects) {
                fmt::format_to(end, "{}      {}", o == l.objects.front() ? "" : ",\n", static_cast<const void*>(o));
            }
            out += "\n    ]";
        }
        out += "\n  }";
    }
    let_lines_go(lines);
    return out;
}

} // namespace clearcoat::cache
