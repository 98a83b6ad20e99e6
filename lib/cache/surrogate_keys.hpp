// Which objects carry which surrogate keys (module xkey), so that a site can purge all pages that show an article. Any
// thread; one mutex, taken when an object with keys comes or goes and for a purge, never by a lookup. Objects are known
// by address: the index takes each out before it lets it go.
#pragma once

#include "base/thread_annotations.hpp"
#include "cache/object.hpp"

#include <atomic>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace clearcoat::cache {

class surrogate_keys {
  public:
    /// Whether anybody asks for objects by key; otherwise none are kept. Objects that are in already have no keys.
    bool wanted() const noexcept { return users_.load(std::memory_order_relaxed) > 0; }
    /// +1 or -1; the last user takes all keys along.
    void count_users(int change) noexcept EXCLUDES(mutex_);

    /// `list` holds keys between blanks, commas and line ends; one that is named twice counts once.
    void add(object& o, std::string_view list) EXCLUDES(mutex_);
    /// No effect on objects without keys.
    void forget(const object& o) noexcept EXCLUDES(mutex_);
    /// The objects that carry `key`.
    std::vector<object_ref> find(std::string_view key) EXCLUDES(mutex_);

  private:
    struct text_hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };
    using key_map = std::unordered_map<std::string, std::vector<object*>, text_hash, std::equal_to<>>;
    /// A key that an object carries, and where it stands among those who do: thousands may carry one key, and each must
    /// be able to go without a search through the others.
    struct carried_key {
        key_map::value_type* key;
        std::size_t position;
    };

    void take_out(const object& o, const carried_key& carried) noexcept REQUIRES(mutex_);

    std::atomic<int> users_{0};
    std::atomic<std::size_t> tagged_{0}; // objects with keys, so that forget() need not lock where there are none
    base::mutex mutex_;
    key_map objects_ GUARDED_BY(mutex_);
    std::unordered_map<const object*, std::vector<carried_key>> keys_ GUARDED_BY(mutex_);
};

} // namespace clearcoat::cache
