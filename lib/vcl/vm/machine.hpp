// Runs one built-in subroutine of an instance for one task. A machine lives in its task, belongs to the task's thread,
// and allocates from the host's workspace only. It logs VCL_trace; VCL_call and VCL_return are the task's.
#pragma once

#include "vcl/types.hpp"
#include "vcl/vm/host.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace clearcoat::vcl {

class instance;
struct instruction;
struct program_image;
struct subroutine;

/// How a subroutine ended, or that it waits.
struct outcome {
    enum class state : std::uint8_t { finished, pending };
    state what = state::finished;
    action result = action::none; // none: the VCL has no such subroutine, or its text ended without a return
    std::uint16_t status = 0;     // of synth and error; 0: `return (error)` without arguments
    std::string_view reason;      // of synth and error; data() is nullptr when none was given
    base::seconds duration = 0;   // of pass, when has_duration
    bool has_duration = false;
    std::string_view label; // of vcl: the label's name
};

class machine {
  public:
    /// Prepares to run `which` of `code`; both outlive the run. Forgets a run that did not finish.
    void start(const instance& code, sub_id which, host& task) noexcept;
    /// Runs until the subroutine ends or a host or module call has to wait. After `pending`, run() again when the task
    /// has what was waited for: the call that waited is made once more. A failure (host::fail) ends with action::fail.
    outcome run() noexcept;

    /// Whether a subroutine may be called by a value or a module now, and why not.
    enum class call_verdict : std::uint8_t { good, wrong_place, recursive, foreign };
    call_verdict may_call(const subroutine& sub) const noexcept;

    /// How deep user subroutines may nest; a call beyond fails.
    static constexpr std::size_t max_depth = 60;

  private:
    friend struct steps; // one function an instruction

    struct frame {
        const instruction* back;
        value* registers;
        const subroutine* sub;
    };
    static constexpr std::size_t own_register_count = 16;
    static constexpr std::size_t own_frame_count = 8;

    void end(action a) noexcept {
        end_.what = outcome::state::finished;
        end_.result = a;
        stopped_ = true;
    }
    value* more_registers(std::size_t count) noexcept;
    void enter(const subroutine& sub, value* registers) noexcept;

    const instance* code_ = nullptr;
    host* task_ = nullptr;
    const program_image* image_ = nullptr;
    const instruction* begin_ = nullptr; // of the code that runs: traced or quick
    const instruction* next_ = nullptr;
    value* registers_ = nullptr;
    frame* frames_ = nullptr;
    std::uint32_t depth_ = 0;
    std::uint32_t frame_room_ = 0;
    sub_id which_ = sub_id::recv;
    bool stopped_ = true;
    bool traced_ = false; // VCL_trace is wanted
    outcome end_;
    std::array<value, own_register_count> own_registers_;
    std::array<frame, own_frame_count> own_frames_;
};

/// The word of VCL_call records ("RECV", "BACKEND_FETCH").
std::string_view upper_name_of(sub_id s) noexcept;

} // namespace clearcoat::vcl
