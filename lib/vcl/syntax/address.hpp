// "host", "host port", "host:port", "[::1]:80": where the reference splits them.
#pragma once

#include <string>
#include <string_view>

namespace clearcoat::vcl::syntax {

struct host_and_port {
    std::string host;
    std::string port; // empty: none was written
};

/// False with the reason for brackets that do not close.
inline bool split_host_port(std::string_view text, host_and_port& into, std::string& error) {
    std::size_t separator = std::string_view::npos;
    if (text.starts_with('[')) {
        std::size_t close = text.find(']');
        if (close == std::string_view::npos) {
            error = "IPv6 address lacks ']'";
            return false;
        }
        into.host = text.substr(1, close - 1);
        if (close + 1 == text.size()) {
            return true;
        }
        separator = close + 1;
        if (text[separator] != ' ' && text[separator] != ':') {
            error = "IPv6 address has wrong port separator";
            return false;
        }
    } else {
        separator = text.find(' ');
        if (separator == std::string_view::npos) {
            separator = text.find(':');
            if (separator != std::string_view::npos && text.find(':', separator + 1) != std::string_view::npos) {
                separator = std::string_view::npos; // an IPv6 address without port
            }
        }
        into.host = text.substr(0, separator);
    }
    if (separator != std::string_view::npos) {
        into.port = text.substr(separator + 1);
    }
    return true;
}

} // namespace clearcoat::vcl::syntax
