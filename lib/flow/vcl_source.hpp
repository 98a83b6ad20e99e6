// Where tasks get the VCL they run: the active one, or the one a label points to. worker/ implements it for each loop.
// The reference that is handed out keeps the VCL loaded while the task lives.
#pragma once

#include "vcl/vm/instance.hpp"

#include <memory>
#include <string_view>

namespace clearcoat::flow {

using vcl_hold = std::shared_ptr<const vcl::instance>;

class vcl_source {
  public:
    /// Empty before the first vcl.use.
    virtual vcl_hold active() noexcept = 0;
    /// Empty when there is no such label.
    virtual vcl_hold by_label(std::string_view label) noexcept = 0;

  protected:
    ~vcl_source() = default;
};

} // namespace clearcoat::flow
