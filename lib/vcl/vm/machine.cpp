#include "vcl/vm/machine.hpp"

#include "tables/log_tags.hpp"
#include "vcl/vm/scratch.hpp"
#include "vcl/vm/steps.hpp"

#include <algorithm>

namespace clearcoat::vcl {

const steps::step steps::table[] = {
#define CLEARCOAT_VCL_STEP(name, operands) &steps::name,
    CLEARCOAT_VCL_OPCODES(CLEARCOAT_VCL_STEP)
#undef CLEARCOAT_VCL_STEP
};

value* machine::more_registers(std::size_t count) noexcept {
    std::span<value> fresh = scratch<value>(task_->workspace(), count);
    if (fresh.empty()) {
        task_->fail("Workspace overflow");
        end(action::fail);
        return nullptr;
    }
    return fresh.data();
}

void machine::enter(const subroutine& sub, value* registers) noexcept {
    if (depth_ == frame_room_) {
        std::uint32_t room = std::min<std::uint32_t>(frame_room_ * 2, max_depth);
        std::span<frame> more = room > depth_ ? scratch<frame>(task_->workspace(), room) : std::span<frame>();
        if (more.empty()) {
            task_->fail(room > depth_ ? "Workspace overflow" : "Subroutines are nested too deep");
            return end(action::fail);
        }
        std::copy(frames_, frames_ + depth_, more.begin());
        frames_ = more.data();
        frame_room_ = room;
    }
    frames_[depth_++] = {next_, registers_, &sub};
    registers_ = registers;
    next_ = begin_ + (traced_ ? sub.entry : sub.quick_entry);
}

void machine::start(const instance& code, sub_id which, host& task) noexcept {
    code_ = &code;
    task_ = &task;
    image_ = &code.code().image();
    which_ = which;
    traced_ = task.log().wants(log_tag::VCL_trace) && task.traces();
    begin_ = traced_ ? image_->code.data() : image_->quick.data();
    end_ = {};
    frames_ = own_frames_.data();
    frame_room_ = own_frame_count;
    depth_ = 0;
    const subroutine* sub = image_->builtins[static_cast<std::size_t>(which)];
    stopped_ = sub == nullptr;
    if (stopped_) {
        return;
    }
    registers_ = own_registers_.data();
    if (sub->registers > own_register_count) {
        registers_ = more_registers(sub->registers);
    }
    enter(*sub, registers_);
}

outcome machine::run() noexcept {
    if (end_.what == outcome::state::pending) {
        end_ = {};
        stopped_ = false;
    }
    while (!stopped_) {
        const instruction& i = *next_++;
        steps::table[static_cast<std::size_t>(i.op)](*this, i);
    }
    return end_;
}

} // namespace clearcoat::vcl
