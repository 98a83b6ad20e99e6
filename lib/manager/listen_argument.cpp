// The words of a -a argument.
#include "manager/listeners.hpp"

#include "base/ascii.hpp"
#include "manager/named_argument.hpp"
#include "manager/option_error.hpp"

#include <cerrno>
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

} // namespace

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
