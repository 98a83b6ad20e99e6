// Where the texts of ExpKill records about expiry go. Nobody but a person who hunts a fault wants them, so the cache
// asks before it makes one.
#pragma once

#include <string_view>

namespace clearcoat::cache {

class expiry_log {
  public:
    /// Whether the records are kept at all (vsl_mask). Any thread.
    virtual bool wanted() const noexcept = 0;
    /// One record. Any thread, no lock of the cache held.
    virtual void expiry(std::string_view text) noexcept = 0;

  protected:
    ~expiry_log() = default;
};

} // namespace clearcoat::cache
