// The machine's instructions as functions, one each, found by opcode. Private to vm/.
#pragma once

#include "vcl/code/image.hpp"
#include "vcl/code/instruction.hpp"
#include "vcl/vm/instance_state.hpp"
#include "vcl/vm/machine.hpp"

#include <string_view>

namespace clearcoat::vcl {

struct steps {
    using step = void (*)(machine& m, const instruction& i) noexcept;

#define CLEARCOAT_VCL_STEP(name, operands) static void name(machine& m, const instruction& i) noexcept;
    CLEARCOAT_VCL_OPCODES(CLEARCOAT_VCL_STEP)
#undef CLEARCOAT_VCL_STEP

    static const step table[];

  private:
    static value& at(machine& m, std::uint16_t r) noexcept {
        return m.registers_[r];
    }
    static std::string_view text(machine& m, std::uint16_t r) noexcept {
        return m.registers_[r].string();
    }
    static void put(machine& m, std::uint16_t r, std::string_view s) noexcept {
        m.registers_[r] = value::of(s);
    }
    static void put_copy(machine& m, std::uint16_t r, std::string_view s) noexcept;
    /// Ends with action::fail after the reason was given to the task.
    static void fail(machine& m, std::string_view reason) noexcept;
    /// Ends with action::fail when the task failed meanwhile.
    static void check(machine& m) noexcept {
        if (m.task_->failed()) {
            m.end(action::fail);
        }
    }
    static void call_dynamically(machine& m, const subroutine* sub) noexcept;
    static bool checked_status(machine& m, std::int64_t status) noexcept;
    static void change_case(machine& m, const instruction& i, bool up) noexcept;
    template<class T>
    static bool compared(comparison how, const T& a, const T& b) noexcept;
    static module_object* object_of(machine& m, const native_site& site) noexcept;
    static vcl::call::place place_of(machine& m, const native_site& site, std::uint32_t number) noexcept;
};

} // namespace clearcoat::vcl
