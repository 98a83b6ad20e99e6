// How the cache asks the housekeeping thread to come earlier than it was told.
#pragma once

namespace clearcoat::cache {

class housekeeper {
  public:
    /// Something is due now. Called from any thread, perhaps with a lock of the cache held: only signal.
    virtual void kick() noexcept = 0;

  protected:
    ~housekeeper() = default;
};

} // namespace clearcoat::cache
