// Module tcp: the client's TCP connection.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "tables/log_tags.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace clearcoat::vmod {

namespace {

constexpr std::size_t longest_algorithm = 16; // TCP_CA_NAME_MAX

/// What the system knows of the connection; std::nullopt, with a record, when it is none of TCP.
std::optional<tcp_info> info_of(vcl::call& c) noexcept {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(c.task().client_descriptor(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
        c.task().log().write(log_tag::VCL_Error, "tcp: not a TCP connection");
        return std::nullopt;
    }
    return info;
}

// dump_info()
vcl::value dump_info(vcl::call& c, arguments) {
    const std::optional<tcp_info> info = info_of(c);
    if (info) {
        base::log_writer& log = c.task().log();
        log.print(log_tag::VCL_Log, "tcpi: snd_mss={} rcv_mss={} lost={} retrans={}", info->tcpi_snd_mss,
                  info->tcpi_rcv_mss, info->tcpi_lost, info->tcpi_retrans);
        log.print(log_tag::VCL_Log, "tcpi2: pmtu={} rtt={} rttvar={} snd_cwnd={} advmss={} reordering={}",
                  info->tcpi_pmtu, info->tcpi_rtt, info->tcpi_rttvar, info->tcpi_snd_cwnd, info->tcpi_advmss,
                  info->tcpi_reordering);
    }
    return no_value();
}

// get_estimated_rtt(): milliseconds.
vcl::value get_estimated_rtt(vcl::call& c, arguments) {
    const std::optional<tcp_info> info = info_of(c);
    return vcl::value::of_real(info ? static_cast<double>(info->tcpi_rtt) / 1000 : 0);
}

// congestion_algorithm(STRING algorithm)
vcl::value congestion_algorithm(vcl::call& c, arguments args) {
    const int fd = c.task().client_descriptor();
    const std::string name(args[0].string().substr(0, longest_algorithm));
    if (::setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name.data(), static_cast<socklen_t>(name.size())) != 0) {
        c.task().log().print(log_tag::VCL_Error, "tcp: no congestion algorithm \"{}\" for this connection", name);
        return vcl::value::of_integer(-1);
    }
    return vcl::value::of_integer(0);
}

// set_socket_pace(INT): kilobytes a second.
vcl::value set_socket_pace(vcl::call& c, arguments args) {
    constexpr std::int64_t most = std::numeric_limits<unsigned>::max() / 1024;
    const auto rate = static_cast<unsigned>(std::clamp<std::int64_t>(args[0].integer, 0, most));
    const unsigned bytes = rate * 1024;
    const int fd = c.task().client_descriptor();
    if (::setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &bytes, sizeof bytes) != 0) {
        c.task().log().write(log_tag::VCL_Error, "tcp: this connection cannot be paced");
    } else {
        c.task().log().print(log_tag::VCL_Log, "vmod-tcp: Socket paced to {} KB/s.", rate);
    }
    return no_value();
}

constexpr vcl::function_row functions[] = {
    {"INT congestion_algorithm(STRING algorithm)", congestion_algorithm},
    {"VOID dump_info()", dump_info},
    {"REAL get_estimated_rtt()", get_estimated_rtt},
    {"VOID set_socket_pace(INT)", set_socket_pace},
};

} // namespace

const vcl::module_row tcp_module{"tcp", "the client's TCP connection", functions};

} // namespace clearcoat::vmod
