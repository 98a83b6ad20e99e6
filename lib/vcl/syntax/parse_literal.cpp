// Literals that need more than their token: strings as addresses and regexes, numbers with units, blobs; and regsub.
#include "vcl/syntax/parser.hpp"

#include "base/numbers.hpp"
#include "vcl/syntax/address.hpp"

#include <cmath>

namespace clearcoat::vcl::syntax {

namespace {

using enum vcl::type;

/// Bytes in a unit ("KB", "m"); 0 for none of that name.
double bytes_in(std::string_view unit) noexcept {
    double scale = 0;
    if (unit.empty() || unit.size() > 2 || (unit.size() == 2 && unit[1] != 'b' && unit[1] != 'B')) {
        return 0;
    }
    constexpr std::string_view letters = "bkmgtp";
    std::size_t power = letters.find(static_cast<char>(unit[0] | 0x20));
    if (power != std::string_view::npos) {
        scale = std::exp2(10. * static_cast<double>(power));
    }
    return scale;
}

} // namespace

bool parser::duration_unit(double& scale) {
    if (std::optional<base::seconds> unit = base::scale_duration(1, current().text)) {
        scale = *unit;
        advance();
        return true;
    }
    messages_.print("Unknown duration unit ");
    messages_.token_name(current());
    return error_here("\nLegal duration units are 'ms', 's', 'm', 'h', 'd', 'w' and 'y'\n");
}

bool parser::bytes_value(std::int64_t& into) {
    if (!current().is(kind::real) && !expect(kind::integer)) {
        return false;
    }
    double number = current().number;
    advance();
    if (!current().is(kind::name)) {
        messages_.print("Expected BYTES unit (B, KB, MB...) got ");
        messages_.token_name(current());
        return error_here("\n");
    }
    double scale = bytes_in(current().text);
    bool fraction = scale == 1 && number != std::floor(number);
    if (scale == 0 || fraction) {
        messages_.print("{}",
                        fraction ? "Fractional BYTES not allowed" : "Unknown BYTES unit of measurement ([KMGTP][B])");
        messages_.token_name(current());
        return error_here("");
    }
    advance();
    double size = std::trunc(number * scale);
    if (size >= 9223372036854775807.) {
        return error_at(previous(), "Too many BYTES\n");
    }
    into = static_cast<std::int64_t>(size);
    return true;
}

expression_ptr parser::parse_number(vcl::type wanted, bool negative) {
    auto e = std::make_unique<expression>();
    e->constant = true;
    if (wanted == bytes) {
        e->what = form::integer;
        e->type = bytes;
        return bytes_value(e->integer) ? std::move(e) : nullptr;
    }
    const token& number = current();
    advance();
    double value = negative ? -number.number : number.number;
    if (current().is(kind::name)) {
        double scale = 1;
        if (!duration_unit(scale)) {
            return nullptr;
        }
        e->what = form::real;
        e->type = duration;
        e->number = value * scale;
    } else if (wanted == real || number.is(kind::real)) {
        e->what = form::real;
        e->type = real;
        e->number = value;
    } else {
        e->what = form::integer;
        e->type = integer;
        e->integer = static_cast<std::int64_t>(value);
    }
    return e;
}

expression_ptr parser::parse_string(vcl::type wanted) {
    if (wanted == regex) {
        return parse_regex();
    }
    if (wanted == ip) {
        return parse_ip();
    }
    auto e = std::make_unique<expression>();
    e->what = form::text;
    e->type = string;
    e->text = current().string;
    e->literal = true;
    e->constant = true;
    e->written = &current();
    advance();
    return e;
}

expression_ptr parser::parse_ip() {
    const token& t = current();
    if (t.string.starts_with('/')) {
        messages_.print("Cannot convert to an IP address: ");
        messages_.token_name(t);
        messages_.where(t);
        return nullptr;
    }
    std::vector<base::ip_address> found;
    if (!lookup_addresses(t.string, t, "IP constant", 1, found)) {
        return nullptr;
    }
    auto e = std::make_unique<expression>();
    e->what = form::ip;
    e->type = ip;
    e->ip = found.front();
    e->written = &t;
    advance();
    return e;
}

expression_ptr parser::parse_regex() {
    std::size_t first = at_;
    std::string pattern(current().string);
    while (peek().is('+')) {
        advance();
        advance();
        if (!expect(kind::string)) {
            return nullptr;
        }
        pattern += current().string;
    }
    auto e = std::make_unique<expression>();
    e->what = form::regex;
    e->type = regex;
    e->constant = true;
    e->written = &current();
    auto known = regex_index_.find(pattern);
    if (known == regex_index_.end()) {
        base::regex::compile_error error;
        auto compiled = base::regex::compile(pattern, false, error, around_.request.options.jit);
        if (compiled == nullptr) {
            messages_.print("Regexp compilation error:\n\n{}\n\n", error.message);
            messages_.where(tokens_[first], previous());
            return nullptr;
        }
        known = regex_index_.emplace(pattern, static_cast<std::uint32_t>(tree_.regexes.size())).first;
        tree_.regexes.push_back(std::move(compiled));
    }
    e->index = known->second;
    advance();
    return e;
}

expression_ptr parser::parse_blob() {
    auto e = std::make_unique<expression>();
    e->what = form::blob;
    e->type = blob;
    e->text = current().string;
    e->written = &current();
    advance();
    return e;
}

expression_ptr parser::parse_substitution(bool all) {
    auto e = std::make_unique<expression>();
    e->what = form::substitute;
    e->type = string;
    e->all = all;
    if (!skip('(')) {
        return nullptr;
    }
    for (vcl::type t : {string, regex, string}) {
        if (!e->parts.empty() && !skip(',')) {
            return nullptr;
        }
        expression_ptr part = parse_typed(t);
        if (part == nullptr) {
            return nullptr;
        }
        e->parts.push_back(std::move(part));
    }
    return skip(')') ? std::move(e) : nullptr;
}

bool parser::lookup_addresses(std::string_view written, const token& place, std::string_view what, unsigned most,
                              std::vector<base::ip_address>& found) {
    std::string error;
    host_and_port target;
    if (split_host_port(written, target, error)) {
        if (target.host.empty() && (written.starts_with(':') || written.starts_with(' '))) {
            target.host = "localhost"; // as getaddrinfo() takes a port alone
        }
        found = around_.names.lookup(target.host, target.port.empty() ? "80" : target.port, error);
    }
    if (!error.empty()) {
        messages_.print("{} '{}' could not be resolved to an IP address:\n\t{}\n"
                        "(Sorry if that error message is gibberish.)\n",
                        what, place.text, error);
        messages_.where(place);
        return false;
    }
    if (found.empty()) {
        messages_.print("{} '{}': resolves to neither IPv4 nor IPv6 addresses.\n", what, place.text);
        messages_.where(place);
        return false;
    }
    unsigned of_kind[2] = {};
    for (const base::ip_address& a : found) {
        ++of_kind[a.kind == base::ip_address::family::v6];
    }
    if (of_kind[0] > 1 || of_kind[1] > 1 || found.size() > most) {
        messages_.print("{} {}: resolves to too many addresses.\nOnly one IPv4 {} IPv6 are allowed.\n"
                        "Please specify which exact address you want to use, we found all of these:\n",
                        what, place.text, most > 1 ? "and one" : "or");
        for (const base::ip_address& a : found) {
            messages_.print("\t{}:{}\n", base::to_string(a), a.port);
        }
        messages_.where(place);
        return false;
    }
    return true;
}

} // namespace clearcoat::vcl::syntax
