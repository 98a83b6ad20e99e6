#include "vmod/cookie/cookie_jar.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace clearcoat::vmod::cookies {

cookie* cookie_jar::find(std::string_view name) noexcept {
    const auto found =
        std::find_if(cookies_.begin(), cookies_.end(), [name](const cookie& c) { return c.name == name; });
    return found == cookies_.end() ? nullptr : &*found;
}

bool cookie_jar::set(base::arena& workspace, std::string_view name, std::string_view value) {
    if (name.empty() || value.empty()) {
        return true;
    }
    const std::string_view kept = workspace.copy(value);
    if (cookie* there = find(name)) {
        there->value = kept.data() == nullptr ? there->value : kept;
        return kept.data() != nullptr;
    }
    const std::string_view kept_name = workspace.copy(name);
    if (kept.data() == nullptr || kept_name.data() == nullptr) {
        return false;
    }
    cookies_.push_back({kept_name, kept});
    return true;
}

int cookie_jar::parse(base::arena& workspace, std::string_view header, bool& full) {
    int count = 0;
    cookies_.clear();
    for (;;) {
        while (!header.empty() && base::is_space(header.front())) {
            header.remove_prefix(1);
        }
        // A name reaches to the next '=', even over a ';': what has no '=' is taken for the beginning of a name, as in
        // the reference.
        const std::size_t equal = header.find('=');
        if (equal == std::string_view::npos) {
            return count;
        }
        const std::string_view rest = header.substr(equal + 1);
        const std::string_view value = rest.substr(0, rest.find(';'));
        full = !set(workspace, header.substr(0, equal), value) || full;
        ++count;
        if (value.size() == rest.size()) {
            return count;
        }
        header = rest.substr(value.size() + 1);
    }
}

std::string_view cookie_jar::text(base::arena& workspace) const {
    std::size_t size = 0;
    for (const cookie& c : cookies_) {
        size += c.name.size() + c.value.size() + 3;
    }
    if (size == 0) {
        return "";
    }
    auto* room = static_cast<char*>(workspace.allocate(size, 1));
    if (room == nullptr) {
        return {};
    }
    char* to = room;
    for (const cookie& c : cookies_) {
        if (to != room) {
            *to++ = ' ';
        }
        to += c.name.copy(to, c.name.size());
        *to++ = '=';
        to += c.value.copy(to, c.value.size());
        *to++ = ';';
    }
    *to = '\0';
    return {room, size - 1};
}

} // namespace clearcoat::vmod::cookies
