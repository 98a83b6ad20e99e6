// Who wants to know what comes into the cache and goes. Nobody does but modules that say so, so the cache asks first.
#pragma once

namespace clearcoat::cache {

class object;

class object_watcher {
  public:
    /// Any thread, as the next.
    virtual bool wanted() const noexcept = 0;
    /// No lock of the cache is held. `o` is alive during the call.
    virtual void stored(const object& o) noexcept = 0;
    virtual void removed(const object& o) noexcept = 0;

  protected:
    ~object_watcher() = default;
};

} // namespace clearcoat::cache
