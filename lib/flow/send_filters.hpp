// What bereq.filters makes of a request's body on its way to the backend. Belongs to the fetch; made anew for each
// sending.
#pragma once

#include "base/arena.hpp"
#include "body/pipeline.hpp"
#include "body/stage.hpp"
#include "http/head.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {
class host;
}

namespace clearcoat::flow {

class send_filters {
  public:
    /// Makes the filters of `list` (names between blanks, in the order of the flow): gunzip, which steps aside for a
    /// body that is no gzip stream, and those of the modules of `task`. What comes out of them has no known length, and
    /// `bereq` says so. False: error() tells why.
    bool build(std::string_view list, http::head& bereq, base::arena& memory, vcl::host& task);
    /// nullptr: the body goes out as it is.
    body::stage* stage() noexcept { return pipeline_ ? &*pipeline_ : nullptr; }
    const std::string& error() const noexcept { return error_; }

  private:
    bool add(std::string_view name, http::head& bereq, vcl::host& task);
    bool add_gunzip(http::head& bereq);

    std::vector<std::unique_ptr<body::stage>> stages_;
    std::optional<body::pipeline> pipeline_;
    bool was_gzip_ = false; // before an earlier sending took the field away
    std::string error_;
};

} // namespace clearcoat::flow
