// Arithmetic, comparisons and truth.
#include "vcl/vm/steps.hpp"

#include <compare>
#include <limits>

namespace clearcoat::vcl {

namespace {

/// Integers wrap around instead of trapping.
std::int64_t wrapped(std::uint64_t v) noexcept {
    return static_cast<std::int64_t>(v);
}

std::uint64_t bits(const value& v) noexcept {
    return static_cast<std::uint64_t>(v.integer);
}

} // namespace

void steps::truth_integer(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(at(m, i.b).integer != 0);
}

void steps::truth_duration(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(at(m, i.b).real > 0);
}

void steps::truth_backend(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(at(m, i.b).backend != nullptr);
}

void steps::truth_text(machine& m, const instruction& i) noexcept {
    bool defined = false;
    for (std::uint16_t r = 0; r < i.c; ++r) {
        defined = defined || text(m, static_cast<std::uint16_t>(i.b + r)).data() != nullptr;
    }
    at(m, i.a) = value::of(defined);
}

void steps::invert(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(!at(m, i.b).boolean);
}

void steps::add_integer(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_integer(wrapped(bits(at(m, i.b)) + bits(at(m, i.c))));
}

void steps::subtract_integer(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_integer(wrapped(bits(at(m, i.b)) - bits(at(m, i.c))));
}

void steps::multiply_integer(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_integer(wrapped(bits(at(m, i.b)) * bits(at(m, i.c))));
}

void steps::divide_integer(machine& m, const instruction& i) noexcept {
    std::int64_t by = at(m, i.c).integer;
    if (by == 0) {
        // DIFFERS: the reference's worker dies here.
        return fail(m, "Division by zero");
    }
    at(m, i.a) = value::of_integer(by == -1 ? wrapped(0 - bits(at(m, i.b))) : at(m, i.b).integer / by);
}

void steps::remainder_integer(machine& m, const instruction& i) noexcept {
    std::int64_t by = at(m, i.c).integer;
    if (by == 0) {
        return fail(m, "Division by zero");
    }
    at(m, i.a) = value::of_integer(by == -1 ? 0 : at(m, i.b).integer % by);
}

void steps::add_real(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_real(at(m, i.b).real + at(m, i.c).real);
}

void steps::subtract_real(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_real(at(m, i.b).real - at(m, i.c).real);
}

void steps::multiply_real(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_real(at(m, i.b).real * at(m, i.c).real);
}

void steps::divide_real(machine& m, const instruction& i) noexcept {
    double by = at(m, i.c).real;
    double of = at(m, i.b).real;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    at(m, i.a) = value::of_real(by != 0   ? of / by
                                : of == 0 ? std::numeric_limits<double>::quiet_NaN()
                                : of > 0  ? infinity
                                          : -infinity);
}

void steps::to_real(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_real(static_cast<double>(at(m, i.b).integer));
}

void steps::to_integer(machine& m, const instruction& i) noexcept {
    constexpr double limit = 9.2e18;
    double v = at(m, i.b).real;
    if (!(v > -limit && v < limit)) {
        return fail(m, "BYTES out of range");
    }
    at(m, i.a) = value::of_integer(static_cast<std::int64_t>(v));
}

void steps::negate_integer(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_integer(wrapped(0 - bits(at(m, i.b))));
}

void steps::negate_real(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of_real(-at(m, i.b).real);
}

template<class T>
bool steps::compared(comparison how, const T& a, const T& b) noexcept {
    switch (how) {
    case comparison::equal:
        return a == b;
    case comparison::not_equal:
        return a != b;
    case comparison::less:
        return a < b;
    case comparison::less_equal:
        return a <= b;
    case comparison::greater:
        return a > b;
    default:
        return a >= b;
    }
}

void steps::compare_integer(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(compared(static_cast<comparison>(i.d), at(m, i.b).integer, at(m, i.c).integer));
}

void steps::compare_real(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(compared(static_cast<comparison>(i.d), at(m, i.b).real, at(m, i.c).real));
}

void steps::compare_boolean(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(compared(static_cast<comparison>(i.d), at(m, i.b).boolean, at(m, i.c).boolean));
}

void steps::compare_pointer(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(compared(static_cast<comparison>(i.d), at(m, i.b).instance, at(m, i.c).instance));
}

void steps::compare_text(machine& m, const instruction& i) noexcept {
    std::string_view a = text(m, i.b);
    std::string_view b = text(m, i.c);
    // An undefined string equals nothing, not even another one, and where it takes part the left side counts as above.
    int order = a.data() == nullptr || b.data() == nullptr ? 1 : a.compare(b);
    at(m, i.a) = value::of(compared(static_cast<comparison>(i.d), order, 0));
}

void steps::compare_ip(machine& m, const instruction& i) noexcept {
    const base::ip_address* a = at(m, i.b).ip;
    const base::ip_address* b = at(m, i.c).ip;
    bool same = a == b || (a != nullptr && b != nullptr && a->kind == b->kind &&
                           std::equal(a->bytes.begin(), a->bytes.begin() + a->size(), b->bytes.begin()));
    at(m, i.a) = value::of(same == (static_cast<comparison>(i.d) == comparison::equal));
}

} // namespace clearcoat::vcl
