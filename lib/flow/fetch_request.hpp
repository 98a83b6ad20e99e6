// What a client task asks of a fetch, and what a fetch needs from the place it runs in. Plain data and interfaces.
#pragma once

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/sha256.hpp"
#include "cache/object.hpp"
#include "flow/session_facts.hpp"
#include "flow/task_host.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace clearcoat::http {
class head;
}
namespace clearcoat::vcl {
class director;
class instance;
} // namespace clearcoat::vcl

namespace clearcoat::flow {

enum class fetch_mode : std::uint8_t { miss, pass, background };

/// "fetch", "pass", "bgfetch": the reason in Begin and Link records.
std::string_view name_of(fetch_mode mode) noexcept;

/// Where the body of the backend request comes from.
enum class request_body : std::uint8_t {
    none,
    cached,  // an object that std.cache_req_body() filled; may be sent again on a retry
    length,  // the client's stream, Content-Length known
    chunked, // the client's stream, chunked
};

/// Copied from or shared by the machine while it is built: views need to live only that long, unless told otherwise.
struct fetch_request {
    fetch_mode mode = fetch_mode::miss;
    const http::head* req = nullptr; // the client's request after vcl_recv, hop-by-hop fields marked
    cache::object_ref object;        // busy (or private): what is fetched
    cache::object_ref stale;         // to revalidate and to replace; may be empty
    std::shared_ptr<const vcl::instance> program;
    vcl::director* backend = nullptr; // req.backend_hint
    base::vxid_number parent = 0;     // the client request's
    std::shared_ptr<const session_facts> session;
    std::string_view client_identity; // data() is nullptr: never set
    base::digest hash{};
    bool is_hitmiss = false;
    bool is_hitpass = false;
    bool may_hold_back = true;  // until the reader took enough; not when the reader waits for the end first
    std::optional<bool> traces; // req.trace, when VCL set it
    request_body body = request_body::none;
    cache::object_ref cached_body; // of request_body::cached
};

/// What VCL and the machine want to know of a concrete backend.
struct backend_facts {
    std::string_view display_name;     // as records print it: the name in VCL
    std::string_view host_header;      // sent when the request has no Host; data() is nullptr: none
    base::seconds connect_timeout = 0; // 0: the parameter's
    base::seconds first_byte_timeout = 0;
    base::seconds between_bytes_timeout = 0;
};

/// What the shell does for a fetch at once, without waiting.
class fetch_port : public waker_source {
  public:
    /// `backend` is concrete. The views live as long as the VCL.
    virtual backend_facts facts_of(const vcl::director& backend) noexcept = 0;
    /// The client's stream is not touched any more: called once, at the latest when the fetch ends, for bodies of kind
    /// length and chunked. `bad`: the body could not be read whole, the client's connection is to be closed.
    virtual void request_body_done(bool bad) noexcept = 0;
};

} // namespace clearcoat::flow
