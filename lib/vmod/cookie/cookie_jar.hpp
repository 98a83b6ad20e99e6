// The cookies of one task, in their order. Texts live in the task's workspace.
#pragma once

#include "base/arena.hpp"
#include "vcl/vm/host.hpp"

#include <string_view>
#include <vector>

namespace clearcoat::vmod::cookies {

struct cookie {
    std::string_view name;
    std::string_view value;
};

class cookie_jar : public vcl::task_private {
  public:
    std::vector<cookie>& all() noexcept { return cookies_; }

    cookie* find(std::string_view name) noexcept;

    /// Replaces or adds; nothing happens to an empty name or value. false: the workspace is full.
    bool set(base::arena& workspace, std::string_view name, std::string_view value);

    /// Replaces all by what a Cookie header holds; `full` tells that the workspace was too small. The number of cookies
    /// in the header, empty ones included.
    int parse(base::arena& workspace, std::string_view header, bool& full);

    /// "a=1; b=2;"; data() is nullptr when the workspace is full.
    std::string_view text(base::arena& workspace) const;

  private:
    std::vector<cookie> cookies_;
};

} // namespace clearcoat::vmod::cookies
