// The VCLs a worker has loaded. The control thread loads, warms, uses, labels and discards them; loops on any thread
// get holds on the active one or on a label's target, and tasks keep them while they run. A VCL dies only on the
// control thread, in poll(), when it was discarded, is cold and nobody holds it.
#pragma once

#include "flow/vcl_source.hpp"

#include "base/counted_mutex.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {
class environment;
class instance;
class program;
} // namespace clearcoat::vcl

namespace clearcoat::worker {

/// What a VCL's declarations become: its backends. Made for each VCL, outlives its instance. Control thread.
class vcl_surroundings {
  public:
    virtual ~vcl_surroundings() = default;
    virtual vcl::environment& environment() noexcept = 0;
    /// Probes run while the VCL is warm.
    virtual void warm() = 0;
    virtual void cool() = 0;
};

/// A loaded VCL or a label.
class vcl_slot {
  public:
    enum class temperature : std::uint8_t { init, cold, warm, busy, cooling };

    const std::string& name() const noexcept { return name_; }
    bool is_label() const noexcept { return target_ != nullptr; }
    /// The VCL, a label's being its target's.
    const vcl::instance& program() const noexcept { return target_ != nullptr ? *target_->instance_ : *instance_; }
    /// nullptr for labels.
    vcl_surroundings* surroundings() const noexcept { return surroundings_.get(); }
    bool is_warm() const noexcept { return temperature_ == temperature::warm || temperature_ == temperature::busy; }

  private:
    friend class vcl_slots;
    friend class loop_vcl;
    struct lease {};
    std::string name_;
    std::string state_; // "auto", "warm", "cold" or "label"
    temperature temperature_ = temperature::init;
    bool discarded_ = false;
    vcl_slot* target_ = nullptr;
    unsigned labels_ = 0; // that point here
    std::unique_ptr<vcl_surroundings> surroundings_;
    std::shared_ptr<vcl::instance> instance_; // behind its surroundings: it goes first
    std::shared_ptr<lease> lease_;            // what holds share; one is the slot's own
};

class vcl_slots {
  public:
    using surroundings_maker = std::function<std::unique_ptr<vcl_surroundings>(const std::string& vcl_name)>;
    explicit vcl_slots(surroundings_maker make) : make_(std::move(make)) {}
    ~vcl_slots();
    vcl_slots(const vcl_slots&) = delete;
    vcl_slots& operator=(const vcl_slots&) = delete;

    // Any thread.
    /// Grows with each change of the active VCL.
    std::uint64_t generation() const noexcept { return generation_.load(std::memory_order_acquire); }
    base::lock_totals locks() const noexcept { return mutex_.totals(); }
    /// The VCL a label points to; empty when there is none.
    flow::vcl_hold by_label(std::string_view label) noexcept EXCLUDES(mutex_);

    // Control thread only. Each gives an empty string, or why it failed.
    /// `state` is "0" or "1" (cold, warm) and the state's name, as the manager sends it.
    std::string load(const std::string& name, std::shared_ptr<const vcl::program> program, std::string_view state);
    std::string set_state(std::string_view name, std::string_view state);
    std::string use(std::string_view name);
    std::string label(const std::string& name, std::string_view target);
    std::string discard(std::string_view name);
    /// Moves cooling VCLs on and destroys discarded ones that are free. Called before each command.
    void poll();
    /// Destroys them all, at the worker's end, when no loop runs any more.
    void clear();

    struct counts {
        std::uint64_t loaded, available, discarded;
    };
    counts count() const noexcept;

    /// What lists print.
    struct row {
        std::string_view status; // active, available, discarded
        std::string_view state, temperature, name;
        std::uint32_t busy;
        std::string_view label_target; // labels only
        unsigned labels;
        unsigned users; // of a label: VCLs that use it in return (vcl(...))
    };
    std::vector<row> rows() const;
    /// The slot of that name that is not discarded, or the active one for an empty name; nullptr when none.
    vcl_slot* find(std::string_view name) const noexcept;
    /// All VCLs that are no labels, in their order, for backend.list and its fellows.
    std::vector<vcl_slot*> programs() const;
    vcl_slot* active_slot() const noexcept { return active_; }

  private:
    friend class loop_vcl;
    struct place {
        std::weak_ptr<vcl_slot::lease> lease;
        const vcl::instance* instance = nullptr;
        std::uint64_t generation = 0;
    };
    place active_place() noexcept EXCLUDES(mutex_);
    static flow::vcl_hold hold_of(const vcl_slot& slot) noexcept;
    static std::uint32_t holds(const vcl_slot& slot) noexcept;
    std::string change(vcl_slot& slot, std::string_view state);
    static void cool(vcl_slot& slot) noexcept;
    std::string warm(vcl_slot& slot);
    unsigned users_of(std::string_view label) const;
    bool try_destroy(vcl_slot& slot);

    surroundings_maker make_;
    std::atomic<std::uint64_t> generation_{0};
    base::counted_mutex mutex_; // taken by the control thread to change what loops read: slots_, active_, targets
    std::vector<std::unique_ptr<vcl_slot>> slots_;
    vcl_slot* active_ = nullptr;
};

/// A loop's way to the VCLs: remembers the active one without keeping it busy. One for each loop, used on its thread.
class loop_vcl final : public flow::vcl_source {
  public:
    explicit loop_vcl(vcl_slots& slots) noexcept : slots_(slots) {}
    /// Takes no lock unless the active VCL changed.
    flow::vcl_hold active() noexcept override;
    flow::vcl_hold by_label(std::string_view label) noexcept override { return slots_.by_label(label); }

  private:
    vcl_slots& slots_;
    vcl_slots::place known_;
};

} // namespace clearcoat::worker
