// Strings: joining, conversions, matching and replacing. Results live in the task's workspace.
#include "base/ascii.hpp"
#include "base/date.hpp"
#include "base/text_pieces.hpp"
#include "tables/log_tags.hpp"
#include "vcl/vm/regsub.hpp"
#include "vcl/vm/scratch.hpp"
#include "vcl/vm/steps.hpp"
#include "vcl/vm/text_formats.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace clearcoat::vcl {

void steps::put_copy(machine& m, std::uint16_t r, std::string_view s) noexcept {
    std::string_view kept = m.task_->workspace().copy(s);
    if (kept.data() == nullptr) {
        return fail(m, "Workspace overflow");
    }
    put(m, r, kept);
}

void steps::join(machine& m, const instruction& i) noexcept {
    std::string_view undefined = i.d != 0 ? "(null)" : "";
    std::size_t size = 0;
    std::string_view only;
    for (std::uint16_t r = 0; r < i.c; ++r) {
        std::string_view part = text(m, static_cast<std::uint16_t>(i.b + r));
        part = part.data() == nullptr ? undefined : part;
        size += part.size();
        only = part.empty() ? only : part;
    }
    if (only.size() == size) {
        // At most one part says something; no copy is needed.
        return put(m, i.a, size == 0 ? std::string_view("") : only);
    }
    auto* place = static_cast<char*>(m.task_->workspace().allocate(size + 1, 1));
    if (place == nullptr) {
        return fail(m, "Workspace overflow");
    }
    char* end = place;
    for (std::uint16_t r = 0; r < i.c; ++r) {
        std::string_view part = text(m, static_cast<std::uint16_t>(i.b + r));
        part = part.data() == nullptr ? undefined : part;
        end = std::copy(part.begin(), part.end(), end);
    }
    *end = '\0';
    put(m, i.a, {place, size});
}

void steps::strands(machine& m, const instruction& i) noexcept {
    std::span<std::string_view> parts = scratch<std::string_view>(m.task_->workspace(), i.c);
    if (parts.size() != i.c) {
        return fail(m, "Workspace overflow");
    }
    for (std::uint16_t r = 0; r < i.c; ++r) {
        parts[r] = text(m, static_cast<std::uint16_t>(i.b + r));
    }
    value v;
    v.strands = {parts.data(), parts.size()};
    at(m, i.a) = v;
}

void steps::text_strands(machine& m, const instruction& i) noexcept {
    strand_list list = at(m, i.b).strands;
    std::size_t size = 0;
    for (std::size_t p = 0; p < list.count; ++p) {
        size += list.parts[p].size();
    }
    auto* place = static_cast<char*>(m.task_->workspace().allocate(size + 1, 1));
    if (place == nullptr) {
        return fail(m, "Workspace overflow");
    }
    char* end = place;
    for (std::size_t p = 0; p < list.count; ++p) {
        end = std::copy(list.parts[p].begin(), list.parts[p].end(), end);
    }
    *end = '\0';
    put(m, i.a, {place, size});
}

void steps::text_boolean(machine& m, const instruction& i) noexcept {
    put(m, i.a, at(m, i.b).boolean ? "true" : "false");
}

void steps::text_integer(machine& m, const instruction& i) noexcept {
    std::int64_t v = at(m, i.b).integer;
    if (v > largest_integer || v < -largest_integer) {
        char reason[80];
        auto end = fmt::format_to_n(reason, sizeof reason, "INT overflow converting to string ({:X})",
                                    static_cast<std::uint64_t>(v));
        return fail(m, {reason, std::min(end.size, sizeof reason)});
    }
    put_copy(m, i.a, base::digits(v).text());
}

void steps::text_real(machine& m, const instruction& i) noexcept {
    double v = at(m, i.b).real;
    char out[80];
    if (!(std::fabs(v) <= largest_real)) {
        auto end = fmt::format_to_n(out, sizeof out, "REAL overflow converting to string ({:e})", v);
        return fail(m, {out, std::min(end.size, sizeof out)});
    }
    auto end = fmt::format_to_n(out, sizeof out, "{:.3f}", v);
    put_copy(m, i.a, {out, end.size});
}

void steps::text_time(machine& m, const instruction& i) noexcept {
    std::array<char, base::date_size> room;
    std::string_view date = base::format_date(at(m, i.b).real, room);
    if (date.empty()) {
        return fail(m, "Unformatable VCL_TIME");
    }
    put_copy(m, i.a, date);
}

void steps::text_ip(machine& m, const instruction& i) noexcept {
    const base::ip_address* ip = at(m, i.b).ip;
    if (ip == nullptr) {
        return fail(m, "Illegal IP");
    }
    char out[64];
    put_copy(m, i.a, {out, format_ip(*ip, out)});
}

void steps::text_backend(machine& m, const instruction& i) noexcept {
    const director* d = at(m, i.b).backend;
    put(m, i.a, d == nullptr ? std::string_view() : std::string_view(d->name()));
}

void steps::text_acl(machine& m, const instruction& i) noexcept {
    const acl* a = at(m, i.b).acl;
    put(m, i.a, a == nullptr ? std::string_view() : std::string_view(a->name()));
}

void steps::text_storage(machine& m, const instruction& i) noexcept {
    const storage_handle* s = at(m, i.b).storage;
    if (s == nullptr) {
        return put(m, i.a, {});
    }
    const std::string_view copied = m.task_->workspace().copy("storage." + s->name());
    if (copied.data() == nullptr) {
        return fail(m, "Workspace overflow");
    }
    put(m, i.a, copied);
}

void steps::text_blob(machine& m, const instruction& i) noexcept {
    const blob* b = at(m, i.b).blob;
    if (b == nullptr) {
        return put(m, i.a, {});
    }
    std::size_t size = (b->bytes.size() + 2) / 3 * 4 + 2;
    auto* place = static_cast<char*>(m.task_->workspace().allocate(size + 1, 1));
    if (place == nullptr) {
        return fail(m, "Workspace overflow");
    }
    format_blob(b->bytes, place);
    put(m, i.a, {place, size});
}

void steps::change_case(machine& m, const instruction& i, bool up) noexcept {
    std::string_view v = text(m, i.b);
    auto changes = [up](char c) { return (up ? base::to_upper(c) : base::to_lower(c)) != c; };
    if (std::none_of(v.begin(), v.end(), changes)) {
        return put(m, i.a, v);
    }
    auto* place = static_cast<char*>(m.task_->workspace().allocate(v.size() + 1, 1));
    if (place == nullptr) {
        return fail(m, "Workspace overflow");
    }
    std::transform(v.begin(), v.end(), place, up ? base::to_upper : base::to_lower);
    place[v.size()] = '\0';
    put(m, i.a, {place, v.size()});
}

void steps::upper(machine& m, const instruction& i) noexcept {
    change_case(m, i, true);
}

void steps::lower(machine& m, const instruction& i) noexcept {
    change_case(m, i, false);
}

void steps::match_regex(machine& m, const instruction& i) noexcept {
    const base::regex* re = at(m, i.c).regex;
    if (re == nullptr) {
        return fail(m, "Regexp matching failed: no regular expression");
    }
    base::regex_verdict verdict = re->match(text(m, i.b), nullptr, m.task_->regex_limits());
    if (verdict == base::regex_verdict::error) {
        return fail(m, "Regexp matching failed: match limit exceeded");
    }
    at(m, i.a) = value::of((verdict == base::regex_verdict::match) == (i.d == 0));
}

void steps::match_acl(machine& m, const instruction& i) noexcept {
    const base::ip_address* ip = at(m, i.b).ip;
    const acl* a = at(m, i.c).acl;
    if (ip == nullptr || a == nullptr) {
        return fail(m, a == nullptr ? "Cannot match a null ACL" : "Cannot match a null IP address");
    }
    const acl::rule* rule = a->find(*ip);
    bool matched = rule != nullptr && !rule->negated;
    if (a->log()) {
        if (rule == nullptr) {
            m.task_->log().print(log_tag::VCL_acl, "NO_MATCH {}", a->name());
        } else {
            m.task_->log().print(log_tag::VCL_acl, "{}MATCH {} {}", rule->negated ? "NEG_" : "", a->name(),
                                 rule->written);
        }
    }
    at(m, i.a) = value::of(matched == (i.d == 0));
}

void steps::substitute(machine& m, const instruction& i) noexcept {
    std::string_view subject = text(m, i.b);
    const base::regex* re = at(m, static_cast<std::uint16_t>(i.b + 1)).regex;
    std::string_view replacement = text(m, static_cast<std::uint16_t>(i.b + 2));
    if (re == nullptr) {
        return fail(m, "regsub: no regular expression");
    }
    subject = subject.data() == nullptr ? std::string_view("") : subject;
    regsub_result r = regsub(m.task_->workspace(), *re, subject, replacement, i.d != 0, m.task_->regex_limits());
    if (r.failure != nullptr) {
        return fail(m, r.failure);
    }
    put(m, i.a, r.text);
}

} // namespace clearcoat::vcl
