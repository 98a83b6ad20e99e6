#include "tables/close_reasons.hpp"

#include <array>

namespace clearcoat::tables {
namespace {

struct row {
    std::string_view name;
    std::string_view text;
    bool error;
    std::uint64_t main_counters::*counter;
};

constexpr row rows[] = {
    {"NULL", "Not Closing", false, nullptr},
#define CLEARCOAT_CLOSE_REASON(name, counter, is_error, text) {#name, text, is_error, &main_counters::sc_##counter},
#include "tables/close_reasons.def"
};

const row& row_of(close_reason reason) noexcept {
    return rows[static_cast<unsigned>(reason)];
}

} // namespace

std::string_view name_of(close_reason reason) noexcept {
    return row_of(reason).name;
}

std::string_view text_of(close_reason reason) noexcept {
    return row_of(reason).text;
}

bool is_error(close_reason reason) noexcept {
    return row_of(reason).error;
}

void count_close(main_counters& counters, close_reason reason) noexcept {
    const row& r = row_of(reason);
    ++counters.sess_closed;
    if (r.error) {
        ++counters.sess_closed_err;
    }
    if (r.counter != nullptr) {
        ++(counters.*r.counter);
    }
}

} // namespace clearcoat::tables
