// Names to addresses: the endpoint syntax of the options, and getaddrinfo.
#include "sys/socket_address.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <netdb.h>

namespace clearcoat::sys {

namespace {

bool split_bracketed(std::string_view spec, std::string& host, std::string& port, std::string& error) {
    const std::size_t close = spec.find(']');
    if (close == std::string_view::npos) {
        error = "IPv6 address lacks ']'";
        return false;
    }
    host = spec.substr(1, close - 1);
    const std::string_view rest = spec.substr(close + 1);
    if (rest.empty()) {
        return true;
    }
    if (rest[0] != ' ' && rest[0] != ':') {
        error = "IPv6 address has wrong port separator";
        return false;
    }
    port = rest.substr(1);
    return true;
}

} // namespace

bool split_endpoint(std::string_view spec, std::string& host, std::string& port, std::string& error) {
    host.clear();
    port.clear();
    error.clear();
    if (spec.starts_with('[')) {
        return split_bracketed(spec, host, port, error);
    }
    std::size_t at = spec.find(' ');
    if (at == std::string_view::npos) {
        at = spec.find(':');
        const bool bare_v6 = at != std::string_view::npos && spec.find(':', at + 1) != std::string_view::npos;
        if (at == std::string_view::npos || bare_v6) {
            host = spec;
            return true;
        }
    }
    host = spec.substr(0, at);
    port = spec.substr(at + 1);
    return true;
}

namespace {

// Empty texts stand for "none".
resolved look_up(const std::string& host, const std::string& port, bool passive) {
    resolved out;
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = passive ? AI_PASSIVE : 0;
    addrinfo* list = nullptr;
    const int code =
        ::getaddrinfo(host.empty() ? nullptr : host.c_str(), port.empty() ? nullptr : port.c_str(), &hints, &list);
    if (code != 0) {
        out.error = code == EAI_SYSTEM ? error_text(errno) : ::gai_strerror(code);
        return out;
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, &::freeaddrinfo);
    for (const addrinfo* at = list; at != nullptr; at = at->ai_next) {
        out.addresses.emplace_back(at->ai_addr, at->ai_addrlen);
    }
    return out;
}

} // namespace

resolved resolve(std::string_view spec, std::string_view default_port, bool passive) {
    resolved out;
    std::string host;
    std::string port;
    if (!split_endpoint(spec, host, port, out.error)) {
        return out;
    }
    return look_up(host, port.empty() ? std::string(default_port) : port, passive);
}

std::vector<base::ip_address> resolve_host(const std::string& host, const std::string& service, std::string& error) {
    if (host.empty()) {
        error = ::gai_strerror(EAI_NONAME);
        return {};
    }
    const resolved found = look_up(host, service, false);
    error = found.error;
    std::vector<base::ip_address> out;
    for (const socket_address& address : found.addresses) {
        if (std::find(out.begin(), out.end(), address.ip()) == out.end()) {
            out.push_back(address.ip());
        }
    }
    return out;
}

} // namespace clearcoat::sys
