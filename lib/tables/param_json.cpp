// The present values as texts, and param.show -j.
#include "tables/param_values.hpp"

#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace clearcoat::tables {
namespace {

constexpr unsigned status_param = 106;
constexpr unsigned status_too_many = 105;

/// C's escapes for what a terminal should not get.
std::string quoted_text(std::string_view text) {
    std::string out;
    for (char c : text) {
        unsigned char u = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n' || c == '\t' || c == '\r') {
            out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
        } else if (u < ' ' || u == 0x7f) {
            out += fmt::format("\\{:03o}", u);
        } else {
            out += c;
        }
    }
    return out;
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        unsigned char u = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n' || c == '\t' || c == '\r') {
            out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
        } else if (u < ' ' || u == 0x7f) {
            out += fmt::format("\\u{:04x}", u);
        } else {
            out += c;
        }
    }
    return out + '"';
}

struct flag_word {
    std::uint16_t flag;
    std::string_view word;
};
constexpr flag_word json_flags[] = {
    {pf_obj_sticky, "obj_sticky"},   {pf_delayed_effect, "delayed_effect"}, {pf_experimental, "experimental"},
    {pf_must_reload, "must_reload"}, {pf_must_restart, "must_restart"},     {pf_wizard, "wizard"},
};
constexpr flag_word json_late_flags[] = {{pf_only_root, "only_root"}, {pf_build_options, "build_options"}};

/// What stands in the list of flags, one a line.
std::string flags_text(const param_row& row, bool is_protected) {
    std::string flags;
    auto add = [&flags](std::string_view word) {
        flags += fmt::format("{}\n    \"{}\"", flags.empty() ? "" : ",", word);
    };
    for (const flag_word& f : json_flags) {
        if ((row.flags & f.flag) != 0) {
            add(f.word);
        }
    }
    if (is_protected) {
        add("protected");
    }
    for (const flag_word& f : json_late_flags) {
        if ((row.flags & f.flag) != 0) {
            add(f.word);
        }
    }
    return flags;
}

} // namespace

std::string parameter_set::bits_text(const param_row& row) const {
    std::string out;
    std::uint64_t word = block_.word(row.id);
    std::span<const bit_row> rows = bits_of(row.id);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if ((word >> i & 1) != 0) {
            out += fmt::format("{}+{}", out.empty() ? "" : ",", rows[i].name);
        }
    }
    return out.empty() ? "none" : out;
}

std::string parameter_set::mask_text() const {
    std::string out;
    for (unsigned number = 1; number < log_tag_count; ++number) {
        log_tag tag = static_cast<log_tag>(number);
        if (block_.masked(tag)) {
            out += fmt::format("{}-{}", out.empty() ? "" : ",", name_of(tag));
        }
    }
    return out.empty() ? "(all enabled)" : out;
}

std::string parameter_set::value_text(param_id id) const {
    const param_row& row = param_rows()[static_cast<std::size_t>(id)];
    std::uint64_t word = block_.word(id);
    switch (row.kind) {
    case param_kind::boolean:
        return word != 0 ? "on" : "off";
    case param_kind::vcc_bit:
        return block_.bit_of(param_id::vcc_feature, vcc_bit_of(id)) ? "on" : "off";
    case param_kind::uint:
    case param_kind::uint_or_zero:
        return word == std::numeric_limits<std::uint32_t>::max() ? "unlimited" : fmt::format("{}", word);
    case param_kind::duration:
        return std::isinf(std::bit_cast<double>(word)) ? "never" : fmt::format("{:.3f}", std::bit_cast<double>(word));
    case param_kind::real:
        return fmt::format("{:g}", std::bit_cast<double>(word));
    case param_kind::bytes:
    case param_kind::bytes_u:
        return bytes_text(word);
    case param_kind::bits:
        return bits_text(row);
    case param_kind::mask:
        return mask_text();
    case param_kind::text:
    case param_kind::storage:
        return quoted_text(slot_of(id).text);
    case param_kind::pool:
        return slot_of(id).text;
    case param_kind::alias:
        return value_text(find_param(row.def)->id);
    }
    return {};
}

std::string parameter_set::json_value(const param_row& row) const {
    switch (row.kind) {
    case param_kind::boolean:
    case param_kind::vcc_bit:
        return value_text(row.id) == "on" ? "true" : "false";
    case param_kind::uint:
    case param_kind::uint_or_zero:
    case param_kind::bytes:
    case param_kind::bytes_u:
        return fmt::format("{}", block_.word(row.id));
    case param_kind::duration:
    case param_kind::real: {
        const std::string text = value_text(row.id);
        return text == "never" ? json_text(text) : text;
    }
    case param_kind::pool: {
        std::vector<std::string_view> words = comma_words(slot_of(row.id).text);
        return fmt::format("{{\n      \"min_pool\": {},\n      \"max_pool\": {},\n      \"max_age\": {}\n  }}",
                           words[0], words[1], words[2]);
    }
    case param_kind::text:
    case param_kind::storage:
        return json_text(slot_of(row.id).text);
    default:
        return json_text(value_text(row.id));
    }
}

void parameter_set::show_json_one(const param_row& row, std::string& out) const {
    const slot& s = slot_of(row.id);
    auto pair = [&out](std::string_view key, std::string_view value) {
        out += fmt::format("  \"{}\": {},\n", key, json_text(value));
    };
    out += ",\n{\n";
    pair("name", row.name);
    if (row.kind == param_kind::alias) {
        pair("alias", row.def);
    }
    if ((row.flags & pf_not_implemented) != 0) {
        out += "  \"implemented\": false\n}";
        return;
    }
    out += fmt::format("  \"implemented\": true,\n  \"value\": {},\n", json_value(row));
    for (auto [key, value] : {std::pair<std::string_view, std::string_view>{"units", row.unit},
                              {"default", s.def},
                              {"minimum", s.min},
                              {"maximum", s.max}}) {
        if (!value.empty()) {
            pair(key, value);
        }
    }
    pair("description", text_of(row));
    std::string flags = flags_text(row, s.is_protected);
    out += fmt::format("  \"flags\": [{}{}]\n}}", flags, flags.empty() ? "" : "\n  ");
}

param_answer parameter_set::show_json(std::span<const std::string_view> arguments) const {
    bool changed = false;
    std::string_view wanted;
    for (std::string_view argument : arguments) {
        if (argument == "-l") {
            return {status_param, "-l not permitted with param.show -j"};
        }
        if (argument == "changed") {
            changed = true;
        } else if (argument != "-j" && !wanted.empty()) {
            return {status_too_many, "Too many parameters"};
        } else if (argument != "-j") {
            wanted = argument;
        }
    }
    param_answer answer;
    bool found = wanted.empty();
    for (const param_row& row : param_rows()) {
        bool named = row.name == wanted;
        if (wanted.empty() ? row.kind == param_kind::alias : !named) {
            continue;
        }
        found = true;
        if (!changed || !is_default(row)) {
            show_json_one(row, answer.text);
        }
    }
    if (!found) {
        return {status_param, fmt::format("Unknown parameter \"{}\".", wanted)};
    }
    if (answer.text.empty()) {
        answer.text = ",\n";
    }
    return answer;
}

} // namespace clearcoat::tables
