// What a loaded VCL's declarations become in the worker: the machine asks, backend/ and worker/ answer. Called while a
// VCL is loaded, warmed, cooled or discarded, on the worker's control thread, never on a loop.
#pragma once

#include "base/clock.hpp"
#include "base/ip_address.hpp"
#include "base/log.hpp"
#include "vcl/vm/director.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clearcoat::vcl {

class storage_handle;

/// A probe as VCL declares it. Unset values mean the parameter's or manual's default.
struct probe_spec {
    std::string name;
    std::string url = "/";
    std::string request; // whole request text with CRLF ends; empty: built from url and the backend's host header
    std::uint32_t expected_response = 200;
    base::seconds timeout = 2;
    base::seconds interval = 5;
    std::uint32_t window = 8;
    std::uint32_t threshold = 3;
    std::optional<std::uint32_t> initial;
    bool expect_close = true;
};

/// A backend as VCL declares it, its names resolved.
struct backend_spec {
    std::string name;
    std::string host; // as written; empty for .path
    std::string port; // as written; empty: 80
    std::string path; // unix socket
    std::optional<base::ip_address> ipv4;
    std::optional<base::ip_address> ipv6;
    std::string host_header; // empty: host
    std::string preamble;    // bytes sent first on every connection
    std::optional<base::seconds> connect_timeout;
    std::optional<base::seconds> first_byte_timeout;
    std::optional<base::seconds> between_bytes_timeout;
    std::uint32_t max_connections = 0; // 0: no limit
    std::uint32_t proxy_header = 0;    // 0: none, else the PROXY version
    std::optional<probe_spec> probe;
    std::string via;   // another backend's name
    bool none = false; // `backend x none;`
};

class environment {
  public:
    virtual ~environment() = default;
    /// A concrete backend for the VCL being loaded; lives until the VCL is discarded. Its probe runs while the VCL is
    /// warm.
    virtual director& add_backend(const backend_spec& spec) = 0;
    /// Lets a module's director appear in backend.list and be set sick; `remove_director` before it dies.
    virtual void add_director(director& d) = 0;
    virtual void remove_director(director& d) noexcept = 0;
    /// A backend or director of the loaded VCL by its name in VCL (directors.lookup()); nullptr when there is none.
    virtual director* find_director(std::string_view name) noexcept = 0;
    /// The storage of that name; nullptr when there is none.
    virtual const storage_handle* storage(std::string_view name) const noexcept = 0;
    /// A record of the log that belongs to no transaction.
    virtual void log(std::string_view text) noexcept = 0;
    /// The same with a tag (VCL_Log of std.log() in vcl_init); by default the tag is lost.
    virtual void log_record(log_tag tag, std::string_view text) noexcept {
        static_cast<void>(tag);
        log(text);
    }
};

} // namespace clearcoat::vcl
