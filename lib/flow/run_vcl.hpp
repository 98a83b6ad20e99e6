// Runs one built-in subroutine for a task with the records that belong to it: VCL_call before, VCL_return after.
// Belongs to the task. What is called may have to wait; then resume() goes on after the wakeup.
#pragma once

#include "vcl/vm/machine.hpp"

namespace clearcoat::tables {
struct main_counters;
}

namespace clearcoat::flow {

class task_host;

class vcl_run {
  public:
    /// Starts `which` of the host's program at time `now`. The outcome is pending or finished; a workspace overflow
    /// before the call counts as action::fail.
    vcl::outcome start(vcl::sub_id which, task_host& host, tables::main_counters& counters) noexcept;
    /// Goes on after a pending outcome.
    vcl::outcome resume(task_host& host, tables::main_counters& counters) noexcept;

  private:
    vcl::machine machine_;
};

} // namespace clearcoat::flow
