// A backend as VCL sees it: something that picks, in the end, a place to fetch from. Concrete backends live in
// backend/, the policies that pick among others in vmod/directors. Directors are used by all loops at once: their state
// is atomic or under their own mutex.
#pragma once

#include "base/clock.hpp"

#include <atomic>
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
    /// By the director's own judgement. `task` is nullptr when the CLI asks.
    virtual health state(host* task) noexcept = 0;
    /// Whether state() can say anything but healthy; backend.list then prints "probe" in its admin column.
    virtual bool probed() const noexcept { return true; }

    /// What backend.set_health said.
    enum class admin_health : std::uint8_t { automatic, healthy, sick };
    admin_health admin() const noexcept { return admin_.load(std::memory_order_relaxed); }
    void set_admin(admin_health to, base::seconds now) noexcept {
        admin_.store(to, std::memory_order_relaxed);
        note_change(now);
    }
    /// What fetches, std.healthy() and other directors go by: the administrator's word where there is one, else
    /// state().
    health effective_state(host* task) noexcept {
        const admin_health said = admin();
        return said == admin_health::automatic ? state(task) : health{said == admin_health::healthy, changed()};
    }
    /// The last change of the effective state that was noticed (backend.list's last column).
    base::seconds changed() const noexcept { return changed_.load(std::memory_order_relaxed); }
    /// Keeps the latest.
    void note_change(base::seconds when) noexcept {
        if (when > changed()) {
            changed_.store(when, std::memory_order_relaxed);
        }
    }

    /// The next director to ask, down to a concrete backend, which gives itself; nullptr when none can be used.
    virtual director* resolve(host& task) noexcept = 0;
    /// Whether this is a concrete backend, the end of resolve().
    virtual bool concrete() const noexcept { return false; }

    /// What a director shows in backend.list:
    /// row: the columns Probe and Health ("1/2\thealthy"); details: what -p adds behind the row ("\n\n\tBackend\t...");
    /// json: the value of probe_message ("[1, 2, \"healthy\"]"); json_details: the value of probe_details with the
    /// comma and line end behind it ("{\n...},\n", its lines indented by two from the value on).
    enum class listing : std::uint8_t { row, details, json, json_details };
    virtual std::string list(listing form) = 0;
    /// The type column of `backend.list` ("probe", "round-robin", ...).
    virtual std::string_view kind() const noexcept = 0;

  private:
    std::string name_;
    std::atomic<admin_health> admin_{admin_health::automatic};
    std::atomic<base::seconds> changed_{0};
};

} // namespace clearcoat::vcl
