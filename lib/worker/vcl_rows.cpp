// What lists say about the loaded VCLs.
#include "worker/vcl_slots.hpp"

#include "vcl/vm/program.hpp"

#include <algorithm>

namespace clearcoat::worker {

namespace {

std::string_view text_of(vcl_slot::temperature t) noexcept {
    switch (t) {
    case vcl_slot::temperature::init:
        return "init";
    case vcl_slot::temperature::cold:
        return "cold";
    case vcl_slot::temperature::warm:
        return "warm";
    case vcl_slot::temperature::busy:
        return "busy";
    case vcl_slot::temperature::cooling:
        break;
    }
    return "cooling";
}

} // namespace

vcl_slots::counts vcl_slots::count() const noexcept {
    counts out{};
    for (const auto& slot : slots_) {
        if (!slot->is_label()) {
            ++out.loaded;
            ++(slot->discarded_ ? out.discarded : out.available);
        }
    }
    return out;
}

unsigned vcl_slots::users_of(std::string_view label) const {
    unsigned count = 0;
    for (const auto& slot : slots_) {
        if (!slot->is_label()) {
            const auto& labels = slot->program().code().labels();
            count += std::find(labels.begin(), labels.end(), label) != labels.end() ? 1 : 0;
        }
    }
    return count;
}

std::vector<vcl_slots::row> vcl_slots::rows() const {
    std::vector<row> out;
    for (const auto& slot : slots_) {
        const std::string_view status = slot.get() == active_ ? "active" : slot->discarded_ ? "discarded" : "available";
        out.push_back({status, slot->state_, text_of(slot->temperature_), slot->name_, holds(*slot),
                       slot->is_label() ? std::string_view(slot->target_->name_) : std::string_view(), slot->labels_,
                       slot->is_label() ? users_of(slot->name_) : 0});
    }
    return out;
}

} // namespace clearcoat::worker
