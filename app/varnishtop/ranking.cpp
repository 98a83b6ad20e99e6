#include "ranking.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

namespace clearcoat::varnishtop {
namespace {

/// As the reference orders records that are as frequent: by the sum of their bytes, tag, length, text.
int byte_sum(std::string_view text) noexcept {
    return std::accumulate(text.begin(), text.end(), 0, [](int sum, char c) { return sum + c; });
}

bool before(const entry* a, const entry* b) noexcept {
    if (a->count != b->count) {
        return a->count > b->count;
    }
    const int a_sum = byte_sum(a->text);
    const int b_sum = byte_sum(b->text);
    if (a_sum != b_sum) {
        return a_sum < b_sum;
    }
    if (a->tag != b->tag) {
        return a->tag < b->tag;
    }
    return a->text.size() != b->text.size() ? a->text.size() < b->text.size() : a->text < b->text;
}

} // namespace

void ranking::add(logread::group g, const logread::log_options& options) {
    for (const logread::transaction& t : g) {
        for (const logread::record r : t.records) {
            if (tables::kind_of(r.tag()) != tables::log_tag_kind::plain || !options.shows(r)) {
                continue;
            }
            const std::string_view bytes = r.bytes();
            const std::string_view shown = bytes.substr(0, bytes.find('\0'));
            std::string_view text = shown;
            if (first_field_) {
                const auto ends = [](char c) { return c == ':' || base::is_space(c); };
                text = text.substr(
                    0, static_cast<std::size_t>(std::find_if(text.begin(), text.end(), ends) - text.begin()));
            }
            if (text.empty()) {
                continue;
            }
            std::string key(1, static_cast<char>(r.tag()));
            key += text;
            entry& e = entries_.try_emplace(std::move(key), entry{r.tag(), std::string(text), std::string(shown), 0})
                           .first->second;
            e.count += 1;
        }
    }
}

std::vector<const entry*> ranking::sorted() const {
    std::vector<const entry*> all;
    all.reserve(entries_.size());
    for (const auto& [key, e] : entries_) {
        all.push_back(&e);
    }
    std::sort(all.begin(), all.end(), before);
    return all;
}

void ranking::fade(unsigned n, double smallest_shown, std::size_t lines) {
    constexpr std::size_t screens = 10;
    const std::vector<const entry*> all = sorted();
    std::size_t place = 1;
    for (const entry* seen : all) {
        std::string key(1, static_cast<char>(seen->tag));
        key += seen->text;
        const auto at = entries_.find(key);
        at->second.count += (1.0 / 3.0 - at->second.count) / n;
        if (at->second.count * 10 < smallest_shown || ++place > lines * screens) {
            entries_.erase(at);
        }
    }
}

std::string list_text(const ranking& r) {
    std::string text;
    for (const entry* e : r.sorted()) {
        text += fmt::format("{:9.2f} {} {}\n", e->count, tables::name_of(e->tag), e->text);
    }
    return text;
}

} // namespace clearcoat::varnishtop
