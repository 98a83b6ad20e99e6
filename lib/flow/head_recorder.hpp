// Writes the log records of changes to one message's head: ReqHeader, BereqUnset, BerespStatus, ... Belongs to the task
// whose log it writes; the head refers to it.
#pragma once

#include "base/log.hpp"
#include "http/head.hpp"
#include "tables/counters.hpp"
#include "vcl/types.hpp"

namespace clearcoat::flow {

class head_recorder final : public http::head_listener {
  public:
    /// All outlive the recorder. `workspace` is marked overflowed when a field is lost.
    head_recorder(vcl::message which, base::log_writer& log, base::arena& workspace,
                  tables::main_counters& counters) noexcept
        : log_(&log), workspace_(&workspace), counters_(&counters) {
        pose_as(which);
    }

    void head_changed(http::head_part part, std::string_view text) noexcept override;
    void fields_reported(std::span<const http::field> fields) noexcept override;
    /// Records from now on under another message's tags: what goes into the cache is logged as ObjHeader.
    void pose_as(vcl::message which) noexcept;

  private:
    base::log_writer* log_;
    base::arena* workspace_;
    tables::main_counters* counters_;
    vcl::message which_;
    std::uint8_t first_tag_; // of a method; the other parts' follow in their order
};

} // namespace clearcoat::flow
