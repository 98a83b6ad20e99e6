// A module's body filter as a stage: the filter gives as much as it likes, the stage hands it on as there is room.
// Belongs to the task.
#pragma once

#include "body/stage.hpp"
#include "vcl/vm/body_filter.hpp"

#include <memory>
#include <string>

namespace clearcoat::flow {

class module_filter final : public body::stage {
  public:
    /// `row` outlives the stage.
    module_filter(const vcl::filter_row& row, std::unique_ptr<vcl::body_filter> filter) noexcept
        : row_(row), filter_(std::move(filter)) {}

    body::stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    std::string_view error() const noexcept override { return failed_ ? "a module's filter failed" : ""; }
    std::string_view name() const noexcept override { return row_.name; }

  private:
    const vcl::filter_row& row_;
    std::unique_ptr<vcl::body_filter> filter_;
    std::string made_;
    std::size_t given_ = 0; // of made_
    bool ended_ = false;
    bool failed_ = false;
};

} // namespace clearcoat::flow
