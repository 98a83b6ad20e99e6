// Module vsthrottle: rate limits by token buckets that all VCLs of the worker share. Periods count by the task's `now`.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"
#include "vmod/vsthrottle/buckets.hpp"

namespace clearcoat::vmod {

namespace {

throttle::bucket_table& buckets() {
    static throttle::bucket_table& table = *new throttle::bucket_table; // outlives every loop
    return table;
}

/// Arguments are (STRING key, INT limit, DURATION period, DURATION block) in every function.
throttle::rule rule_of(arguments args) noexcept {
    return {args[1].integer, args[2].real, args[3].real};
}

// is_denied()
vcl::value is_denied(vcl::call& c, arguments args) {
    return vcl::value::of(undefined(args[0]) || !buckets().take(args[0].string(), rule_of(args), c.task().now()));
}

// return_token()
vcl::value return_token(vcl::call& c, arguments args) {
    if (!undefined(args[0])) {
        buckets().put_back(args[0].string(), rule_of(args), c.task().now());
    }
    return no_value();
}

// remaining()
vcl::value remaining(vcl::call& c, arguments args) {
    return vcl::value::of_integer(
        undefined(args[0]) ? -1 : buckets().remaining(args[0].string(), rule_of(args), c.task().now()));
}

// blocked()
vcl::value blocked(vcl::call& c, arguments args) {
    return vcl::value::of_real(undefined(args[0]) ? -1
                                                  : buckets().blocked(args[0].string(), rule_of(args), c.task().now()));
}

// remove_bucket()
vcl::value remove_bucket(vcl::call&, arguments args) {
    if (!undefined(args[0])) {
        buckets().remove(args[0].string(), rule_of(args));
    }
    return no_value();
}

constexpr vcl::function_row functions[] = {
    {"BOOL is_denied(STRING key, INT limit, DURATION period, DURATION block=0)", is_denied},
    {"VOID return_token(STRING key, INT limit, DURATION period, DURATION block=0)", return_token},
    {"INT remaining(STRING key, INT limit, DURATION period, DURATION block=0)", remaining},
    {"DURATION blocked(STRING key, INT limit, DURATION period, DURATION block=0)", blocked},
    {"VOID remove_bucket(STRING key, INT limit, DURATION period, DURATION block=0)", remove_bucket},
};

} // namespace

const vcl::module_row vsthrottle_module{"vsthrottle", "rate limits", functions};

} // namespace clearcoat::vmod
