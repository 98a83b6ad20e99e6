// Addresses in module std. Numeric texts are converted on the spot; names are asked for on a helper thread while the
// task waits.
#include "vmod/std/functions.hpp"
#include "vmod/support/aside.hpp"

#include "base/ip_address.hpp"

#include <cstring>
#include <optional>
#include <string>

#include <netdb.h>
#include <netinet/in.h>

namespace clearcoat::vmod::standard {

namespace {

struct endpoint_text {
    std::string host;
    std::string service;
    bool host_given = true;
};

/// "host", "host:port", "host port", "[v6]", "[v6]:port", "[v6] port", bare v6; std::nullopt for a bracket without its
/// mate or with something else behind it.
std::optional<endpoint_text> take_apart(std::string_view text, std::string_view default_service) {
    endpoint_text parts{std::string(text), std::string(default_service), true};
    std::size_t mark = std::string_view::npos;
    if (!text.empty() && text.front() == '[') {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos) {
            return std::nullopt;
        }
        parts.host = text.substr(1, close - 1);
        if (close + 1 == text.size()) {
            return parts;
        }
        mark = close + 1;
        if (text[mark] != ' ' && text[mark] != ':') {
            return std::nullopt;
        }
    } else {
        mark = text.find(' ');
        mark = mark == std::string_view::npos ? text.find(':') : mark;
        if (mark == std::string_view::npos ||
            (text[mark] == ':' && text.find(':', mark + 1) != std::string_view::npos)) {
            return parts;
        }
        parts.host = text.substr(0, mark);
        parts.host_given = mark > 0;
    }
    parts.service = text.substr(mark + 1);
    return parts;
}

std::optional<base::ip_address> from_sockaddr(const addrinfo& info) noexcept {
    base::ip_address result;
    if (info.ai_family == AF_INET) {
        sockaddr_in in;
        std::memcpy(&in, info.ai_addr, sizeof in);
        std::memcpy(result.bytes.data(), &in.sin_addr, 4);
        result.port = ntohs(in.sin_port);
        return result;
    }
    if (info.ai_family == AF_INET6) {
        sockaddr_in6 in;
        std::memcpy(&in, info.ai_addr, sizeof in);
        result.kind = base::ip_address::family::v6;
        std::memcpy(result.bytes.data(), &in.sin6_addr, 16);
        result.port = ntohs(in.sin6_port);
        return result;
    }
    return std::nullopt;
}

std::optional<base::ip_address> first_address(const endpoint_text& text, int flags) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags;
    addrinfo* list = nullptr;
    const char* host = text.host_given ? text.host.c_str() : nullptr;
    if (::getaddrinfo(host, text.service.c_str(), &hints, &list) != 0) {
        return std::nullopt;
    }
    std::optional<base::ip_address> found;
    for (const addrinfo* a = list; a != nullptr && !found; a = a->ai_next) {
        found = from_sockaddr(*a);
    }
    ::freeaddrinfo(list);
    return found;
}

const char by_name_key = 0;

/// By name; `waits` when the call is to be made again.
std::optional<base::ip_address> by_name(vcl::call& c, std::string_view text, const endpoint_text& parts, bool& waits) {
    using answer = std::optional<base::ip_address>;
    auto work = [parts] { return first_address(parts, 0); };
    const std::optional<answer> got =
        do_aside<answer>(c, blocking_lane(), &by_name_key, std::string(text) + " " + parts.service, work, std::nullopt);
    waits = !got;
    return got.value_or(std::nullopt);
}

} // namespace

// ip(STRING s, [IP fallback], BOOL resolve=1, [STRING p])
vcl::value ip(vcl::call& c, arguments args) {
    const base::ip_address* fallback = &base::bogus_ip;
    if (c.given(1)) {
        if (args[1].ip == nullptr) {
            c.fail("std.ip: invalid fallback");
            return vcl::value::of(fallback);
        }
        fallback = args[1].ip;
    }
    std::optional<base::ip_address> found;
    const std::string_view service = c.given(3) && !undefined(args[3]) ? args[3].string() : "80";
    if (const auto parts = undefined(args[0]) ? std::nullopt : take_apart(args[0].string(), service)) {
        found = first_address(*parts, AI_NUMERICHOST | AI_NUMERICSERV);
        bool waits = false;
        if (!found && args[2].boolean) {
            found = by_name(c, args[0].string(), *parts, waits);
        }
        if (waits) {
            return vcl::value::of(fallback);
        }
    }
    if (found) {
        if (const auto* made = c.workspace().make<base::ip_address>(*found)) {
            return vcl::value::of(made);
        }
        c.fail("std.ip: insufficient workspace");
    } else if (!c.given(1)) {
        c.fail("std.ip: conversion failed");
    }
    return vcl::value::of(fallback);
}

// port(IP ip)
vcl::value port(vcl::call&, arguments args) {
    return vcl::value::of_integer(args[0].ip == nullptr ? 0 : args[0].ip->port);
}

} // namespace clearcoat::vmod::standard
