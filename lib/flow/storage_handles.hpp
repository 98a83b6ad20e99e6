// The storages as VCL sees them (STEVEDORE): a handle for each engine, and the way from one to the other. Built once
// after the storages, then constant; any thread may ask.
#pragma once

#include "vcl/vm/storage.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace clearcoat::cache {
class storage;
class storage_set;
} // namespace clearcoat::cache

namespace clearcoat::flow {

class storage_handles {
  public:
    /// One handle for each storage of `engines`, which outlives this.
    explicit storage_handles(cache::storage_set& engines);
    ~storage_handles();
    storage_handles(const storage_handles&) = delete;
    storage_handles& operator=(const storage_handles&) = delete;

    /// What storage.NAME is; nullptr when there is none of that name.
    const vcl::storage_handle* find(std::string_view name) const noexcept;
    const vcl::storage_handle* of(const cache::storage& engine) const noexcept;
    /// nullptr for nullptr.
    static cache::storage* engine_of(const vcl::storage_handle* handle) noexcept;

  private:
    class handle;
    std::vector<std::unique_ptr<handle>> handles_; // by storage::number()
};

} // namespace clearcoat::flow
