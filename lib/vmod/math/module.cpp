// Module math: the functions of the C library's math.h under their names. Errors give what C gives: NaN, infinity, 0.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <string>

namespace clearcoat::vmod {

namespace {

int isfinite_(double x) noexcept {
    return std::isfinite(x) ? 1 : 0;
}
int isinf_(double x) noexcept {
    return std::isinf(x) ? 1 : 0;
}
int isnan_(double x) noexcept {
    return std::isnan(x) ? 1 : 0;
}
int isnormal_(double x) noexcept {
    return std::isnormal(x) ? 1 : 0;
}
int signbit_(double x) noexcept {
    return std::signbit(x) ? 1 : 0;
}
int isgreater_(double x, double y) noexcept {
    return std::isgreater(x, y) ? 1 : 0;
}
int isgreaterequal_(double x, double y) noexcept {
    return std::isgreaterequal(x, y) ? 1 : 0;
}
int isless_(double x, double y) noexcept {
    return std::isless(x, y) ? 1 : 0;
}
int islessequal_(double x, double y) noexcept {
    return std::islessequal(x, y) ? 1 : 0;
}
int islessgreater_(double x, double y) noexcept {
    return std::islessgreater(x, y) ? 1 : 0;
}
int isunordered_(double x, double y) noexcept {
    return std::isunordered(x, y) ? 1 : 0;
}

int fpclassify_(double x) noexcept {
    return std::fpclassify(x);
}

template<double (*F)(double) noexcept>
vcl::value real_of(vcl::call&, arguments args) {
    return vcl::value::of_real(F(args[0].real));
}

template<double (*F)(double, double) noexcept>
vcl::value real_of_two(vcl::call&, arguments args) {
    return vcl::value::of_real(F(args[0].real, args[1].real));
}

template<int (*F)(double) noexcept>
vcl::value test(vcl::call&, arguments args) {
    return vcl::value::of_integer(F(args[0].real));
}

template<int (*F)(double, double) noexcept>
vcl::value test_two(vcl::call&, arguments args) {
    return vcl::value::of_integer(F(args[0].real, args[1].real));
}

template<int (*F)(double) noexcept>
vcl::value int_of(vcl::call&, arguments args) {
    return vcl::value::of_integer(F(args[0].real));
}

template<long (*F)(double) noexcept>
vcl::value long_of(vcl::call&, arguments args) {
    return vcl::value::of_integer(F(args[0].real));
}

int small(std::int64_t n) noexcept {
    return static_cast<int>(std::clamp<std::int64_t>(n, INT_MIN, INT_MAX));
}

template<double (*F)(int, double) noexcept>
vcl::value bessel(vcl::call&, arguments args) {
    return vcl::value::of_real(F(small(args[0].integer), args[1].real));
}

template<double (*F)(double, int) noexcept>
vcl::value scaled(vcl::call&, arguments args) {
    return vcl::value::of_real(F(args[0].real, small(args[1].integer)));
}

vcl::value fused(vcl::call&, arguments args) {
    return vcl::value::of_real(std::fma(args[0].real, args[1].real, args[2].real));
}

vcl::value not_a_number(vcl::call&, arguments args) {
    return vcl::value::of_real(std::nan(std::string(args[0].string()).c_str()));
}

// approx(REAL a, REAL b, REAL maxDiff, REAL maxRelDiff)
vcl::value approx(vcl::call&, arguments args) {
    const double difference = std::fabs(args[0].real - args[1].real);
    const double greatest = std::max(std::fabs(args[0].real), std::fabs(args[1].real));
    return vcl::value::of(difference <= args[2].real || difference <= greatest * args[3].real);
}

/// "%", digits of a precision, and one letter: what strfromd(3) takes.
bool is_format(std::string_view f) noexcept {
    if (f.size() < 2 || f.front() != '%' || std::string_view("aAeEfFgG").find(f.back()) == std::string_view::npos) {
        return false;
    }
    const std::string_view middle = f.substr(1, f.size() - 2);
    return middle.empty() || (middle.front() == '.' && middle.size() <= 4 &&
                              std::all_of(middle.begin() + 1, middle.end(), base::is_digit));
}

// strfromd(STRING format, REAL fp)
vcl::value strfromd(vcl::call& c, arguments args) {
    if (!is_format(args[0].string())) {
        c.fail("math.strfromd(): the format must be like %.3f");
        return no_value();
    }
    std::array<char, 1536> room; // 309 digits before the point and 999 behind it
    const int size = ::strfromd(room.data(), room.size(), std::string(args[0].string()).c_str(), args[1].real);
    return workspace_text(c, {room.data(), std::min(static_cast<std::size_t>(size), room.size() - 1)});
}

struct constant_row {
    std::string_view name;
    double value;
};

constexpr constant_row constants[] = {
    {"M_E", M_E},
    {"M_LOG2E", M_LOG2E},
    {"M_LOG10E", M_LOG10E},
    {"M_LN2", M_LN2},
    {"M_LN10", M_LN10},
    {"M_PI", M_PI},
    {"M_PI_2", M_PI_2},
    {"M_PI_4", M_PI_4},
    {"M_1_PI", M_1_PI},
    {"M_2_PI", M_2_PI},
    {"M_2_SQRTPI", M_2_SQRTPI},
    {"M_SQRT2", M_SQRT2},
    {"M_SQRT1_2", M_SQRT1_2},
    {"HUGE_VAL", HUGE_VAL},
    {"INFINITY", INFINITY},
    {"NAN", NAN},
};

vcl::value constant(vcl::call&, arguments args) {
    for (const constant_row& row : constants) {
        if (row.name == args[0].string()) {
            return vcl::value::of_real(row.value);
        }
    }
    return vcl::value::of_real(NAN);
}

vcl::value fpclass(vcl::call&, arguments args) {
    constexpr std::pair<std::string_view, int> classes[] = {{"FP_INFINITE", FP_INFINITE},
                                                            {"FP_NAN", FP_NAN},
                                                            {"FP_NORMAL", FP_NORMAL},
                                                            {"FP_SUBNORMAL", FP_SUBNORMAL},
                                                            {"FP_ZERO", FP_ZERO}};
    for (const auto& [name, number] : classes) {
        if (name == args[0].string()) {
            return vcl::value::of_integer(number);
        }
    }
    return vcl::value::of_integer(-1);
}

constexpr vcl::function_row functions[] = {
    {"REAL acos(REAL x)", real_of<&::acos>},
    {"REAL acosh(REAL x)", real_of<&::acosh>},
    {"BOOL approx(REAL a, REAL b, REAL maxDiff, REAL maxRelDiff)", approx},
    {"REAL asin(REAL x)", real_of<&::asin>},
    {"REAL asinh(REAL x)", real_of<&::asinh>},
    {"REAL atan(REAL x)", real_of<&::atan>},
    {"REAL atan2(REAL y, REAL x)", real_of_two<&::atan2>},
    {"REAL atanh(REAL x)", real_of<&::atanh>},
    {"REAL cbrt(REAL x)", real_of<&::cbrt>},
    {"REAL ceil(REAL x)", real_of<&::ceil>},
    {"REAL constant(ENUM {M_E, M_LOG2E, M_LOG10E, M_LN2, M_LN10, M_PI, M_PI_2, M_PI_4, M_1_PI, M_2_PI, M_2_SQRTPI, "
     "M_SQRT2, M_SQRT1_2, HUGE_VAL, INFINITY, NAN} name)",
     constant},
    {"REAL copysign(REAL x, REAL y)", real_of_two<&::copysign>},
    {"REAL cos(REAL x)", real_of<&::cos>},
    {"REAL cosh(REAL x)", real_of<&::cosh>},
    {"REAL erf(REAL x)", real_of<&::erf>},
    {"REAL erfc(REAL x)", real_of<&::erfc>},
    {"REAL exp(REAL x)", real_of<&::exp>},
    {"REAL exp2(REAL x)", real_of<&::exp2>},
    {"REAL expm1(REAL x)", real_of<&::expm1>},
    {"REAL fabs(REAL x)", real_of<&::fabs>},
    {"REAL fdim(REAL x, REAL y)", real_of_two<&::fdim>},
    {"REAL floor(REAL x)", real_of<&::floor>},
    {"REAL fma(REAL x, REAL y, REAL z)", fused},
    {"REAL fmax(REAL x, REAL y)", real_of_two<&::fmax>},
    {"REAL fmin(REAL x, REAL y)", real_of_two<&::fmin>},
    {"REAL fmod(REAL x, REAL y)", real_of_two<&::fmod>},
    {"INT fpclass(ENUM {FP_INFINITE, FP_NAN, FP_NORMAL, FP_SUBNORMAL, FP_ZERO} name)", fpclass},
    {"INT fpclassify(REAL x)", test<&fpclassify_>},
    {"REAL hypot(REAL x, REAL y)", real_of_two<&::hypot>},
    {"INT ilogb(REAL x)", int_of<&::ilogb>},
    {"INT isfinite(REAL x)", test<&isfinite_>},
    {"INT isgreater(REAL x, REAL y)", test_two<&isgreater_>},
    {"INT isgreaterequal(REAL x, REAL y)", test_two<&isgreaterequal_>},
    {"INT isinf(REAL x)", test<&isinf_>},
    {"INT isless(REAL x, REAL y)", test_two<&isless_>},
    {"INT islessequal(REAL x, REAL y)", test_two<&islessequal_>},
    {"INT islessgreater(REAL x, REAL y)", test_two<&islessgreater_>},
    {"INT isnan(REAL x)", test<&isnan_>},
    {"INT isnormal(REAL x)", test<&isnormal_>},
    {"INT isunordered(REAL x, REAL y)", test_two<&isunordered_>},
    {"REAL j0(REAL x)", real_of<&::j0>},
    {"REAL j1(REAL x)", real_of<&::j1>},
    {"REAL jn(INT x, REAL y)", bessel<&::jn>},
    {"REAL ldexp(REAL x, INT e)", scaled<&::ldexp>},
    {"REAL lgamma(REAL x)", real_of<&::lgamma>},
    {"REAL log(REAL x)", real_of<&::log>},
    {"REAL log10(REAL x)", real_of<&::log10>},
    {"REAL log1p(REAL x)", real_of<&::log1p>},
    {"REAL log2(REAL x)", real_of<&::log2>},
    {"REAL logb(REAL x)", real_of<&::logb>},
    {"INT lrint(REAL x)", long_of<&::lrint>},
    {"INT lround(REAL x)", long_of<&::lround>},
    {"REAL nan(STRING tag)", not_a_number},
    {"REAL nearbyint(REAL x)", real_of<&::nearbyint>},
    {"REAL nextafter(REAL x, REAL y)", real_of_two<&::nextafter>},
    {"REAL pow(REAL x, REAL y)", real_of_two<&::pow>},
    {"REAL remainder(REAL x, REAL y)", real_of_two<&::remainder>},
    {"REAL rint(REAL x)", real_of<&::rint>},
    {"REAL round(REAL x)", real_of<&::round>},
    {"REAL scalbn(REAL x, INT n)", scaled<&::scalbn>},
    {"INT signbit(REAL x)", test<&signbit_>},
    {"REAL sin(REAL x)", real_of<&::sin>},
    {"REAL sinh(REAL x)", real_of<&::sinh>},
    {"REAL sqrt(REAL x)", real_of<&::sqrt>},
    {"STRING strfromd(STRING format, REAL fp)", strfromd},
    {"REAL tan(REAL x)", real_of<&::tan>},
    {"REAL tanh(REAL x)", real_of<&::tanh>},
    {"REAL tgamma(REAL x)", real_of<&::tgamma>},
    {"REAL trunc(REAL x)", real_of<&::trunc>},
    {"REAL y0(REAL x)", real_of<&::y0>},
    {"REAL y1(REAL x)", real_of<&::y1>},
    {"REAL yn(INT x, REAL y)", bessel<&::yn>},
};

} // namespace

const vcl::module_row math_module{"math", "the functions of math.h", functions};

} // namespace clearcoat::vmod
