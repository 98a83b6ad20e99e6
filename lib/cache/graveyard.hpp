// Objects that left their shard while its mutex was held: their ban, their surrogate keys and the index's reference are
// let go afterwards, when this goes out of scope. They are chained by the link that hung them under their key. Declare
// it before the lock.
#pragma once

#include "base/intrusive_list.hpp"
#include "cache/ban_list.hpp"
#include "cache/object.hpp"
#include "cache/object_watcher.hpp"
#include "cache/surrogate_keys.hpp"

namespace clearcoat::cache {

class graveyard {
  public:
    /// `watcher` may be nullptr.
    graveyard(ban_list& bans, surrogate_keys& keys, object_watcher* watcher) noexcept
        : bans_(bans), keys_(keys), watcher_(watcher) {}
    ~graveyard() {
        while (object* o = dead_.pop_front()) {
            bans_.detach(*o);
            keys_.forget(*o);
            if (watcher_ != nullptr && watcher_->wanted() && !o->has(object_flag::busy)) {
                watcher_->removed(*o);
            }
            object_ref::adopt(o).reset();
        }
    }
    graveyard(const graveyard&) = delete;
    graveyard& operator=(const graveyard&) = delete;
    /// `o` was just removed from its shard; takes over the index's reference.
    void add(object& o) noexcept { dead_.push_back(o); }

  private:
    ban_list& bans_;
    surrogate_keys& keys_;
    object_watcher* watcher_;
    base::intrusive_list<object, in_key> dead_;
};

} // namespace clearcoat::cache
