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

/// How a subroutine ended, or that it waits.
struct outcome {
    enum class state : std::uint8_t { finished, pending };
    state what = state::finished;
    action result = action::none;
    std::uint16_t status = 0;    // of synth and error; 0: `return (error)` without arguments
    std::string_view reason;     // of synth, error and fail; data() is nullptr when none was given
    base::seconds duration = -1; // of pass; negative when none was given
    std::string_view label;      // of vcl: the label's name
};

class machine {
  public:
    /// Prepares to run `which` of `code`; both outlive the run. Forgets a run that did not finish.
    void start(const instance& code, sub_id which, host& task) noexcept;
    /// Runs until the subroutine ends or a host or module call has to wait. After `pending`, run() again when the task
    /// has what was waited for: the call that waited is made once more. A failure (host::fail) ends with action::fail.
    outcome run() noexcept;

    /// How deep user subroutines may nest: the checker refuses more (recursion is refused anyway).
    static constexpr std::size_t max_depth = 32;

  private:
    friend struct machine_steps; // vm/steps_*.cpp: one function an instruction

    static constexpr std::size_t own_registers = 16;

    const instance* code_ = nullptr;
    host* task_ = nullptr;
    const program_image* image_ = nullptr;
    const instruction* next_ = nullptr;
    value* registers_ = nullptr;
    sub_id which_ = sub_id::recv;
    std::uint8_t depth_ = 0;
    bool waiting_ = false;
    bool ended_ = false;
    outcome end_;
    std::array<value, own_registers> own_;
    const instruction** returns_ = nullptr; // in the workspace; nullptr until a call nests
    std::uint64_t busy_subs_ = 0;
};

/// The word of VCL_call records ("RECV", "BACKEND_FETCH").
std::string_view upper_name_of(sub_id s) noexcept;

} // namespace clearcoat::vcl
