// A module's own filter of bodies: what beresp.filters and resp.filters may name while a VCL that imports the module
// runs. One is made for each body and used by one task at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace clearcoat::vcl {

class host;

class body_filter {
  public:
    virtual ~body_filter() = default;
    /// Appends to `out` what becomes of `in`; `last`: nothing follows. False: the body cannot be had.
    virtual bool push(std::string_view in, bool last, std::string& out) noexcept = 0;
};

/// A row of a module's table.
struct filter_row {
    std::string_view name;
    /// nullptr: it cannot be had for this task.
    std::unique_ptr<body_filter> (*make)(host& task);
    bool for_fetch = true;
    bool for_delivery = true;
};

} // namespace clearcoat::vcl
