// The host of a fetch's VCL: bereq.*, beresp.*. Holds what VCL can change about the fetch; the fetch machine reads and
// writes it. Belongs to the fetch.
#pragma once

#include "base/sha256.hpp"
#include "cache/object.hpp"
#include "flow/head_recorder.hpp"
#include "flow/task_host.hpp"
#include "http/head.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace clearcoat::flow {

/// What VCL sets about the backend request, also in vcl_pipe.
struct bereq_choice {
    vcl::director* backend = nullptr;
    base::seconds connect_timeout = 0; // 0: the backend's or the parameter's
    base::seconds first_byte_timeout = 0;
    base::seconds between_bytes_timeout = 0;
    base::seconds task_deadline = 0; // for the whole task; 0: none, of a pipe the parameter's

    /// false: not one of these variables. A timeout that is not set reads as the parameter of its name.
    bool get(tables::vcl_variable variable, const tables::param_block& params, vcl::value& out) const noexcept;
    bool set(tables::vcl_variable variable, const vcl::value& v) noexcept;
    void unset(tables::vcl_variable variable) noexcept;

  private:
    base::seconds* timeout(tables::vcl_variable variable) noexcept;
};

class backend_host final : public task_host {
  public:
    backend_host(services& svc, base::task_log& log, base::arena& workspace, waker_source& wakers,
                 const session_facts& session) noexcept;

    http::head bereq;
    http::head beresp;
    head_recorder bereq_records;
    head_recorder beresp_records;

    // Constant for the task.
    base::digest hash{};
    std::string_view client_identity;
    bool is_bgfetch = false;
    bool is_hitmiss = false;
    bool is_hitpass = false;

    // Changes on the way.
    bereq_choice choice;
    vcl::director* used_backend = nullptr; // beresp.backend: concrete
    const cache::object* stale = nullptr;  // obj_stale, in vcl_backend_refresh
    base::ip_address backend_ip;           // beresp.backend.ip
    bool has_backend_ip = false;
    unsigned retries = 0;
    bool retry_connect = true;       // on a fresh connection, when a used one turns out dead
    base::seconds response_time = 0; // beresp.time
    cache::object_timing timing;
    cache::storage* storage = nullptr; // beresp.storage
    bool uncacheable = false;
    bool do_esi = false;
    bool do_gzip = false;
    bool do_gunzip = false;
    bool do_stream = true;
    bool was_304 = false;
    bool body_given_up = false;       // unset bereq.body
    std::uint64_t transit_buffer = 0; // bytes; 0: no limit
    bool has_request_body = false;
    std::string_view request_filters; // bereq.filters
    bool has_body = false;            // the response's framing promises one
    std::string_view filters;         // beresp.filters; data() is nullptr: the default
    std::string synthetic_body;

    /// beresp.filters when VCL set none, as the flags and fields tell ("gunzip esi"), in the workspace.
    std::string_view default_filters() noexcept;
    /// A TTL record of what VCL made of it.
    void log_ttl(std::string_view why, bool cacheable) noexcept;
    /// Before a new attempt: what VCL said about the response is forgotten.
    void forget_response() noexcept;

    std::string_view header(vcl::message where, std::string_view name) noexcept override;
    void each_header(vcl::message where, const std::function<bool(std::string_view, std::string_view)>& visit) override;
    void synthetic(std::string_view text, bool replace) noexcept override;
    void rollback(vcl::message where) noexcept override;
    void unset(tables::vcl_variable variable) noexcept override;
    void leaving(const vcl::outcome& result) noexcept override;

    /// What modules take back beside the head: the fetch machine installs itself.
    class rollback_listener {
      public:
        virtual void bereq_rolled_back() noexcept = 0;
        /// beresp.ttl, grace and keep shall be what the fields and the parameters say.
        virtual void timing_rolled_back() noexcept = 0;

      protected:
        ~rollback_listener() = default;
    };
    void set_rollback_listener(rollback_listener* listener) noexcept { rollback_ = listener; }

  protected:
    bool get_own(tables::vcl_variable variable, vcl::value& out) noexcept override;
    bool set_own(tables::vcl_variable variable, const vcl::value& v) noexcept override;
    std::string_view identity() const noexcept override { return client_identity; }

  private:
    bool get_bereq(tables::vcl_variable variable, vcl::value& out) noexcept;
    bool get_beresp(tables::vcl_variable variable, vcl::value& out) noexcept;
    bool get_timing(tables::vcl_variable variable, vcl::value& out) noexcept;
    bool get_stale(tables::vcl_variable variable, vcl::value& out) noexcept;
    bool get_stale_timing(tables::vcl_variable variable, vcl::value& out) const noexcept;
    bool get_flags(tables::vcl_variable variable, vcl::value& out) noexcept;
    bool set_timing(tables::vcl_variable variable, base::seconds value) noexcept;
    bool set_flags(tables::vcl_variable variable, const vcl::value& v) noexcept;
    bool* flag_of(tables::vcl_variable variable) noexcept;
    void set_uncacheable(bool value) noexcept;
    void set_storage_hint(std::string_view name) noexcept;
    bool filters_fixed(tables::vcl_variable variable) noexcept;

    rollback_listener* rollback_ = nullptr;
};

} // namespace clearcoat::flow
