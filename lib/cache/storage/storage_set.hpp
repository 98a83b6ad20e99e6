// The storages of a worker: those of -s in order, and Transient. Filled at start-up, then constant.
#pragma once

#include "cache/storage/storage.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace clearcoat::cache {

class storage_set {
  public:
    /// `transient` takes what is short-lived, private or synthetic.
    explicit storage_set(std::unique_ptr<storage> transient);

    /// In the order of the -s options. Before the index is built.
    storage& add(std::unique_ptr<storage> engine);
    storage& transient() noexcept { return *all_.front(); }
    /// The next one in turn, never Transient unless there is no other.
    storage& next() noexcept;
    /// nullptr when there is none of that name.
    storage* find(std::string_view identity) const noexcept;

    std::size_t size() const noexcept { return all_.size(); }
    /// [0] is Transient.
    storage& at(std::size_t number) noexcept { return *all_[number]; }

  private:
    std::vector<std::unique_ptr<storage>> all_;
    std::atomic<std::size_t> turn_{0};
};

} // namespace clearcoat::cache
