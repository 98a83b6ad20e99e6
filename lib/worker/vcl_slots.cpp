#include "worker/vcl_slots.hpp"

#include "base/panic.hpp"
#include "vcl/vm/environment.hpp"

#include <algorithm>
#include <fmt/core.h>

namespace clearcoat::worker {

namespace {

std::string failure(std::string text, const std::string& message) {
    if (!message.empty()) {
        text += "\nMessage:\n\t" + message;
    }
    return text;
}

} // namespace

vcl_slots::~vcl_slots() {
    clear();
}

flow::vcl_hold vcl_slots::hold_of(const vcl_slot& slot) noexcept {
    return {slot.lease_, slot.instance_.get()};
}

std::uint32_t vcl_slots::holds(const vcl_slot& slot) noexcept {
    if (!slot.lease_) {
        return 0;
    }
    const std::size_t by_modules = slot.surroundings_->environment().cold_holds().size();
    return static_cast<std::uint32_t>(slot.lease_.use_count() - 1) + static_cast<std::uint32_t>(by_modules);
}

flow::vcl_hold vcl_slots::by_label(std::string_view label) noexcept {
    const base::lock_guard lock(mutex_);
    const vcl_slot* slot = find(label);
    return slot != nullptr && slot->target_ != nullptr ? hold_of(*slot->target_) : flow::vcl_hold();
}

vcl_slots::place vcl_slots::active_place() noexcept {
    const base::lock_guard lock(mutex_);
    place out;
    out.generation = generation_.load(std::memory_order_relaxed);
    if (active_ != nullptr) {
        const vcl_slot& slot = active_->target_ != nullptr ? *active_->target_ : *active_;
        out.lease = slot.lease_;
        out.instance = slot.instance_.get();
    }
    return out;
}

flow::vcl_hold loop_vcl::active() noexcept {
    if (known_.generation != slots_.generation() || known_.instance == nullptr) {
        known_ = slots_.active_place();
    }
    std::shared_ptr<vcl_slot::lease> lease = known_.lease.lock();
    if (lease == nullptr) {
        // Destroyed since: the generation has moved on, the next look finds another.
        known_ = slots_.active_place();
        lease = known_.lease.lock();
    }
    return lease == nullptr ? flow::vcl_hold() : flow::vcl_hold(std::move(lease), known_.instance);
}

vcl_slot* vcl_slots::find(std::string_view name) const noexcept {
    if (name.empty()) {
        return active_;
    }
    const auto at = std::find_if(slots_.begin(), slots_.end(),
                                 [&](const auto& slot) { return !slot->discarded_ && slot->name_ == name; });
    return at == slots_.end() ? nullptr : at->get();
}

std::vector<vcl_slot*> vcl_slots::programs() const {
    std::vector<vcl_slot*> out;
    for (const auto& slot : slots_) {
        if (!slot->is_label()) {
            out.push_back(slot.get());
        }
    }
    return out;
}

std::string vcl_slots::load(const std::string& name, std::shared_ptr<const vcl::program> program,
                            std::string_view state) {
    auto slot = std::make_unique<vcl_slot>();
    slot->name_ = name;
    slot->surroundings_ = make_(name);
    slot->lease_ = std::make_shared<vcl_slot::lease>();
    std::string message;
    slot->instance_ = vcl::instance::create(name, std::move(program), slot->surroundings_->environment(), message);
    if (slot->instance_ == nullptr) {
        return failure(fmt::format("VCL \"{}\" Failed initialization", name), message);
    }
    if (message = change(*slot, state); !message.empty()) {
        return failure(fmt::format("VCL \"{}\" Failed warmup", name), message);
    }
    const base::lock_guard lock(mutex_);
    slots_.push_back(std::move(slot));
    return {};
}

void vcl_slots::cool(vcl_slot& slot) noexcept {
    using enum vcl_slot::temperature;
    if (slot.temperature_ == cold) {
        return;
    }
    if (holds(slot) > 0) {
        slot.temperature_ = busy;
        return;
    }
    vcl::environment& around = slot.surroundings_->environment();
    const bool was_warm = slot.is_warm();
    // Before the modules are told: what they may do then depends on it.
    slot.temperature_ = around.discard_holds().empty() ? cold : cooling;
    around.set_cold(slot.temperature_ == cold);
    if (was_warm) {
        slot.instance_->cool();
        slot.surroundings_->cool();
    }
}

std::string vcl_slots::warm(vcl_slot& slot) {
    using enum vcl_slot::temperature;
    if (slot.temperature_ == busy) {
        // It has not been cooled yet.
        slot.temperature_ = vcl_slot::temperature::warm;
    }
    if (slot.temperature_ == vcl_slot::temperature::warm) {
        return {};
    }
    vcl::environment& around = slot.surroundings_->environment();
    if (slot.temperature_ == cooling) {
        std::string message = fmt::format("VCL {} is waiting for:", slot.name_);
        for (const std::string& why : around.discard_holds().reasons()) {
            message += "\n\t- " + why;
        }
        return message;
    }
    std::string message;
    around.set_cold(false);
    if (!slot.instance_->warm(message)) {
        around.set_cold(true);
        slot.temperature_ = cold;
        return message.empty() ? "a module refuses" : message;
    }
    slot.surroundings_->warm();
    slot.temperature_ = vcl_slot::temperature::warm;
    return {};
}

std::string vcl_slots::change(vcl_slot& slot, std::string_view state) {
    std::string message;
    if (state.starts_with('1')) {
        message = warm(slot);
    } else {
        cool(slot);
    }
    if (message.empty() && state.size() > 1) {
        slot.state_ = state.substr(1);
    }
    return message;
}

std::string vcl_slots::set_state(std::string_view name, std::string_view state) {
    vcl_slot* slot = find(name);
    if (slot == nullptr) {
        return fmt::format("No VCL named '{}'", name);
    }
    if (slot->is_label()) {
        return {};
    }
    const std::string message = change(*slot, state);
    return message.empty() ? message : failure(fmt::format("Failed <vcl.state {} {}>", name, state.substr(1)), message);
}

std::string vcl_slots::use(std::string_view name) {
    vcl_slot* slot = find(name);
    if (slot == nullptr) {
        return fmt::format("No VCL named '{}'", name);
    }
    const base::lock_guard lock(mutex_);
    active_ = slot;
    generation_.fetch_add(1, std::memory_order_release);
    return {};
}

std::string vcl_slots::label(const std::string& name, std::string_view target) {
    vcl_slot* to = find(target);
    if (to == nullptr || to->is_label()) {
        return fmt::format("No VCL named '{}'", target);
    }
    const base::lock_guard lock(mutex_);
    vcl_slot* slot = find(name);
    if (slot == nullptr) {
        slot = slots_.emplace_back(std::make_unique<vcl_slot>()).get();
        slot->name_ = name;
        slot->state_ = "label";
        slot->temperature_ = vcl_slot::temperature::warm;
    } else if (slot->target_ != nullptr) {
        --slot->target_->labels_;
    }
    slot->target_ = to;
    ++to->labels_;
    generation_.fetch_add(1, std::memory_order_release);
    return {};
}

std::string vcl_slots::discard(std::string_view name) {
    vcl_slot* slot = find(name);
    if (slot == nullptr || slot == active_) {
        return fmt::format("Cannot discard '{}'", name);
    }
    if (!slot->is_label()) {
        {
            const base::lock_guard lock(mutex_);
            slot->discarded_ = true;
        }
        poll();
        return {};
    }
    const base::lock_guard lock(mutex_);
    --slot->target_->labels_;
    std::erase_if(slots_, [slot](const auto& each) { return each.get() == slot; });
    return {};
}

bool vcl_slots::try_destroy(vcl_slot& slot) {
    // A loop may turn its memory of the VCL into a hold until the last lease is gone; then nobody can any more.
    const std::weak_ptr<vcl_slot::lease> watch = slot.lease_;
    slot.lease_.reset();
    slot.lease_ = watch.lock();
    return slot.lease_ == nullptr;
}

void vcl_slots::poll() {
    using enum vcl_slot::temperature;
    std::vector<std::unique_ptr<vcl_slot>> dead;
    {
        const base::lock_guard lock(mutex_);
        for (auto& slot : slots_) {
            if (slot->temperature_ == busy || slot->temperature_ == cooling) {
                cool(*slot);
            }
            if (slot->discarded_ && slot->temperature_ == cold && try_destroy(*slot)) {
                dead.push_back(std::move(slot));
            }
        }
        std::erase(slots_, nullptr);
    }
    // vcl_fini and the modules run outside the lock.
    dead.clear();
}

void vcl_slots::clear() {
    std::vector<std::unique_ptr<vcl_slot>> all;
    {
        const base::lock_guard lock(mutex_);
        active_ = nullptr;
        all.swap(slots_);
        generation_.fetch_add(1, std::memory_order_release);
    }
    for (const auto& slot : all) {
        if (!slot->is_label() && slot->is_warm()) {
            slot->instance_->cool();
            slot->surroundings_->cool();
        }
    }
}

} // namespace clearcoat::worker
