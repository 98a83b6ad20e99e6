// Recursive descent over the words of a query:
//   queries  = [ or ] { newline [ or ] }      lines are alternatives
//   or       = and { "or" and }
//   and      = not { "and" not }
//   not      = [ "not" ] group
//   group    = "(" or ")" | comparison
#include "logread/query_tree.hpp"

#include "base/ascii.hpp"
#include "base/numbers.hpp"

#include <cstdlib>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

// Brackets may nest this deep; a text from a file must not exhaust the stack.
constexpr int deepest = 1000;

bool is_number_comparison(query_token kind) noexcept {
    return kind >= query_token::equal && kind <= query_token::at_least;
}

class parser {
  public:
    using node = std::unique_ptr<query::expression>;

    parser(std::string_view text, std::vector<query_word> words, bool caseless)
        : text_(text), words_(std::move(words)), caseless_(caseless) {}

    parsed_query run() {
        parsed_query result;
        while (skip_empty_lines()) {
            node line = parse_or();
            if (!failed() && now().kind != query_token::end) {
                expect(query_token::end);
            }
            if (failed()) {
                return {nullptr, std::move(error_)};
            }
            // The latest line is asked first, as in the reference.
            result.root =
                result.root ? join(query_token::op_or, std::move(line), std::move(result.root)) : std::move(line);
        }
        return result;
    }

  private:
    const query_word& now() const noexcept { return words_[at_]; }
    bool failed() const noexcept { return !error_.empty(); }

    bool skip_empty_lines() noexcept {
        while (at_ < words_.size() && now().kind == query_token::end) {
            ++at_;
        }
        return at_ < words_.size();
    }

    std::string_view source(const query_word& word) const noexcept {
        return text_.substr(word.begin, word.end - word.begin);
    }
    void fail(std::string message, int offset = -1) { error_ = message + ' ' + query_place(text_, now(), offset); }
    void fail_got(std::string_view wanted, int offset = -1) {
        fail(fmt::format("Expected {} got '{}'", wanted, source(now())), offset);
    }

    void next() {
        if (at_ + 1 < words_.size()) {
            ++at_;
        } else {
            error_ += "Ran out of input, something is missing or maybe unbalanced parenthesis\n";
        }
    }

    bool expect(query_token kind) {
        if (now().kind == kind) {
            return true;
        }
        const bool at_end = now().kind == query_token::end;
        const std::string got = at_end ? "end of input" : fmt::format("'{}'", source(now()));
        const std::string wanted = kind == query_token::end ? "EOI" : fmt::format("'{}'", spelling(kind));
        fail(fmt::format("Expected {} got {}", wanted, got));
        return false;
    }

    node make(query_token kind) const {
        node made = std::make_unique<query::expression>();
        made->kind = kind;
        made->caseless = caseless_;
        return made;
    }
    node join(query_token kind, node left, node right) const {
        node made = make(kind);
        made->left = std::move(left);
        made->right = std::move(right);
        return made;
    }

    node parse_or() { return parse_chain(query_token::op_or); }

    node parse_chain(query_token kind) {
        const auto part = [this, kind] {
            return kind == query_token::op_or ? parse_chain(query_token::op_and) : parse_not();
        };
        node all = part();
        while (!failed() && now().kind == kind) {
            next();
            if (!failed()) {
                node right = part();
                all = join(kind, std::move(all), std::move(right));
            }
        }
        return all;
    }

    node parse_not() {
        if (now().kind != query_token::op_not) {
            return parse_group();
        }
        next();
        return failed() ? nullptr : join(query_token::op_not, parse_group(), nullptr);
    }

    node parse_group() {
        if (now().kind != query_token::open_paren) {
            return parse_comparison();
        }
        if (++depth_ > deepest) {
            fail("Expression is nested too deeply");
            return nullptr;
        }
        next();
        node inner = failed() ? nullptr : parse_or();
        if (!failed() && expect(query_token::close_paren)) {
            next();
        }
        --depth_;
        return inner;
    }

    node parse_comparison() {
        node made = make(query_token::end);
        parse_subject(made->subject);
        if (failed()) {
            return nullptr;
        }
        const query_token kind = now().kind;
        if (made->subject.vxid && !is_number_comparison(kind)) {
            fail_got("vxid operator");
            return nullptr;
        }
        if (kind == query_token::end || kind == query_token::op_and || kind == query_token::op_or ||
            kind == query_token::close_paren) {
            return made;
        }
        if (kind < query_token::equal || kind > query_token::no_match) {
            fail_got("operator");
            return nullptr;
        }
        made->kind = kind;
        next();
        if (!failed()) {
            parse_value(*made);
        }
        return made;
    }

    void parse_subject(query_subject& subject) {
        parse_level(subject);
        if (!failed()) {
            parse_tags(subject);
        }
        if (!failed()) {
            parse_prefix(subject);
        }
        if (!failed()) {
            parse_field(subject);
        }
        const bool more = subject.level >= 0 || subject.field > 0 || !subject.prefix.empty();
        if (!failed() && subject.vxid && (more || tags_named_ != 1)) {
            fail("Unexpected taglist selection for vxid");
        }
    }

    void parse_level(query_subject& subject) {
        if (now().kind != query_token::open_brace) {
            return;
        }
        next();
        if (failed() || now().kind != query_token::value) {
            return fail_got("integer");
        }
        char* rest = nullptr;
        subject.level = static_cast<int>(std::strtol(now().value.c_str(), &rest, 0));
        if (subject.level < 0) {
            return fail("Expected positive integer");
        }
        if (*rest == '-' || *rest == '+') {
            subject.level_direction = *rest++ == '-' ? -1 : 1;
        }
        if (*rest != '\0') {
            return fail("Syntax error in level limit");
        }
        next();
        if (!failed() && expect(query_token::close_brace)) {
            next();
        }
    }

    void parse_tags(query_subject& subject) {
        tags_named_ = 0;
        while (!failed()) {
            parse_tag(subject);
            if (failed() || now().kind != query_token::comma) {
                return;
            }
            subject.tag_text += ',';
            next();
        }
    }

    void parse_tag(query_subject& subject) {
        ++tags_named_;
        if (now().kind == query_token::vxid) {
            subject.vxid = true;
        } else if (now().kind != query_token::value) {
            return fail_got("VSL tag name");
        } else {
            switch (add_glob(now().value, subject.tags)) {
            case tag_verdict::none:
                return fail("Tag name matches zero tags");
            case tag_verdict::ambiguous:
                return fail("Tag name is ambiguous");
            case tag_verdict::syntax:
                return fail("Syntax error in tag name");
            case tag_verdict::found:
                break;
            }
        }
        subject.tag_text += source(now());
        next();
    }

    void parse_prefix(query_subject& subject) {
        if (now().kind != query_token::colon) {
            return;
        }
        next();
        if (failed() || now().kind != query_token::value) {
            return fail_got("string");
        }
        subject.prefix = now().value;
        subject.has_prefix = true;
        next();
    }

    void parse_field(query_subject& subject) {
        if (now().kind != query_token::open_bracket) {
            return;
        }
        next();
        if (failed() || now().kind != query_token::value) {
            return fail_got("integer");
        }
        char* rest = nullptr;
        subject.field = static_cast<int>(std::strtol(now().value.c_str(), &rest, 0));
        if (*rest != '\0' || subject.field <= 0) {
            return fail("Expected positive integer");
        }
        next();
        if (!failed() && expect(query_token::close_bracket)) {
            next();
        }
    }

    void parse_value(query::expression& e) {
        const bool number = is_number_comparison(e.kind);
        const bool pattern = e.kind == query_token::match || e.kind == query_token::no_match;
        if (now().kind != query_token::value) {
            return fail_got(number ? "number" : pattern ? "regular expression" : "string");
        }
        if (number) {
            parse_number(e);
        } else if (pattern) {
            parse_pattern(e);
        } else {
            e.value = now().value;
        }
        if (!failed()) {
            next();
        }
    }

    void parse_number(query::expression& e) {
        const std::string& text = now().value;
        if (text.find('.') != std::string::npos) {
            const std::optional<double> number = base::parse_number(text);
            if (!number) {
                return fail("Floating point parse error");
            }
            e.value = *number;
            if (e.subject.vxid) {
                fail_got("integer", 0);
            }
            return;
        }
        char* rest = nullptr;
        e.value = std::strtoll(text.c_str(), &rest, 0);
        while (base::is_space(*rest)) {
            ++rest;
        }
        if (*rest != '\0') {
            fail("Integer parse error");
        }
    }

    void parse_pattern(query::expression& e) {
        base::regex::compile_error wrong;
        std::shared_ptr<const base::regex> made = base::regex::compile(now().value, caseless_, wrong);
        if (made == nullptr) {
            return fail("Regular expression error: " + wrong.message, static_cast<int>(wrong.offset));
        }
        e.value = std::move(made);
    }

    std::string_view text_;
    std::vector<query_word> words_;
    bool caseless_;
    std::size_t at_ = 0;
    int tags_named_ = 0;
    int depth_ = 0;
    std::string error_;
};

} // namespace

parsed_query parse_query(std::string_view text, bool caseless) {
    query_words words = split_query(text);
    if (!words.error.empty()) {
        return {nullptr, std::move(words.error)};
    }
    return parser(text, std::move(words.words), caseless).run();
}

} // namespace clearcoat::logread
