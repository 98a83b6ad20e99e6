#include "base/clock.hpp"

#include <ctime>

namespace clearcoat::base {

namespace {

seconds read(clockid_t id) noexcept {
    timespec ts{};
    ::clock_gettime(id, &ts);
    return static_cast<seconds>(ts.tv_sec) + 1e-9 * static_cast<seconds>(ts.tv_nsec);
}

class system_clock_type final : public clock {
  public:
    seconds real() const noexcept override { return read(CLOCK_REALTIME); }
    seconds monotonic() const noexcept override { return read(CLOCK_MONOTONIC); }
};

} // namespace

const clock& system_clock() noexcept {
    static const system_clock_type instance;
    return instance;
}

} // namespace clearcoat::base
