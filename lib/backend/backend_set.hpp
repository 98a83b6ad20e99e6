// The backends and directors of one loaded VCL: what VCL declarations become. The control thread adds, warms, cools and
// drops; loops only use the backends inside. Lists and health commands of the CLI work on several sets.
#pragma once

#include "backend/backend.hpp"
#include "backend/services.hpp"
#include "vcl/vm/environment.hpp"

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::backend {

class backend_set final : public vcl::environment {
  public:
    /// `endpoints` and `worker` outlive the set.
    backend_set(std::string vcl_name, endpoint_table& endpoints, services& worker);
    ~backend_set() override;

    const std::string& vcl_name() const noexcept { return vcl_name_; }

    // vcl::environment
    vcl::director& add_backend(const vcl::backend_spec& spec) override;
    vcl::director* add_backend_unless_cold(const vcl::backend_spec& spec) override {
        return is_cold() ? nullptr : &make_backend(spec);
    }
    void add_director(vcl::director& d) override;
    void remove_director(vcl::director& d) noexcept override;
    vcl::director* find_director(std::string_view name) noexcept override;
    const vcl::storage_handle* storage(std::string_view name) const noexcept override { return worker_.storage(name); }
    /// A VCL_Log record.
    void log(std::string_view text) noexcept override;
    void log_record(log_tag tag, std::string_view text) noexcept override { worker_.log(tag, text); }
    std::string_view identity() const noexcept override { return worker_.identity(); }
    std::string_view hostname() const noexcept override { return worker_.hostname(); }
    const tables::param_block* params() const noexcept override { return &worker_.params(); }
    void listen(vcl::object_listener& listener) override { worker_.listen(listener); }
    void unlisten(vcl::object_listener& listener) noexcept override { worker_.unlisten(listener); }
    void use_surrogate_keys(int change) noexcept override { worker_.use_surrogate_keys(change); }

    /// Probes run and counters show while warm.
    void warm();
    void cool();

    /// Visits every director in the order of its declaration.
    template<class F>
    void each(F visit) {
        std::lock_guard lock(mutex_);
        for (vcl::director* d : directors_) {
            visit(*d);
        }
    }

  private:
    vcl::director& make_backend(const vcl::backend_spec& spec);
    backend* find_backend(std::string_view name) noexcept;

    std::string vcl_name_;
    endpoint_table& endpoints_;
    services& worker_;
    std::mutex mutex_;                                  // modules may add backends while requests run
    bool warm_ = false;                                 // guarded by mutex_
    std::vector<std::unique_ptr<backend>> backends_;    // guarded by mutex_
    std::vector<std::unique_ptr<vcl::director>> nones_; // guarded by mutex_; `backend x none;`, not listed
    std::vector<vcl::director*> directors_;             // guarded by mutex_
};

} // namespace clearcoat::backend
