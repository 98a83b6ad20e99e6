// The storages: what -s says. File storages are opened here, with the manager's privileges, and handed to the worker.
#pragma once

#include "cli/reply.hpp"
#include "cli/worker_boot.hpp"
#include "sys/fd.hpp"
#include "sys/jail.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::manager {

class storages {
  public:
    explicit storages(const sys::jail& jail) noexcept : jail_(jail) {}

    /// Reads one -s. Throws option_error.
    void add(std::string_view argument);
    /// Adds Transient where nobody did, and puts it last.
    void finish();

    bool knows(std::string_view name) const noexcept;
    std::vector<std::string> names() const;
    /// ",-smalloc,-sdefault", as the banner shows it.
    const std::string& summary() const noexcept { return summary_; }
    /// As the worker gets them, with the descriptors' numbers in this process.
    std::vector<cli::storage_spec> for_worker() const;
    /// storage.list
    void list(cli::reply& out) const;
    void list_json(const std::vector<std::string>& words, double now, cli::reply& out) const;

  private:
    struct storage {
        cli::storage_spec spec;
        sys::unique_fd fd;
    };
    void make_malloc(storage& s, const std::vector<std::string>& arguments) const;
    void make_file(storage& s, const std::vector<std::string>& arguments) const;

    const sys::jail& jail_;
    std::vector<storage> storages_;
    std::string summary_;
    unsigned unnamed_ = 0;
};

} // namespace clearcoat::manager
