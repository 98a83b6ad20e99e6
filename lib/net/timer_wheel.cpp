#include "net/timer_wheel.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace clearcoat::net {

namespace {

// An entry lies on the level of the highest digit in which its tick differs from the current one, in that digit's slot.
// So every entry of a level is later than all of the level below, and a level's earliest is its lowest occupied slot.
constexpr std::uint64_t farthest = (std::uint64_t{1} << 36) - 1;
constexpr double rounding = 1e-6; // ticks; hides what (start + n * length - start) / length loses

} // namespace

timer_wheel::timer_wheel(base::seconds now) noexcept : start_(now) {}

std::uint64_t timer_wheel::tick_of(base::seconds at) const noexcept {
    const double ticks = std::ceil((at - start_) / tick_length - rounding);
    if (!(ticks > 0)) {
        return 0;
    }
    return ticks >= static_cast<double>(farthest) ? farthest : static_cast<std::uint64_t>(ticks);
}

void timer_wheel::arm(timer_entry& entry, base::seconds deadline) noexcept {
    entry.unlink();
    if (deadline == std::numeric_limits<base::seconds>::infinity()) {
        return;
    }
    const std::uint64_t tick = tick_of(deadline);
    entry.tick_ = tick > current_ ? tick : current_ + 1;
    place(entry);
}

void timer_wheel::place(timer_entry& entry) noexcept {
    const std::uint64_t difference = entry.tick_ ^ current_;
    const unsigned level = static_cast<unsigned>(std::bit_width(difference | 1) - 1) / bits;
    const unsigned slot = static_cast<unsigned>(entry.tick_ >> (level * bits)) & (slots - 1);
    wheel_[level][slot].push_back(entry);
    occupied_[level] |= std::uint64_t{1} << slot;
}

std::uint64_t timer_wheel::next_tick() const noexcept {
    for (unsigned level = 0; level < levels; ++level) {
        if (occupied_[level] != 0) {
            const auto slot = static_cast<std::uint64_t>(std::countr_zero(occupied_[level]));
            const std::uint64_t above = current_ >> ((level + 1) * bits) << ((level + 1) * bits);
            return above | slot << (level * bits);
        }
    }
    return std::numeric_limits<std::uint64_t>::max();
}

base::seconds timer_wheel::next() const noexcept {
    const std::uint64_t tick = next_tick();
    return tick == std::numeric_limits<std::uint64_t>::max() ? std::numeric_limits<base::seconds>::infinity()
                                                             : start_ + static_cast<double>(tick) * tick_length;
}

bool timer_wheel::empty() const noexcept {
    return next_tick() == std::numeric_limits<std::uint64_t>::max();
}

void timer_wheel::cascade(unsigned level) noexcept {
    const unsigned slot = static_cast<unsigned>(current_ >> (level * bits)) & (slots - 1);
    occupied_[level] &= ~(std::uint64_t{1} << slot);
    while (timer_entry* entry = wheel_[level][slot].pop_front()) {
        place(*entry);
    }
}

std::size_t timer_wheel::fire(unsigned slot) noexcept {
    std::size_t fired = 0;
    occupied_[0] &= ~(std::uint64_t{1} << slot);
    while (timer_entry* entry = wheel_[0][slot].pop_front()) {
        ++fired;
        entry->expired();
    }
    return fired;
}

timer_entry* timer_wheel::take_any() noexcept {
    for (auto& level : wheel_) {
        for (slot_list& slot : level) {
            if (timer_entry* entry = slot.pop_front()) {
                return entry;
            }
        }
    }
    return nullptr;
}

std::size_t timer_wheel::advance(base::seconds now) noexcept {
    const double ticks = std::floor((now - start_) / tick_length + rounding);
    const std::uint64_t target = ticks > 0 ? static_cast<std::uint64_t>(ticks) : 0;
    std::size_t fired = 0;
    while (current_ < target) {
        const std::uint64_t next = next_tick();
        if (next > target) {
            current_ = target;
            break;
        }
        current_ = next;
        for (unsigned level = levels - 1; level > 0; --level) {
            if ((current_ & ((std::uint64_t{1} << (level * bits)) - 1)) == 0) {
                cascade(level);
            }
        }
        fired += fire(static_cast<unsigned>(current_) & (slots - 1));
    }
    return fired;
}

} // namespace clearcoat::net
