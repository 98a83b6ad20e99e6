#include "flow/module_filter.hpp"

#include <algorithm>
#include <cstring>

namespace clearcoat::flow {

body::stage_step module_filter::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    body::stage_step step;
    // New input only when all that came of the last one is gone: a filter that makes much of little waits as others do.
    if (given_ == made_.size() && !ended_ && (last || !in.empty())) {
        made_.clear();
        given_ = 0;
        const std::string_view bytes(reinterpret_cast<const char*>(in.data()), in.size());
        if (!filter_->push(bytes, last, made_)) {
            failed_ = true;
            step.state = body::stage_state::failed;
            return step;
        }
        step.used = in.size();
        ended_ = last;
    }
    step.made = std::min(out.size(), made_.size() - given_);
    if (step.made != 0) {
        std::memcpy(out.data(), made_.data() + given_, step.made);
        given_ += step.made;
    }
    if (given_ < made_.size()) {
        step.state = body::stage_state::want_room;
    } else if (ended_) {
        step.state = body::stage_state::done;
    } else {
        step.state = step.used < in.size() ? body::stage_state::want_room : body::stage_state::want_input;
    }
    return step;
}

} // namespace clearcoat::flow
