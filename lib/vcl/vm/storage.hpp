// A storage as VCL sees it: STEVEDORE. The worker's storages implement it; any thread may ask.
#pragma once

#include <cstdint>
#include <string>

namespace clearcoat::vcl {

class storage_handle {
  public:
    virtual ~storage_handle() = default;
    virtual const std::string& name() const noexcept = 0;
    /// Bytes; 0 where the engine cannot tell (storage.NAME.free_space, .used_space).
    virtual std::uint64_t free_space() const noexcept = 0;
    virtual std::uint64_t used_space() const noexcept = 0;
    /// storage.NAME.happy; false for engines that do not know.
    virtual bool happy() const noexcept = 0;
};

} // namespace clearcoat::vcl
