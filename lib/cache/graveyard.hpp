// Objects that left their shard while its mutex was held: their ban and the index's reference are let go afterwards,
// when this goes out of scope. They are chained by the link that hung them under their key. Declare it before the lock.
#pragma once

#include "base/intrusive_list.hpp"
#include "cache/ban_list.hpp"
#include "cache/object.hpp"

namespace clearcoat::cache {

class graveyard {
  public:
    explicit graveyard(ban_list& bans) noexcept : bans_(bans) {}
    ~graveyard() {
        while (object* o = dead_.pop_front()) {
            bans_.detach(*o);
            object_ref::adopt(o).reset();
        }
    }
    graveyard(const graveyard&) = delete;
    graveyard& operator=(const graveyard&) = delete;
    /// `o` was just removed from its shard; takes over the index's reference.
    void add(object& o) noexcept { dead_.push_back(o); }

  private:
    ban_list& bans_;
    base::intrusive_list<object, in_key> dead_;
};

} // namespace clearcoat::cache
