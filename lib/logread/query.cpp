#include "logread/query.hpp"

#include "base/ascii.hpp"
#include "base/numbers.hpp"
#include "logread/query_tree.hpp"

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

using expression = query::expression;

template<class T>
bool compare(query_token kind, T left, T right) noexcept {
    switch (kind) {
    case query_token::equal:
        return left == right;
    case query_token::not_equal:
        return left != right;
    case query_token::less:
        return left < right;
    case query_token::greater:
        return left > right;
    case query_token::at_most:
        return left <= right;
    default:
        return left >= right;
    }
}

/// What stands behind "PREFIX:" and blanks; false when the text does not begin so.
bool strip_prefix(std::string_view& text, const std::string& prefix) noexcept {
    if (text.size() <= prefix.size() || !base::starts_with_nocase(text, prefix) || text[prefix.size()] != ':') {
        return false;
    }
    text.remove_prefix(prefix.size() + 1);
    while (!text.empty() && base::is_space(text.front())) {
        text.remove_prefix(1);
    }
    return true;
}

/// The end of the field that begins at `begin`; a field in quotes has none without the closing one.
std::size_t end_of_field(std::string_view text, std::size_t begin, bool quoted) noexcept {
    if (quoted) {
        return text.find('"', begin);
    }
    while (begin < text.size() && !base::is_space(text[begin])) {
        ++begin;
    }
    return begin;
}

struct field_place {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The n-th field: words between blanks, or texts in quotes.
bool find_field(std::string_view text, int wanted, field_place& place) noexcept {
    bool quoted = false;
    std::size_t at = 0;
    int seen = 0;
    for (; at < text.size() && seen < wanted; ++seen) {
        if (quoted && ++at < text.size() && !base::is_space(text[at])) {
            return false;
        }
        if (at == text.size()) {
            break;
        }
        while (at < text.size() && base::is_space(text[at])) {
            ++at;
        }
        quoted = at < text.size() && text[at] == '"';
        at += quoted ? 1 : 0;
        place.begin = at;
        at = end_of_field(text, at, quoted);
        if (at == std::string_view::npos) {
            return false;
        }
        place.end = at;
    }
    return seen == wanted && place.begin < text.size();
}

bool test_number(const expression& e, std::string_view text) noexcept {
    constexpr double decimal_limit = 999999999999.999;
    if (text.empty()) {
        return false;
    }
    const base::scanned_number number = base::scan_number(text, false);
    if (number.error != nullptr) {
        return false;
    }
    if (const long long* right = std::get_if<long long>(&e.value)) {
        return compare(e.kind, static_cast<long long>(number.value), *right);
    }
    if (number.value < -decimal_limit || number.value > decimal_limit) {
        return false;
    }
    return compare(e.kind, number.value, std::get<double>(e.value));
}

bool same_text(const expression& e, std::string_view text) noexcept {
    const std::string& right = std::get<std::string>(e.value);
    return e.caseless ? base::equal_nocase(text, right) : text == right;
}

bool found_by(const expression& e, std::string_view text) noexcept {
    return std::get<std::shared_ptr<const base::regex>>(e.value)->match(text) != base::regex_verdict::no_match;
}

bool test_record(const expression& e, record r) noexcept {
    std::string_view text = r.text();
    if (e.subject.has_prefix && !strip_prefix(text, e.subject.prefix)) {
        return false;
    }
    std::string_view from = text.substr(0, text.find('\0')); // numbers are read on behind their field
    if (e.subject.field > 0) {
        field_place place;
        if (!find_field(from, e.subject.field, place)) {
            return false;
        }
        text = from.substr(place.begin, place.end - place.begin);
        from.remove_prefix(place.begin);
    }
    switch (e.kind) {
    case query_token::end:
        return true;
    case query_token::text_equal:
        return same_text(e, text);
    case query_token::text_not_equal:
        return !same_text(e, text);
    case query_token::match:
        return found_by(e, text);
    case query_token::no_match:
        return !found_by(e, text);
    default:
        return test_number(e, from);
    }
}

bool level_fits(const query_subject& subject, unsigned level) noexcept {
    const int have = static_cast<int>(level);
    if (subject.level < 0) {
        return true;
    }
    return subject.level_direction < 0   ? have <= subject.level
           : subject.level_direction > 0 ? have >= subject.level
                                         : have == subject.level;
}

bool test_records(const expression& e, const transaction& t) noexcept {
    for (const record r : t.records) {
        if (e.subject.tags.has(r.tag()) && test_record(e, r)) {
            return true;
        }
    }
    return false;
}

bool test_group(const expression& e, group g) noexcept {
    for (const transaction& t : g) {
        if (e.subject.vxid) {
            if (compare<long long>(e.kind, t.vxid, std::get<long long>(e.value))) {
                return true;
            }
        } else if (level_fits(e.subject, t.level) && test_records(e, t)) {
            return true;
        }
    }
    return false;
}

bool evaluate(const expression& e, group g) noexcept {
    switch (e.kind) {
    case query_token::op_or:
        return evaluate(*e.left, g) || evaluate(*e.right, g);
    case query_token::op_and:
        return evaluate(*e.left, g) && evaluate(*e.right, g);
    case query_token::op_not:
        return !evaluate(*e.left, g);
    default:
        return test_group(e, g);
    }
}

struct value_printer {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(long long v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const { return fmt::format("{:g}", v); }
    std::string operator()(const std::string& v) const { return '"' + v + '"'; }
    std::string operator()(const std::shared_ptr<const base::regex>& v) const { return '"' + v->pattern() + '"'; }
};

std::string print(const expression& e) {
    switch (e.kind) {
    case query_token::op_not:
        return fmt::format("(not {})", print(*e.left));
    case query_token::op_and:
    case query_token::op_or:
        return fmt::format("({} {} {})", spelling(e.kind), print(*e.left), print(*e.right));
    default:
        break;
    }
    const query_subject& s = e.subject;
    std::string text;
    if (s.level >= 0) {
        text += fmt::format("{{{}{}}}", s.level, s.level_direction < 0 ? "-" : s.level_direction > 0 ? "+" : "");
    }
    text += s.tag_text;
    text += s.has_prefix ? ":" + s.prefix : "";
    text += s.field > 0 ? fmt::format("[{}]", s.field) : "";
    if (e.kind == query_token::end) {
        return text;
    }
    return fmt::format("({} {} {})", text, spelling(e.kind), std::visit(value_printer{}, e.value));
}

} // namespace

query::query(std::unique_ptr<expression> root) : root_(std::move(root)) {}
query::~query() = default;

std::unique_ptr<const query> query::compile(std::string_view text, bool caseless, std::string& error) {
    parsed_query parsed = parse_query(text, caseless);
    error = std::move(parsed.error);
    if (parsed.root == nullptr) {
        return nullptr;
    }
    return std::unique_ptr<const query>(new query(std::move(parsed.root)));
}

bool query::selects(group g) const noexcept {
    return evaluate(*root_, g);
}

std::string query::to_text() const {
    return print(*root_);
}

} // namespace clearcoat::logread
