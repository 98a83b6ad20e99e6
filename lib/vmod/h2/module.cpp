// Module h2, which the reference has from 7.5 on: settings of an HTTP/2 session. The server speaks no HTTP/2 yet, so no
// session is one; what would change a session says so in the log and answers as it does outside of HTTP/2.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "tables/log_tags.hpp"

namespace clearcoat::vmod {

namespace {

void tell(const vcl::call& c, const char* function) {
    c.task().log().print(log_tag::Notice, "vmod_h2: {} has no effect: HTTP/2 is not supported by this version",
                         function);
}

vcl::value is(vcl::call&, arguments) {
    return vcl::value::of(false);
}

vcl::value rapid_reset(vcl::call& c, arguments) {
    tell(c, "rapid_reset()");
    return vcl::value::of_real(-1);
}

vcl::value rapid_reset_limit(vcl::call& c, arguments) {
    tell(c, "rapid_reset_limit()");
    return vcl::value::of_integer(-1);
}

vcl::value rapid_reset_period(vcl::call& c, arguments) {
    tell(c, "rapid_reset_period()");
    return vcl::value::of_real(-1);
}

vcl::value rapid_reset_budget(vcl::call& c, arguments) {
    tell(c, "rapid_reset_budget()");
    return vcl::value::of_real(-1);
}

constexpr vcl::function_row functions[] = {
    {"BOOL is()", is, vcl::client_subs},
    {"DURATION rapid_reset([DURATION threshold])", rapid_reset, vcl::client_subs},
    {"INT rapid_reset_limit([INT number])", rapid_reset_limit, vcl::client_subs},
    {"DURATION rapid_reset_period([DURATION duration])", rapid_reset_period, vcl::client_subs},
    {"REAL rapid_reset_budget()", rapid_reset_budget, vcl::client_subs},
};

} // namespace

const vcl::module_row h2_module{"h2", "settings of an HTTP/2 session", functions};

} // namespace clearcoat::vmod
