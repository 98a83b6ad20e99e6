#include "logread/transaction.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace clearcoat::logread {
namespace {

constexpr std::array<std::string_view, 5> type_names{"unknown", "sess", "req", "bereq", "raw"};
constexpr std::array<std::string_view, 9> reason_names{"unknown", "HTTP/1", "rxreq",   "esi", "restart",
                                                       "pass",    "fetch",  "bgfetch", "pipe"};
constexpr std::array<std::string_view, 4> grouping_names{"raw", "vxid", "request", "session"};

template<class Enum, std::size_t Size>
Enum value_of(const std::array<std::string_view, Size>& names, std::string_view name) noexcept {
    auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? Enum::unknown : static_cast<Enum>(found - names.begin());
}

std::string_view take_word(std::string_view& text) noexcept {
    while (!text.empty() && base::is_space(text.front())) {
        text.remove_prefix(1);
    }
    std::size_t size = 0;
    while (size < text.size() && !base::is_space(text[size]) && text[size] != '\0') {
        ++size;
    }
    std::string_view word = text.substr(0, size);
    text.remove_prefix(size);
    return word;
}

} // namespace

std::string_view name_of(transaction_type type) noexcept {
    return type_names[static_cast<std::size_t>(type)];
}
std::string_view name_of(transaction_reason reason) noexcept {
    return reason_names[static_cast<std::size_t>(reason)];
}
std::string_view name_of(grouping how) noexcept {
    return grouping_names[static_cast<std::size_t>(how)];
}

grouping_choice find_grouping(std::string_view name) noexcept {
    grouping_choice choice;
    for (std::size_t i = 0; i < grouping_names.size(); ++i) {
        if (!base::starts_with_nocase(grouping_names[i], name)) {
            continue;
        }
        if (grouping_names[i].size() == name.size()) {
            return {static_cast<grouping>(i), false};
        }
        choice.ambiguous = choice.how.has_value() || choice.ambiguous;
        choice.how = static_cast<grouping>(i);
    }
    if (choice.ambiguous) {
        choice.how.reset();
    }
    return choice;
}

std::optional<link_text> parse_link(record r) noexcept {
    std::string_view text = r.text();
    link_text link;
    link.type = value_of<transaction_type>(type_names, take_word(text));
    const std::string_view number = take_word(text);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), link.vxid);
    if (error != std::errc() || end != number.data() + number.size()) {
        return std::nullopt;
    }
    const std::string_view reason = take_word(text);
    if (reason.empty()) {
        return std::nullopt;
    }
    link.reason = value_of<transaction_reason>(reason_names, reason);
    link.vxid &= r.width() == shm::record_width::wide ? shm::layout::wide_id_mask : shm::layout::id_mask;
    return link;
}

} // namespace clearcoat::logread
