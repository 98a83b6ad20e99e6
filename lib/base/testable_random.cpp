#include "base/testable_random.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <random>

namespace clearcoat::base {

namespace {

constexpr std::size_t degree = 31;
constexpr std::size_t distance = 3;
constexpr std::uint32_t modulus = 0x7fffffff;

class generator {
  public:
    generator() noexcept { start(std::random_device{}()); }

    void seed(std::uint32_t value) noexcept {
        std::lock_guard hold(mutex_);
        start(value);
    }

    std::uint32_t next() noexcept {
        std::lock_guard hold(mutex_);
        return step();
    }

  private:
    /// Park and Miller's minimal standard generator, shifted to the range 0 to 0x7ffffffd.
    static std::uint32_t next_state(std::uint32_t value) noexcept {
        const std::uint64_t x = value % (modulus - 1) + 1;
        return static_cast<std::uint32_t>(x * 16807 % modulus) - 1;
    }

    void start(std::uint32_t value) noexcept {
        state_[0] = value;
        for (std::size_t i = 1; i < degree; ++i) {
            state_[i] = next_state(state_[i - 1]);
        }
        back_ = 0;
        front_ = distance;
        for (std::size_t i = 0; i < 10 * degree; ++i) {
            step();
        }
    }

    std::uint32_t step() noexcept {
        state_[front_] += state_[back_];
        const std::uint32_t result = state_[front_] >> 1;
        front_ = (front_ + 1) % degree;
        back_ = (back_ + 1) % degree;
        return result;
    }

    std::mutex mutex_;
    std::array<std::uint32_t, degree> state_{};
    std::size_t front_ = distance;
    std::size_t back_ = 0;
};

generator& the_generator() noexcept {
    static generator instance;
    return instance;
}

} // namespace

void seed_testable_random(std::uint32_t seed) noexcept {
    the_generator().seed(seed);
}

std::uint32_t testable_random() noexcept {
    return the_generator().next();
}

double testable_random_real() noexcept {
    const double high = std::ldexp(static_cast<double>(testable_random()), -31);
    return high + std::ldexp(static_cast<double>(testable_random()), -62);
}

} // namespace clearcoat::base
