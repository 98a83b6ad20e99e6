// Module cookie: vmod_cookie(3). All functions work on the task's jar.
#include "vmod/cookie/cookie_jar.hpp"
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "base/ascii.hpp"
#include "base/date.hpp"
#include "tables/log_tags.hpp"

#include <algorithm>
#include <array>

namespace clearcoat::vmod {

namespace {

using cookies::cookie;
using cookies::cookie_jar;

const char jar_key = 0;

cookie_jar& jar(const vcl::call& c) {
    return task_data<cookie_jar>(c, &jar_key);
}

vcl::value clean(vcl::call& c, arguments) {
    jar(c).all().clear();
    return no_value();
}

vcl::value parse(vcl::call& c, arguments args) {
    if (args[0].string().empty()) {
        c.task().log().write(log_tag::Debug, "cookie: nothing to parse");
        return no_value();
    }
    bool full = false;
    const int count = jar(c).parse(c.workspace(), args[0].string(), full);
    if (full) {
        c.task().log().write(log_tag::Error, "cookie: unable to get storage for cookie");
    }
    c.task().log().print(log_tag::Debug, "cookie: parsed {} cookies.", count);
    return no_value();
}

vcl::value set(vcl::call& c, arguments args) {
    if (!jar(c).set(c.workspace(), args[0].string(), args[1].string())) {
        c.task().log().write(log_tag::Error, "cookie: Workspace overflow in set()");
    }
    return no_value();
}

vcl::value isset(vcl::call& c, arguments args) {
    return vcl::value::of(jar(c).find(args[0].string()) != nullptr);
}

vcl::value get(vcl::call& c, arguments args) {
    const cookie* found = jar(c).find(args[0].string());
    return found == nullptr ? no_value() : text_value(found->value);
}

bool matches(const base::regex& expression, std::string_view name) {
    return expression.match(name) == base::regex_verdict::match;
}

vcl::value get_re(vcl::call& c, arguments args) {
    for (const cookie& one : jar(c).all()) {
        c.task().log().print(log_tag::Debug, "cookie: checking {}", one.name);
        if (matches(*args[0].regex, one.name)) {
            return text_value(one.value);
        }
    }
    return no_value();
}

vcl::value remove(vcl::call& c, arguments args) {
    if (const cookie* found = jar(c).find(args[0].string())) {
        jar(c).all().erase(jar(c).all().begin() + (found - jar(c).all().data()));
    }
    return no_value();
}

/// Whether a comma-separated list has the name; blanks before an entry do not count, those behind it do.
bool listed(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        std::string_view entry = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), entry.size() + 1));
        while (!entry.empty() && base::is_space(entry.front())) {
            entry.remove_prefix(1);
        }
        if (!entry.empty() && entry == name) {
            return true;
        }
    }
    return false;
}

vcl::value filter(vcl::call& c, arguments args) {
    std::erase_if(jar(c).all(), [list = args[0].string()](const cookie& one) { return listed(list, one.name); });
    return no_value();
}

vcl::value keep(vcl::call& c, arguments args) {
    std::erase_if(jar(c).all(), [list = args[0].string()](const cookie& one) { return !listed(list, one.name); });
    return no_value();
}

void remove_where(vcl::call& c, const base::regex& expression, bool matching) {
    std::erase_if(jar(c).all(), [&](const cookie& one) {
        if (matches(expression, one.name) != matching) {
            return false;
        }
        c.task().log().print(log_tag::Debug, "Removing {}cookie {} (value: {})", matching ? "matching " : "", one.name,
                             one.value);
        return true;
    });
}

vcl::value filter_re(vcl::call& c, arguments args) {
    remove_where(c, *args[0].regex, true);
    return no_value();
}

vcl::value keep_re(vcl::call& c, arguments args) {
    remove_where(c, *args[0].regex, false);
    return no_value();
}

vcl::value get_string(vcl::call& c, arguments) {
    const std::string_view text = jar(c).text(c.workspace());
    if (text.data() == nullptr) {
        c.task().log().write(log_tag::Error, "cookie: Workspace overflow");
    }
    return text_value(text);
}

vcl::value format_date(vcl::call& c, arguments args) {
    std::array<char, base::date_size> room;
    const std::string_view text = base::format_date(args[0].real + args[1].real, room);
    return text.empty() ? no_value() : workspace_text(c, text);
}

constexpr vcl::function_row functions[] = {
    {"VOID clean(PRIV_TASK)", clean},
    {"VOID delete(PRIV_TASK, STRING cookiename)", remove},
    {"VOID filter(PRIV_TASK, STRING filterstring)", filter},
    {"VOID filter_re(PRIV_TASK, REGEX expression)", filter_re},
    {"VOID keep(PRIV_TASK, STRING filterstring)", keep},
    {"VOID keep_re(PRIV_TASK, REGEX expression)", keep_re},
    {"STRING format_date(TIME now, DURATION timedelta)", format_date},
    {"STRING format_rfc1123(TIME now, DURATION timedelta)", format_date}, // the name of old
    {"STRING get(PRIV_TASK, STRING cookiename)", get},
    {"STRING get_re(PRIV_TASK, REGEX expression)", get_re},
    {"STRING get_string(PRIV_TASK)", get_string},
    {"BOOL isset(PRIV_TASK, STRING cookiename)", isset},
    {"VOID parse(PRIV_TASK, STRING cookieheader)", parse},
    {"VOID set(PRIV_TASK, STRING cookiename, STRING value)", set},
};

} // namespace

const vcl::module_row cookie_module{"cookie", "taking cookies apart and putting them together", functions};

} // namespace clearcoat::vmod
