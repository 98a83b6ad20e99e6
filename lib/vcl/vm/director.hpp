// A backend as VCL sees it: something that picks, in the end, a place to fetch from. Concrete backends live in
// backend/, the policies that pick among others in vmod/directors. Directors are used by all loops at once: their state
// is atomic or under their own mutex.
#pragma once

#include "base/clock.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {

class host;

class director {
  public:
    explicit director(std::string name) : name_(std::move(name)) {}
    virtual ~director() = default;
    director(const director&) = delete;
    director& operator=(const director&) = delete;

    /// The name in VCL ("default", "vdir"); the log and backend.list print it behind "vclname.".
    const std::string& name() const noexcept { return name_; }

    /// Whether a fetch may be tried, and since when that is so (seconds since the epoch).
    struct health {
        bool healthy = true;
        base::seconds changed = 0;
    };
    /// `task` is nullptr when the CLI asks.
    virtual health state(host* task) noexcept = 0;

    /// The next director to ask, down to a concrete backend, which gives itself; nullptr when none can be used.
    virtual director* resolve(host& task) noexcept = 0;
    /// Whether this is a concrete backend, the end of resolve().
    virtual bool concrete() const noexcept { return false; }

    /// What a director shows in backend.list: a row's columns, the table of -p (`details`), or JSON.
    enum class listing : std::uint8_t { row, details, json };
    virtual std::string list(listing form) = 0;
    /// The type column of `backend.list` ("probe", "round-robin", ...).
    virtual std::string_view kind() const noexcept = 0;

  private:
    std::string name_;
};

} // namespace clearcoat::vcl
