// What a probe's results mean: the window of bits, the threshold, the average, and how they are printed. No I/O and no
// locking; health_probe guards it.
#pragma once

#include "vcl/vm/environment.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace clearcoat::backend {

/// The bits of one poke; each is kept for the last 64 pokes.
struct poke_bits {
    bool good_ipv4 = false;
    bool good_ipv6 = false;
    bool good_unix = false;
    bool err_xmit = false;
    bool good_xmit = false;
    bool err_recv = false;
    bool good_recv = false;
    bool happy = false;
};

/// One poke's result.
struct poke_result {
    poke_bits bits;
    base::seconds took = 0; // of a good response
    std::string response;   // the status line, or what went wrong
};

/// What the happy bit depends on: `line` is the response's first line (without its end).
bool response_matches(std::string_view line, std::uint32_t expected_status) noexcept;

class probe_state {
  public:
    /// Unset values of `spec` get the reference's defaults.
    explicit probe_state(const vcl::probe_spec& spec);

    const vcl::probe_spec& spec() const noexcept { return spec_; }
    /// Forgets everything and applies .initial.
    void reset() noexcept;
    void record(const poke_result& poke);

    bool healthy() const noexcept { return good_ >= spec_.threshold; }
    std::uint64_t happy_bits() const noexcept { return maps_[7]; }

    /// The Backend_health record; `changed` tells whether the health went over.
    std::string log_line(std::string_view name, bool changed) const;
    /// "5/8\thealthy" of backend.list; `sick` is the published state.
    std::string row(bool sick) const;
    /// The lines of backend.list -p.
    std::string details() const;
    /// "[5, 8, \"healthy\"]" and, for -p, the object behind "probe_details" with its comma.
    std::string json_row(bool sick) const;
    std::string json_details() const;

  private:
    void count_good() noexcept;

    vcl::probe_spec spec_;
    std::uint64_t maps_[8] = {}; // in the order of poke_bits
    std::uint32_t good_ = 0;
    base::seconds last_ = 0;
    base::seconds average_ = 0;
    double rate_ = 0;
    std::string response_;
};

} // namespace clearcoat::backend
