// The words of a -a argument.
#include "manager/listeners.hpp"

#include "base/ascii.hpp"
#include "manager/named_argument.hpp"
#include "manager/option_error.hpp"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <grp.h>
#include <pwd.h>

namespace clearcoat::manager {

namespace {

void take_protocol(const std::string& word, std::optional<bool>& proxy) {
    if (proxy) {
        option_fails("Too many protocol sub-args in -a ({})", word);
    }
    if (base::equal_nocase(word, "HTTP")) {
        proxy = false;
    } else if (base::equal_nocase(word, "PROXY")) {
        proxy = true;
    } else {
        option_fails("Unknown protocol '{}'", word);
    }
}

mode_t read_mode(const std::string& value) {
    if (value.empty()) {
        option_fails("Empty mode sub-arg in -a");
    }
    errno = 0;
    char* end = nullptr;
    const long mode = std::strtol(value.c_str(), &end, 8);
    if (*end != '\0') {
        option_fails("Invalid mode sub-arg {} in -a", value);
    }
    if (errno != 0) {
        option_fails("Cannot parse mode sub-arg {} in -a: {}", value, sys::error_text(errno));
    }
    if (mode <= 0 || mode > 0777) {
        option_fails("Mode sub-arg {} out of range in -a", value);
    }
    return static_cast<mode_t>(mode);
}

template<class T>
void only_once(const std::optional<T>& before, const char* what, const std::string& word) {
    if (before) {
        option_fails("Too many {} sub-args in -a ({})", what, word);
    }
}

void take_permission(const std::string& word, std::size_t equals, socket_permissions& out) {
    const std::string_view key = std::string_view(word).substr(0, equals);
    const std::string value = word.substr(equals + 1);
    // Like the reference, any beginning of a key will do.
    if (key.empty()) {
        option_fails("Invalid sub-arg {} in -a", word);
    }
    if (std::string_view("user").starts_with(key)) {
        only_once(out.uid, "user", word);
        const passwd* entry = ::getpwnam(value.c_str());
        if (entry == nullptr) {
            option_fails("Unknown user {} in -a", value);
        }
        out.uid = entry->pw_uid;
    } else if (std::string_view("group").starts_with(key)) {
        only_once(out.gid, "group", word);
        const group* entry = ::getgrnam(value.c_str());
        if (entry == nullptr) {
            option_fails("Unknown group {} in -a", value);
        }
        out.gid = entry->gr_gid;
    } else if (std::string_view("mode").starts_with(key)) {
        only_once(out.mode, "mode", word);
        out.mode = read_mode(value);
    } else {
        option_fails("Invalid sub-arg {} in -a", word);
    }
}

struct port_range {
    unsigned long first = 0;
    unsigned long last = 0;
};

// Two numbers with a dash between them; what is anything else may be the name of a service.
std::optional<port_range> read_port_range(std::string_view port) {
    const std::size_t dash = port.find('-');
    if (dash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto read = [](std::string_view digits, unsigned long& number) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    port_range range;
    if (!read(port.substr(0, dash), range.first) || !read(port.substr(dash + 1), range.last)) {
        return std::nullopt;
    }
    return range;
}

} // namespace

std::vector<std::string> each_port(const std::string& endpoint) {
    std::string host;
    std::string port;
    std::string error;
    std::optional<port_range> range;
    if (sys::split_endpoint(endpoint, host, port, error)) {
        range = read_port_range(port);
    }
    if (!range) {
        return {endpoint};
    }
    constexpr unsigned long highest = 65535;
    const char* wrong = range->first == 0            ? "Range start cannot be 0"
                        : range->last < range->first ? "Range start higher than range end"
                        : range->last > highest      ? "Range end higher than 65535"
                                                     : nullptr;
    if (wrong != nullptr) {
        option_fails("Got no socket(s) for {} ({})", endpoint, wrong);
    }
    std::vector<std::string> out;
    const std::string before = endpoint.substr(0, endpoint.size() - port.size());
    for (unsigned long one = range->first; one <= range->last; ++one) {
        out.push_back(before + std::to_string(one));
    }
    return out;
}

listen_argument parse_listen_argument(std::string_view text) {
    const named_argument split = split_named_argument(text, "-a");
    listen_argument out;
    out.name = split.name.value_or("");
    out.endpoint = split.words.empty() ? "" : split.words[0];
    if (!is_unix_endpoint(out.endpoint) && out.endpoint.find('/') != std::string::npos) {
        option_fails("Unix domain socket addresses must be absolute paths in -a ({})", out.endpoint);
    }
    std::optional<bool> proxy;
    for (std::size_t i = 1; i < split.words.size(); ++i) {
        const std::string& word = split.words[i];
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) {
            take_protocol(word, proxy);
        } else if (!out.endpoint.starts_with('/')) {
            option_fails("Invalid sub-arg {} for IP addresses in -a", word);
        } else {
            take_permission(word, equals, out.permissions);
        }
    }
    out.proxy = proxy.value_or(false);
    return out;
}

} // namespace clearcoat::manager
