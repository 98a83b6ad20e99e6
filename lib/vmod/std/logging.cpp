// Writing to the shared-memory log and to syslog from VCL. syslog(3) may block, so a thread of its own calls it, which
// keeps the order of the messages.
#include "vmod/std/functions.hpp"
#include "vmod/support/helper_threads.hpp"

#include "tables/log_tags.hpp"

#include <string>

#include <syslog.h>

namespace clearcoat::vmod::standard {

namespace {

helper_lane& syslog_lane() {
    static auto* lane = new helper_lane(1, 10000);
    return *lane;
}

} // namespace

// log(STRANDS s)
vcl::value log(vcl::call& c, arguments args) {
    const vcl::strand_list& list = args[0].strands;
    std::span<char> room = c.task().log().begin(log_tag::VCL_Log);
    if (room.empty()) {
        return no_value();
    }
    std::size_t size = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
        size += list.parts[i].copy(room.data() + size, room.size() - size);
    }
    c.task().log().end(size);
    return no_value();
}

// syslog(INT priority, STRANDS s)
vcl::value syslog(vcl::call&, arguments args) {
    std::string text;
    for (std::size_t i = 0; i < args[1].strands.count; ++i) {
        text += args[1].strands.parts[i];
    }
    syslog_lane().run([priority = static_cast<int>(args[0].integer), text = std::move(text)] {
        ::syslog(priority, "%s", text.c_str());
    });
    return no_value();
}

// timestamp(STRING s)
vcl::value timestamp(vcl::call& c, arguments args) {
    if (!args[0].string().empty()) {
        c.task().timestamp(args[0].string());
    }
    return no_value();
}

} // namespace clearcoat::vmod::standard
