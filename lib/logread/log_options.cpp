#include "logread/log_options.hpp"

#include "base/ascii.hpp"
#include "base/numbers.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

std::string complaint(char letter, std::string_view what, tag_verdict verdict) {
    switch (verdict) {
    case tag_verdict::none:
        return fmt::format("-{}: \"{}\" matches zero tags", letter, what);
    case tag_verdict::ambiguous:
        return fmt::format("-{}: \"{}\" is ambiguous", letter, what);
    default:
        return fmt::format("-{}: Syntax error in \"{}\"", letter, what);
    }
}

/// An integer as strtol(3) takes it, with what stands behind it.
struct scanned_integer {
    long value = 0;
    bool overflow = false;
    std::string_view rest;
};
scanned_integer scan_integer(const std::string& text) {
    errno = 0;
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 0);
    return {value, errno == ERANGE, std::string_view(text).substr(static_cast<std::size_t>(end - text.c_str()))};
}

} // namespace

log_options::verdict log_options::take(char letter, std::string_view argument, std::string& error) {
    switch (letter) {
    case 'b':
        backend = true;
        return verdict::taken;
    case 'c':
        client = true;
        return verdict::taken;
    case 'C':
        caseless = true;
        return verdict::taken;
    case 'E':
        esi = client = true;
        return verdict::taken;
    case 'v':
        verbose = true;
        return verdict::taken;
    case 'i':
    case 'x':
        return take_tags(letter, argument, error);
    case 'I':
    case 'X':
        return take_pattern(letter, argument, error);
    case 'L':
        return take_limit(argument, error);
    case 'R':
        return take_rate(argument, error);
    case 'T':
        return take_timeout(argument, error);
    default:
        return verdict::unknown;
    }
}

log_options::verdict log_options::take_tags(char letter, std::string_view list, std::string& error) {
    if (letter == 'i' && !selecting_) {
        hidden_.add_all();
    }
    selecting_ = true;
    tag_set named;
    const tag_verdict found = add_globs(list, named);
    if (found != tag_verdict::found) {
        error = complaint(letter, list, found);
        return verdict::wrong;
    }
    if (letter == 'x') {
        hidden_ |= named;
    } else {
        hidden_.remove(named);
    }
    return verdict::taken;
}

log_options::verdict log_options::take_pattern(char letter, std::string_view argument, std::string& error) {
    if (letter == 'I' && !selecting_) {
        hidden_.add_all();
    }
    selecting_ = true;
    pattern made;
    const std::size_t colon = argument.find(':');
    if (colon != std::string_view::npos) {
        const std::string_view list = argument.substr(0, colon);
        const tag_verdict found = add_globs(list, made.tags);
        if (found != tag_verdict::found) {
            error = complaint(letter, list, found);
            return verdict::wrong;
        }
        made.all_tags = false;
        argument.remove_prefix(colon + 1);
    }
    base::regex::compile_error wrong;
    made.expression = base::regex::compile(argument, caseless, wrong);
    if (made.expression == nullptr) {
        error = fmt::format("-{}: Regex error at position {} ({})", letter, wrong.offset, wrong.message);
        return verdict::wrong;
    }
    (letter == 'I' ? shown_patterns_ : hidden_patterns_).push_back(std::move(made));
    return verdict::taken;
}

log_options::verdict log_options::take_limit(std::string_view argument, std::string& error) {
    const std::string text(argument);
    const scanned_integer number = scan_integer(text);
    if (!base::trim_blanks(number.rest).empty()) {
        error = "-L: Syntax error";
        return verdict::wrong;
    }
    if (number.value <= 0 || number.value > INT_MAX) {
        error = "-L: Range error";
        return verdict::wrong;
    }
    limit = static_cast<unsigned>(number.value);
    return verdict::taken;
}

log_options::verdict log_options::take_rate(std::string_view argument, std::string& error) {
    constexpr std::size_t longest_period = 30;
    const std::string text(argument);
    const scanned_integer number = scan_integer(text);
    if (number.overflow || number.value <= 0 || number.value > INT_MAX) {
        error = "-R: Range error";
        return verdict::wrong;
    }
    rate = {static_cast<double>(number.value), 1};
    if (number.rest.empty()) {
        return verdict::taken;
    }
    std::string period(number.rest.substr(1));
    if (number.rest.front() != '/' || period.empty() || period.size() > longest_period) {
        error = "-R: Syntax error";
        return verdict::wrong;
    }
    if (!base::is_digit(period.front())) {
        period.insert(0, 1, '1');
    }
    const std::optional<base::seconds> span = base::parse_duration(period);
    if (!span || !(*span > 0)) {
        error = "-R: Syntax error: Invalid duration";
        return verdict::wrong;
    }
    rate.period = *span;
    return verdict::taken;
}

log_options::verdict log_options::take_timeout(std::string_view argument, std::string& error) {
    const std::optional<double> number = base::parse_number(argument);
    if (!number) {
        error = "-T: Syntax error";
        return verdict::wrong;
    }
    if (*number < 0) {
        error = "-T: Range error";
        return verdict::wrong;
    }
    timeout = *number;
    return verdict::taken;
}

bool log_options::matches(const std::vector<pattern>& patterns, record r) noexcept {
    for (const pattern& p : patterns) {
        // The reference matches the closing NUL too, so an expression that ends in '$' finds nothing there either.
        if ((p.all_tags || p.tags.has(r.tag())) && p.expression->match(r.bytes()) == base::regex_verdict::match) {
            return true;
        }
    }
    return false;
}

bool log_options::shows(record r) const noexcept {
    const log_tag tag = r.tag();
    if (tag == log_tag::bogus || tag >= log_tag::reserved) {
        return false;
    }
    if ((client && !r.client()) || (backend && !r.backend())) {
        return false;
    }
    if (!shown_patterns_.empty() && matches(shown_patterns_, r)) {
        return true;
    }
    if (!hidden_patterns_.empty() && matches(hidden_patterns_, r)) {
        return false;
    }
    return !hidden_.has(tag);
}

} // namespace clearcoat::logread
