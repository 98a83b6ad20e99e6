// Records of other transactions, for tests of log readers.
#include "vmod/vtc/functions.hpp"

#include "base/ascii.hpp"
#include "base/log.hpp"
#include "tables/log_tags.hpp"

#include <charconv>
#include <optional>
#include <string>

#include <fmt/core.h>

namespace clearcoat::vmod::vtc {

namespace {

constexpr std::int64_t highest_vxid = (std::int64_t(1) << 30) - 1;

/// Writes through the task's own log, which stands at another transaction meanwhile.
void write_as(const vcl::call& c, std::int64_t vxid, std::string_view tag_name, base::log_side side,
              std::string_view text) {
    const std::optional<log_tag> tag = tables::find_log_tag(tag_name);
    if (!tag) {
        return c.fail(fmt::format("No such tag: {}", tag_name));
    }
    if (vxid < 0 || vxid > highest_vxid) {
        return c.fail("id out of bounds");
    }
    auto* log = dynamic_cast<base::task_log*>(&c.task().log());
    if (log == nullptr) {
        return c.fail("vtc.vsl(): the log of this task cannot write for another");
    }
    const base::vxid_number own = log->vxid();
    const bool on_backend_side = vcl::backend_subs.contains(c.where());
    log->reset(static_cast<base::vxid_number>(vxid), side);
    log->write(*tag, text);
    log->reset(own, on_backend_side ? base::log_side::backend : base::log_side::client);
}

std::string_view next_word(std::string_view& line) noexcept {
    line = base::trim_blanks(line);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    return word;
}

/// "1001 ReqURL c /", also behind varnishtest's "**** v1 vsl|"; other lines are passed over.
void replay_line(const vcl::call& c, std::string_view line) {
    if (!line.empty() && line.front() == '*') {
        const std::size_t mark = line.find("vsl|");
        if (mark == std::string_view::npos) {
            return;
        }
        line.remove_prefix(mark + 4);
    }
    const std::string_view number = next_word(line);
    const std::string_view tag = next_word(line);
    const std::string_view side = next_word(line);
    std::int64_t vxid = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), vxid);
    if (parsed.ec != std::errc() || side.empty() || (side.front() != 'c' && side.front() != 'b')) {
        return;
    }
    if (!line.empty()) {
        line.remove_prefix(1);
    }
    write_as(c, vxid, tag, side.front() == 'c' ? base::log_side::client : base::log_side::backend, line);
}

} // namespace

// vsl(INT vxid, STRING tag, ENUM {c, b} side, STRANDS s)
vcl::value vsl(vcl::call& c, arguments args) {
    const std::string_view text = c.join(args[3].strands);
    write_as(c, args[0].integer, args[1].string(),
             args[2].string() == "b" ? base::log_side::backend : base::log_side::client, text);
    return no_value();
}

// vsl_replay(STRANDS s)
vcl::value vsl_replay(vcl::call& c, arguments args) {
    std::string_view text = c.join(args[0].strands);
    while (!text.empty() && !c.task().failed()) {
        const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
        replay_line(c, line);
        text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    }
    return no_value();
}

} // namespace clearcoat::vmod::vtc
