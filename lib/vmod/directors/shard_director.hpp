// The shard director and its sets of parameters. Both are objects of a loaded VCL, used by all loops: a reader-writer
// lock guards the ring, parameters of the VCL change in vcl_init only, those of a task are the task's.
#pragma once

#include "vcl/module.hpp"
#include "vmod/directors/shard_ring.hpp"

#include <atomic>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vmod::directors {

/// Where the key of a choice comes from.
enum class key_source : std::uint8_t { hash, url, key, blob };

/// Parameters of a choice, as far as they are set. `key` belongs to `by`.
struct shard_values {
    std::optional<key_source> by;
    std::uint32_t key = 0;
    std::optional<std::int64_t> alternative;
    std::optional<double> warmup;
    std::optional<bool> rampup;
    std::optional<shard_health> healthy;

    /// Takes what is not set here from `other`.
    void complete_from(const shard_values& other) noexcept;
};

/// What a task changed of a parameter set or of a director's parameters.
class shard_param;
struct task_values : vcl::task_private {
    shard_values values;
    const shard_param* use = nullptr; // a director's: the set that stands behind
};

/// An object of directors.shard_param().
class shard_param final : public vcl::module_object {
  public:
    explicit shard_param(std::string_view name) : name_(name) {}
    const std::string& name() const noexcept { return name_; }
    shard_values& values() noexcept { return values_; }

    /// Completes `to` by what the task set (`task` may be nullptr) and then by the VCL's own values.
    void complete(shard_values& to, vcl::host* task) const;

  private:
    std::string name_;
    shard_values values_;
};

/// A choice with every parameter, defaults for those not set; the key is made from the task's request where need be.
shard_choice to_choice(const shard_values& values, vcl::host& task);
/// The key alone.
std::uint32_t key_of(const shard_values& values, vcl::host& task);

/// An object of directors.shard().
class shard_director final : public vcl::module_object, public vcl::director {
  public:
    shard_director(std::string_view name, vcl::environment& surroundings);
    ~shard_director() override;

    // vcl::director
    health state(vcl::host* task) noexcept override;
    vcl::director* resolve(vcl::host& task) noexcept override;
    std::string list(listing form) override;
    std::string_view kind() const noexcept override { return "shard"; }

    /// Completes `to` by the parameters associated with the director.
    void complete(shard_values& to, vcl::host& task) const;
    void associate(const shard_param* param) noexcept { param_.store(param, std::memory_order_release); }
    const shard_param* associated() const noexcept { return param_.load(std::memory_order_acquire); }
    void set_warmup(double to) noexcept { warmup_.store(to, std::memory_order_relaxed); }
    void set_rampup(base::seconds to) noexcept { rampup_.store(to, std::memory_order_relaxed); }

    /// `task` is where notices go; nullptr: to the log outside of transactions.
    bool reconfigure(const std::vector<shard_change>& changes, std::int64_t replicas, vcl::host* task);
    /// nullptr (and an Error record) when there is no backend.
    vcl::director* pick(vcl::host& task, shard_choice choice);

    /// A record "vmod_directors: shard NAME: TEXT".
    void log(vcl::host* task, log_tag tag, std::string_view text) const;

  private:
    struct row;
    std::vector<row> rows() const;
    std::string details(const std::vector<row>& all) const;
    std::string json_details(const std::vector<row>& all) const;

    vcl::environment& surroundings_;
    mutable std::shared_mutex mutex_;
    shard_ring ring_; // guarded by mutex_
    std::atomic<double> warmup_{0};
    std::atomic<base::seconds> rampup_{0};
    std::atomic<const shard_param*> param_{nullptr};
};

} // namespace clearcoat::vmod::directors
