#include "logread/tag_set.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace clearcoat::logread {
namespace {

bool ends_with_nocase(std::string_view text, std::string_view end) noexcept {
    return text.size() >= end.size() && base::equal_nocase(text.substr(text.size() - end.size()), end);
}

/// Calls `visit` with every tag that has a name.
template<class Visit>
void for_each_tag(Visit visit) {
    for (unsigned number = 0; number < 256; ++number) {
        const auto tag = static_cast<log_tag>(number);
        const std::string_view name = tables::name_of(tag);
        if (!name.empty()) {
            visit(tag, name);
        }
    }
}

} // namespace

tag_verdict find_tag(std::string_view name, log_tag& tag) noexcept {
    unsigned beginnings = 0;
    bool exact = false;
    for_each_tag([&](log_tag candidate, std::string_view full) {
        if (exact || !base::starts_with_nocase(full, name)) {
            return;
        }
        exact = full.size() == name.size();
        ++beginnings;
        if (exact || beginnings == 1) {
            tag = candidate;
        }
    });
    if (exact || beginnings == 1) {
        return tag_verdict::found;
    }
    return beginnings == 0 ? tag_verdict::none : tag_verdict::ambiguous;
}

tag_verdict add_glob(std::string_view glob, tag_set& tags) noexcept {
    if (glob.empty()) {
        return tag_verdict::none;
    }
    const std::size_t star = glob.find('*');
    if (star == std::string_view::npos) {
        log_tag tag{};
        const tag_verdict verdict = find_tag(glob, tag);
        if (verdict == tag_verdict::found) {
            tags.add(tag);
        }
        return verdict;
    }
    const std::string_view head = glob.substr(0, star);
    const std::string_view tail = glob.substr(star + 1);
    if (tail.find('*') != std::string_view::npos) {
        return tag_verdict::syntax;
    }
    bool any = false;
    for_each_tag([&](log_tag tag, std::string_view name) {
        if (name.size() >= head.size() + tail.size() && base::starts_with_nocase(name, head) &&
            ends_with_nocase(name, tail)) {
            tags.add(tag);
            any = true;
        }
    });
    return any ? tag_verdict::found : tag_verdict::none;
}

tag_verdict add_globs(std::string_view list, tag_set& tags) noexcept {
    tag_verdict verdict = tag_verdict::none;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::string_view glob = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        if (glob.empty()) {
            continue;
        }
        verdict = add_glob(glob, tags);
        if (verdict != tag_verdict::found) {
            return verdict;
        }
    }
    return verdict;
}

} // namespace clearcoat::logread
