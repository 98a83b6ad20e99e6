// Data that modules keep for one task. Belongs to the task.
#pragma once

#include "vcl/vm/host.hpp"

#include <map>
#include <memory>

namespace clearcoat::flow {

class private_table {
  public:
    /// The owner's place, which stays where it is until end(); empty at first.
    std::unique_ptr<vcl::task_private>& slot(const void* owner) { return rows_[owner]; }
    /// Tells all data that `task` ends, in the order of the owners' addresses, and destroys it.
    void end(vcl::host& task) noexcept;

  private:
    std::map<const void*, std::unique_ptr<vcl::task_private>> rows_;
};

} // namespace clearcoat::flow
