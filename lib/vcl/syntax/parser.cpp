#include "vcl/syntax/parser.hpp"

#include "vcl/syntax/lexer.hpp"
#include "vcl/syntax/source.hpp"

namespace clearcoat::vcl::syntax {

parser::parser(std::vector<token>& tokens, const surroundings& around, diagnostics& messages)
    : tokens_(tokens), around_(around), messages_(messages) {
    for (std::size_t i = 0; i < sub_count; ++i) {
        auto id = static_cast<sub_id>(i);
        sema::symbol& s = symbols_.declare(name_of(id), sema::symbol_kind::sub);
        s.type = vcl::type::sub;
        s.meaning = sema::meaning::handle;
        sub_node node;
        node.name = name_of(id);
        node.builtin = id;
        s.index = static_cast<std::uint32_t>(tree_.subs.size());
        tree_.subs.push_back(std::move(node));
        sema::procedure& p = procedures_.emplace_back();
        p.name_symbol = &s;
        p.builtin = id;
        p.index = s.index;
        by_symbol_[&s] = &p;
    }
    for (const std::string& name : around.request.storages) {
        sema::symbol& s = symbols_.declare("storage." + name, sema::symbol_kind::variable);
        s.type = vcl::type::stevedore;
        s.meaning = sema::meaning::storage;
        s.readable = tables::everywhere;
    }
    for (const std::string& name : around.request.labels) {
        symbols_.declare(name, sema::symbol_kind::label).readable = tables::in_recv;
    }
}

sema::procedure* parser::procedure_of(const sema::symbol& s) noexcept {
    auto found = by_symbol_.find(&s);
    return found == by_symbol_.end() ? nullptr : found->second;
}

bool parser::expect(kind k, unsigned line) {
    if (current().is(k)) {
        return true;
    }
    messages_.print("Expected {} got ", expected_name(k));
    messages_.token_name(current());
    messages_.print("\n(program line {}), at\n", line);
    messages_.where(current());
    return false;
}

bool parser::skip(kind k, unsigned line) {
    if (!expect(k, line)) {
        return false;
    }
    advance();
    return true;
}

bool parser::error_here(std::string_view text) {
    return error_at(current(), text);
}

bool parser::error_at(const token& t, std::string_view text) {
    messages_.print("{}", text);
    messages_.where(t);
    return false;
}

void parser::print_tokens(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
        messages_.print("{}", tokens_[i].text);
    }
}

bool parser::expect_identifier(std::string_view of_what) {
    if (!expect(kind::name)) {
        return false;
    }
    std::size_t end = at_ + 1;
    bool dotted = false;
    while (tokens_[end].is('.')) {
        dotted = true;
        ++end;
        if (!tokens_[end].is(kind::name)) {
            break;
        }
        ++end;
    }
    if (!dotted) {
        return true;
    }
    messages_.print("Name of {}, '", of_what);
    print_tokens(at_, end);
    messages_.print("', contains illegal character '.'\n");
    messages_.where(current(), tokens_[end - 1]);
    return false;
}

void parser::add_point(statement_list& into) {
    token& t = tokens_[at_];
    position p = cursor_.at(*t.from, t.begin());
    tree_.points.push_back({t.from->index, p.line, p.column});
    t.point = static_cast<std::uint32_t>(tree_.points.size());
    auto s = std::make_unique<statement>();
    s->what = statement_form::point;
    s->index = t.point;
    into.push_back(std::move(s));
}

} // namespace clearcoat::vcl::syntax
