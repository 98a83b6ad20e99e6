// The client's connection, tried out.
#include "vmod/debug/functions.hpp"

#include "tables/log_tags.hpp"

#include <algorithm>
#include <limits>

#include <sys/socket.h>

namespace clearcoat::vmod::debug {

// sndbuf(BYTES sndbuf): what the system makes of it is in the record.
vcl::value sndbuf(vcl::call& c, arguments args) {
    const int fd = c.task().client_descriptor();
    if (fd < 0) {
        c.fail("debug.sndbuf(): there is no client connection here");
        return no_value();
    }
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    const int wanted = static_cast<int>(std::clamp<std::int64_t>(args[0].integer, 0, most));
    int before = 0;
    int after = 0;
    socklen_t size = sizeof before;
    if (::getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &before, &size) != 0 ||
        ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted) != 0 ||
        ::getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &after, &size) != 0) {
        c.fail("debug.sndbuf(): the socket takes no such buffer");
        return no_value();
    }
    c.task().log().print(log_tag::Debug, "SO_SNDBUF fd={} old={} new={} actual={}", fd, before, wanted, after);
    return no_value();
}

} // namespace clearcoat::vmod::debug
