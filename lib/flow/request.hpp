// A client's request while it is handled: its heads, what VCL decided so far, the objects it holds and what it counts.
// Made and used on one loop by one task; the request machine, the VCL host and the session's shell share it.
#pragma once

#include "base/arena.hpp"
#include "base/sha256.hpp"
#include "cache/object.hpp"
#include "flow/head_recorder.hpp"
#include "flow/received_body.hpp"
#include "flow/services.hpp"
#include "flow/session_facts.hpp"
#include "flow/session_settings.hpp"
#include "flow/vcl_source.hpp"
#include "http/head.hpp"
#include "tables/close_reasons.hpp"
#include "vcl/types.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace clearcoat::cache {
class storage;
}

namespace clearcoat::flow {

/// What ReqAcct shows, bytes.
struct request_account {
    std::uint64_t request_head = 0;
    std::uint64_t request_body = 0;
    std::uint64_t response_head = 0;
    std::uint64_t response_body = 0;
};

struct request {
    /// All references outlive the request. `top` is the request that an ESI include serves, nullptr otherwise.
    request(services& services_, base::task_log& log_, const session_facts& session_, session_settings& settings_,
            request* top_ = nullptr);
    request(const request&) = delete;
    request& operator=(const request&) = delete;

    bool is_top() const noexcept { return top == this; }
    /// t_resp, seconds since the epoch: when VCL asks for it first.
    base::seconds responded_at() noexcept {
        if (responding == 0) {
            responding = svc.clock.real();
        }
        return responding;
    }

    services& svc;
    base::task_log& log;
    const session_facts& session;
    session_settings& settings;
    request* top; // itself, when the client asked for it

    base::arena workspace;
    head_recorder head_records;
    head_recorder response_records;
    http::head original; // as it came in; for rollback and ESI
    http::head head;     // what VCL sees and changes
    http::head response;

    vcl_hold vcl;
    vcl_hold first_vcl; // what it began with, when VCL switched to another; ESI includes begin with that again
    vcl::director* backend_hint = nullptr;
    const vcl::storage_handle* storage = nullptr; // req.storage; nullptr: Transient
    vcl::lookup_choice choice = vcl::lookup_choice::usual;
    std::string_view client_identity; // data() is nullptr until VCL sets it
    std::string_view filters;         // resp.filters; data() is nullptr: the default ones
    std::string_view body_filters;    // req.filters

    base::seconds first_byte = 0; // t_first
    base::seconds received = 0;   // t_req: the head was complete
    base::seconds responding = 0; // see responded_at(); 0: not yet

    base::seconds ttl_limit = -1;   // req.ttl
    base::seconds grace_limit = -1; // req.grace
    bool hash_always_miss = false;
    bool hash_ignore_busy = false;
    bool hash_ignore_vary = false;
    bool esi_disabled = false;
    bool is_hit = false;
    bool is_hitmiss = false;
    bool is_hitpass = false;
    bool wants_continue = false;
    bool late_continue = false;
    bool pipelined = false; // more had arrived behind the head
    unsigned restarts = 0;
    unsigned esi_level = 0;

    unsigned error_status = 0;
    std::string_view error_reason; // data() is nullptr: the standard phrase
    std::string synthetic;         // body of vcl_synth

    base::digest digest{};
    cache::object_ref object; // delivered, or to be fetched
    cache::object_ref stale;  // for revalidation

    received_body body;
    tables::close_reason closing = tables::close_reason::none;
    request_account account;
};

/// The ReqAcct record.
void write_account(request& r) noexcept;

} // namespace clearcoat::flow
