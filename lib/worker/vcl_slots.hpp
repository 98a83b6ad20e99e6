// The VCLs a worker has loaded. The control thread loads, warms, uses, labels and discards them; loops and fetches on
// any thread take references to the active one or to a label's target, and hold them while a task runs. A VCL dies only
// on the control thread, in poll(), when it was discarded, is cold and nobody holds it.
#pragma once

#include "base/clock.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clearcoat::vcl {
class environment;
class instance;
class program;
} // namespace clearcoat::vcl

namespace clearcoat::worker {

class vcl_slots;

/// A loaded VCL or a label.
class vcl_slot {
  public:
    enum class temperature : std::uint8_t { init, cold, warm, busy, cooling };

    const std::string& name() const noexcept { return name_; }
    /// The VCL; a label's is its target's.
    vcl::instance& program() const noexcept { return *instance_; }
    bool is_label() const noexcept { return target_ != nullptr; }

  private:
    friend class vcl_slots;
    friend class vcl_ref;
    std::string name_;
    std::string state_; // "auto", "warm", "cold" or "label"
    temperature temp_ = temperature::init;
    bool discarded_ = false;
    vcl_slot* target_ = nullptr; // labels only
    unsigned labels_ = 0;        // labels that point here
    std::unique_ptr<vcl::environment> environment_;
    std::unique_ptr<vcl::instance> owned_; // declared behind the environment: it goes first
    vcl::instance* instance_ = nullptr;
    std::atomic<std::uint32_t> busy_{0};
};

/// Keeps a VCL loaded. Move-only; may be dropped on any thread.
class vcl_ref {
  public:
    vcl_ref() = default;
    vcl_ref(vcl_ref&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
    vcl_ref& operator=(vcl_ref&& other) noexcept {
        reset();
        slot_ = std::exchange(other.slot_, nullptr);
        return *this;
    }
    ~vcl_ref() { reset(); }

    explicit operator bool() const noexcept { return slot_ != nullptr; }
    const vcl_slot& operator*() const noexcept { return *slot_; }
    const vcl_slot* operator->() const noexcept { return slot_; }
    /// Another reference to the same VCL.
    vcl_ref share() const noexcept;
    void reset() noexcept;

  private:
    friend class vcl_slots;
    explicit vcl_ref(vcl_slot* slot) noexcept : slot_(slot) {}
    vcl_slot* slot_ = nullptr;
};

class vcl_slots {
  public:
    /// Makes the environment a VCL's declarations go to (its backends); called on the control thread.
    using environment_maker = std::function<std::unique_ptr<vcl::environment>(const std::string& vcl_name)>;
    explicit vcl_slots(environment_maker make_environment);
    ~vcl_slots();
    vcl_slots(const vcl_slots&) = delete;
    vcl_slots& operator=(const vcl_slots&) = delete;

    // For loops, any thread.
    /// The active VCL; empty before the first `vcl.use`.
    vcl_ref active() noexcept;
    /// The VCL a label points to (return(vcl(label))); empty when there is none.
    vcl_ref by_label(std::string_view label) noexcept;
    /// Grows with each change of the active VCL: a loop that holds a reference compares it before each request, so that
    /// the common case takes no lock.
    std::uint64_t generation() const noexcept { return generation_.load(std::memory_order_acquire); }

    // For the control thread only. Each gives an empty string, or why it failed.
    /// `state` is "0" or "1" (cold, warm) followed by the state's name, as the manager sends it.
    std::string load(const std::string& name, std::shared_ptr<const vcl::program> program, std::string_view state);
    std::string set_state(std::string_view name, std::string_view state);
    std::string use(std::string_view name);
    std::string label(const std::string& name, std::string_view target);
    std::string discard(std::string_view name);
    /// Moves cooling VCLs on and destroys discarded ones that are free. Called before each command.
    void poll();
    /// Fails all VCLs over to nothing and destroys them, at the worker's end, when no loop runs any more.
    void clear();
    /// Counts for MAIN.n_vcl and its fellows.
    struct counts {
        std::uint64_t loaded, available, discarded;
    };
    counts count() const noexcept;

    /// What lists print.
    struct row {
        std::string_view name, state, temperature, status; // status: active, available, discarded
        std::uint32_t busy;
        std::string_view label_target; // labels only
        unsigned labels;
    };
    std::vector<row> rows() const;
    /// The slot of that name (labels give themselves), or the active one for an empty name; nullptr when none.
    vcl_slot* find(std::string_view name) const noexcept;
    /// All VCLs that are no labels, for backend.list and its fellows.
    std::vector<vcl_slot*> programs() const;
    vcl_slot* active_slot() const noexcept { return active_; }

  private:
    std::string change_temperature(vcl_slot& slot, bool warm);
    void destroy(vcl_slot& slot);

    environment_maker make_environment_;
    std::vector<std::unique_ptr<vcl_slot>> slots_; // changed on the control thread under mutex_
    std::atomic<std::uint64_t> generation_{0};
    std::mutex mutex_; // guards active_, slots_ as seen by loops, target_ of labels
    vcl_slot* active_ = nullptr;
};

/// A loop's own view of the active VCL: one reference that is renewed when another VCL became active.
class loop_vcl {
  public:
    explicit loop_vcl(vcl_slots& slots) noexcept : slots_(slots) {}
    /// A reference for one task; empty before the first `vcl.use`. Takes no lock unless the active VCL changed.
    vcl_ref take() noexcept;
    /// Drops the loop's own reference when it is no longer the active one, or always with `force` (at a loop's end), so
    /// that an idle loop does not keep an old VCL busy.
    void release_stale(bool force = false) noexcept;

  private:
    vcl_slots& slots_;
    vcl_ref cached_;
    std::uint64_t generation_ = 0;
};

} // namespace clearcoat::worker
