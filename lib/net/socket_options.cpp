#include "net/socket_stream.hpp"
#include "sys/socket_address.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace clearcoat::net {

namespace {

bool set_int(int fd, int level, int option, int value) noexcept {
    return ::setsockopt(fd, level, option, &value, sizeof value) == 0;
}

} // namespace

bool set_no_delay(int fd, bool on) noexcept {
    return set_int(fd, IPPROTO_TCP, TCP_NODELAY, on ? 1 : 0);
}

bool set_linger(int fd, int seconds) noexcept {
    ::linger how{};
    how.l_onoff = seconds >= 0 ? 1 : 0;
    how.l_linger = seconds >= 0 ? seconds : 0;
    return ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &how, sizeof how) == 0;
}

bool set_keepalive(int fd, const keepalive_settings& how) noexcept {
    bool done = set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    done = (how.idle_seconds <= 0 || set_int(fd, IPPROTO_TCP, TCP_KEEPIDLE, how.idle_seconds)) && done;
    done = (how.interval_seconds <= 0 || set_int(fd, IPPROTO_TCP, TCP_KEEPINTVL, how.interval_seconds)) && done;
    return (how.probes <= 0 || set_int(fd, IPPROTO_TCP, TCP_KEEPCNT, how.probes)) && done;
}

base::ip_address socket_local_address(int fd) noexcept {
    return sys::socket_address::local_of(fd).ip();
}

base::ip_address socket_peer_address(int fd) noexcept {
    return sys::socket_address::peer_of(fd).ip();
}

} // namespace clearcoat::net
