// A small reader of JSON (RFC 8259), for the descriptions of counters. Numbers are kept as they are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::logread {

struct json_member;

struct json_value {
    enum class kind { text, number, word, array, object }; // word: true, false, null
    kind what = kind::word;
    std::string text;                 // of text, number and word
    std::vector<json_member> members; // of arrays (without names) and objects, in order

    /// The member of that name; nullptr when there is none.
    const json_value* find(std::string_view name) const noexcept;
    /// The text of the member of that name; empty when there is none.
    std::string_view text_of(std::string_view name) const noexcept;
};

struct json_member {
    std::string name;
    json_value value;
};

/// Empty when `text` is no JSON, or nested more than 100 deep.
std::optional<json_value> parse_json(std::string_view text);

} // namespace clearcoat::logread
