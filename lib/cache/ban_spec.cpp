#include "cache/ban_spec.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace clearcoat::cache {

namespace {

struct field_row {
    std::string_view name;
    ban_field field;
    bool header;
    bool duration;
};
constexpr std::array<field_row, 9> fields{{{"req.url", ban_field::url, false, false},
                                           {"req.http.", ban_field::req_header, true, false},
                                           {"obj.status", ban_field::status, false, false},
                                           {"obj.http.", ban_field::obj_header, true, false},
                                           {"obj.ttl", ban_field::ttl, false, true},
                                           {"obj.age", ban_field::age, false, true},
                                           {"obj.grace", ban_field::grace, false, true},
                                           {"obj.keep", ban_field::keep, false, true},
                                           {"obj.last_hit", ban_field::last_hit, false, true}}};

struct operator_row {
    std::string_view text;
    ban_operator op;
    bool strings;
    bool durations;
};
constexpr std::array<operator_row, 8> operators{{{"==", ban_operator::equal, true, true},
                                                 {"!=", ban_operator::not_equal, true, true},
                                                 {"~", ban_operator::match, true, false},
                                                 {"!~", ban_operator::no_match, true, false},
                                                 {">", ban_operator::greater, false, true},
                                                 {">=", ban_operator::greater_equal, false, true},
                                                 {"<", ban_operator::less, false, true},
                                                 {"<=", ban_operator::less_equal, false, true}}};

bool is_duration(ban_field field) noexcept {
    return field >= ban_field::ttl;
}

// A name is enough at the beginning: the reference takes "req.urlish" for req.url.
const field_row* find_field(std::string_view word) noexcept {
    auto at = std::find_if(fields.begin(), fields.end(), [&](const field_row& r) { return word.starts_with(r.name); });
    return at == fields.end() ? nullptr : &*at;
}

const operator_row* find_operator(std::string_view word, bool duration) noexcept {
    auto at = std::find_if(operators.begin(), operators.end(), [&](const operator_row& r) {
        return r.text == word && (duration ? r.durations : r.strings);
    });
    return at == operators.end() ? nullptr : &*at;
}

// Empty when `operand` suits the test, else what is wrong with it.
std::string take_operand(ban_test& test, std::string_view operand) {
    test.operand = operand;
    if (is_duration(test.field)) {
        const auto value = base::parse_duration(operand);
        if (!value) {
            return fmt::format("expected duration <n.nn>[ms|s|m|h|d|w|y] got \"{}\"", operand);
        }
        test.seconds = *value;
    } else if (test.op == ban_operator::match || test.op == ban_operator::no_match) {
        base::regex::compile_error error;
        test.regex = base::regex::compile(operand, false, error);
        if (test.regex == nullptr) {
            return "Regex compile error: " + error.message;
        }
    }
    return {};
}

std::string add_test(std::vector<ban_test>& tests, std::string_view name, std::string_view op,
                     std::string_view operand) {
    const field_row* field = find_field(name);
    if (field == nullptr) {
        return fmt::format("Unknown or unsupported field \"{}\"", name);
    }
    const operator_row* found = find_operator(op, field->duration);
    if (found == nullptr) {
        return fmt::format("expected conditional ({}) got \"{}\"",
                           field->duration ? "==, !=, >, >=, < or <=" : "==, !=, ~ or !~", op);
    }
    ban_test test{field->field, found->op, {}, {}, 0, nullptr};
    if (field->header) {
        test.header = name.substr(field->name.size());
    }
    std::string error = take_operand(test, operand);
    if (error.empty()) {
        tests.push_back(std::move(test));
    }
    return error;
}

bool compare(double left, ban_operator op, double right) noexcept {
    switch (op) {
    case ban_operator::equal:
        return left == right;
    case ban_operator::not_equal:
        return left != right;
    case ban_operator::greater:
        return left > right;
    case ban_operator::greater_equal:
        return left >= right;
    case ban_operator::less:
        return left < right;
    case ban_operator::less_equal:
        return left <= right;
    default:
        return false;
    }
}

bool compare(const std::optional<std::string_view>& value, const ban_test& test) noexcept {
    switch (test.op) {
    case ban_operator::equal:
        return value && *value == test.operand;
    case ban_operator::not_equal:
        return !value || *value != test.operand;
    // What is not there neither matches nor fails to match. A match that hits a limit counts as none.
    case ban_operator::match:
        return value && test.regex->match(*value) == base::regex_verdict::match;
    case ban_operator::no_match:
        return value && test.regex->match(*value) != base::regex_verdict::match;
    default:
        return false;
    }
}

// ttl, age and last_hit refer to the moment of the ban, so that they mean the same whenever they are tested; grace and
// keep are compared as they are.
bool holds_in_time(const ban_test& test, double banned_at, const object& o) noexcept {
    const object_timing t = o.timing();
    switch (test.field) {
    case ban_field::ttl:
        return compare(t.t_origin + t.ttl, test.op, banned_at + test.seconds);
    case ban_field::age:
        return compare(-t.t_origin, test.op, -(banned_at - test.seconds));
    case ban_field::grace:
        return compare(t.grace, test.op, test.seconds);
    case ban_field::last_hit: {
        // Known as well as the LRU list knows it; of an object that is in none, nothing is.
        const double last = o.last_lru();
        return last != 0 && compare(-last, test.op, -(banned_at - test.seconds));
    }
    default:
        return compare(t.keep, test.op, test.seconds);
    }
}

std::vector<std::string_view> split(std::string_view text) {
    constexpr std::string_view blanks = " \t\n\v\f\r";
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(blanks, end);
    }
    return words;
}

} // namespace

std::string_view name_of(ban_field field) noexcept {
    return std::find_if(fields.begin(), fields.end(), [&](const field_row& r) { return r.field == field; })->name;
}

std::string_view name_of(ban_operator op) noexcept {
    return operators[static_cast<std::size_t>(op)].text;
}

ban_spec::outcome ban_spec::parse_words(std::span<const std::string_view> words) {
    if (words.size() % 4 != 3) {
        return {std::nullopt, "Wrong number of arguments"};
    }
    for (std::size_t i = 3; i < words.size(); i += 4) {
        if (words[i] != "&&") {
            return {std::nullopt, fmt::format("Found \"{}\" expected &&", words[i])};
        }
    }
    std::vector<ban_test> tests;
    for (std::size_t i = 0; i < words.size(); i += 4) {
        if (std::string error = add_test(tests, words[i], words[i + 1], words[i + 2]); !error.empty()) {
            return {std::nullopt, std::move(error)};
        }
    }
    return {std::move(tests), {}};
}

ban_spec::outcome ban_spec::parse_text(std::string_view text) {
    const std::vector<std::string_view> words = split(text);
    std::vector<ban_test> tests;
    for (std::size_t i = 0;; ++i) {
        if (i == words.size()) {
            return {std::nullopt, "No ban conditions found."};
        }
        if (i + 1 == words.size()) {
            return {std::nullopt, "Expected comparison operator."};
        }
        if (i + 2 == words.size()) {
            return {std::nullopt, "Expected second operand."};
        }
        if (std::string error = add_test(tests, words[i], words[i + 1], words[i + 2]); !error.empty()) {
            return {std::nullopt, std::move(error)};
        }
        i += 3;
        if (i == words.size()) {
            return {std::move(tests), {}};
        }
        if (words[i] != "&&") {
            return {std::nullopt, fmt::format("Expected && between conditions, found \"{}\"", words[i])};
        }
    }
}

ban_spec::outcome ban_spec::parse_test(ban_field field, ban_operator op, std::string_view header,
                                       std::string_view operand) {
    ban_test test{field, op, std::string(header), {}, 0, nullptr};
    const operator_row& row = operators[static_cast<std::size_t>(op)];
    if (!(is_duration(field) ? row.durations : row.strings)) {
        return {std::nullopt, "operator does not fit the field"};
    }
    if (std::string error = take_operand(test, operand); !error.empty()) {
        return {std::nullopt, std::move(error)};
    }
    return {std::vector<ban_test>{std::move(test)}, {}};
}

bool ban_spec::looks_at_request() const noexcept {
    return std::any_of(tests_.begin(), tests_.end(),
                       [](const ban_test& t) { return t.field == ban_field::url || t.field == ban_field::req_header; });
}

bool ban_spec::looks_at_object() const noexcept {
    return std::any_of(tests_.begin(), tests_.end(),
                       [](const ban_test& t) { return t.field != ban_field::url && t.field != ban_field::req_header; });
}

bool ban_spec::can_be_duplicate() const noexcept {
    return std::none_of(tests_.begin(), tests_.end(), [](const ban_test& t) {
        return t.field == ban_field::ttl || t.field == ban_field::age || t.field == ban_field::last_hit;
    });
}

bool ban_spec::same_tests(const ban_spec& other) const noexcept {
    return std::equal(tests_.begin(), tests_.end(), other.tests_.begin(), other.tests_.end(),
                      [](const ban_test& a, const ban_test& b) {
                          return a.field == b.field && a.op == b.op && a.header == b.header &&
                                 (is_duration(a.field) ? a.seconds == b.seconds : a.operand == b.operand);
                      });
}

bool ban_spec::matches(const object& o, const object_reader& reader, const ban_subject* subject,
                       std::uint64_t& tested) const noexcept {
    for (const ban_test& test : tests_) {
        ++tested;
        bool holds = false;
        switch (test.field) {
        case ban_field::url:
            holds = compare(subject->url(), test);
            break;
        case ban_field::req_header:
            holds = compare(subject->header(test.header), test);
            break;
        case ban_field::status:
            holds = compare(reader.status(o), test);
            break;
        case ban_field::obj_header:
            holds = compare(reader.header(o, test.header), test);
            break;
        default:
            holds = holds_in_time(test, time_, o);
            break;
        }
        if (!holds) {
            return false;
        }
    }
    return true;
}

} // namespace clearcoat::cache
