// The conversions of module std that its manual calls deprecated: two positional arguments, the second a fallback for
// what cannot be told in the result's type.
#include "vmod/std/functions.hpp"

#include <cmath>
#include <cstdint>

namespace clearcoat::vmod::standard {

namespace {

constexpr double max_integer = 999999999999999.;
constexpr double max_decimal = 999999999999.999;

/// `limit` also keeps infinities and what is no number out.
vcl::value rounded(double number, double limit, const vcl::value& fallback) {
    return std::abs(number) <= limit ? vcl::value::of_integer(std::llround(number)) : fallback;
}

vcl::value finite(const vcl::value& number, const vcl::value& fallback) {
    return std::isfinite(number.real) ? number : fallback;
}

} // namespace

vcl::value real2integer(vcl::call&, arguments args) {
    return rounded(args[0].real, max_decimal, args[1]);
}

vcl::value real2time(vcl::call&, arguments args) {
    return finite(args[0], args[1]);
}

vcl::value time2integer(vcl::call&, arguments args) {
    return rounded(args[0].real, max_integer, args[1]);
}

vcl::value time2real(vcl::call&, arguments args) {
    return finite(args[0], args[1]);
}

} // namespace clearcoat::vmod::standard
