// What a loaded VCL's declarations become in the worker: the machine asks, backend/ and worker/ answer. Called while a
// VCL is loaded, warmed, cooled or discarded, on the worker's control thread, never on a loop.
#pragma once

#include "base/clock.hpp"
#include "base/ip_address.hpp"
#include "base/log.hpp"
#include "vcl/vm/director.hpp"
#include "vcl/vm/holds.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clearcoat::tables {
class param_block;
}

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
    std::optional<base::seconds> wait_timeout;
    std::optional<std::uint32_t> wait_limit; // tasks
    std::uint32_t proxy_header = 0;          // 0: none, else the PROXY version
    std::optional<probe_spec> probe;
    std::string via;       // another backend's name
    std::string authority; // what the other backend is told to be this one's name; empty: nothing
    bool none = false;     // `backend x none;`
};

/// Learns of objects that come into the cache and go. Called from any thread, no lock held; must be quick.
class object_listener {
  public:
    /// `object` tells objects apart and is good for nothing else.
    virtual void object_stored(const void* object) noexcept = 0;
    virtual void object_removed(const void* object) noexcept = 0;

  protected:
    ~object_listener() = default;
};

class environment {
  public:
    virtual ~environment() = default;
    /// A concrete backend; lives until the VCL is discarded. Its probe runs while the VCL is warm. Panics when the VCL
    /// is cold: nothing would ever start or end it.
    virtual director& add_backend(const backend_spec& spec) = 0;
    /// For who cannot know, since it took a while to find out what to add: nullptr when the VCL went cold meanwhile.
    virtual director* add_backend_unless_cold(const backend_spec& spec) {
        return is_cold() ? nullptr : &add_backend(spec);
    }
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
    /// server.identity and server.hostname.
    virtual std::string_view identity() const noexcept { return {}; }
    virtual std::string_view hostname() const noexcept { return {}; }
    /// The parameters; nullptr in unit tests.
    virtual const tables::param_block* params() const noexcept { return nullptr; }
    /// Until unlisten(), which returns when no call is under way any more.
    virtual void listen(object_listener& listener) { static_cast<void>(listener); }
    virtual void unlisten(object_listener& listener) noexcept { static_cast<void>(listener); }
    /// Whether objects are found by surrogate keys: from the first +1 until as many -1 were given.
    virtual void use_surrogate_keys(int change) noexcept { static_cast<void>(change); }

    /// What keeps a VCL that was discarded or set cold from being destroyed or warmed again: it is "cooling".
    hold_list& discard_holds() noexcept { return discard_holds_; }
    /// What keeps a VCL warm that was set cold: it is "busy", as with a running task.
    hold_list& cold_holds() noexcept { return cold_holds_; }
    /// Whether the VCL has gone cold, as who loads it says.
    bool is_cold() const noexcept { return cold_.load(std::memory_order_acquire); }
    void set_cold(bool cold) noexcept { cold_.store(cold, std::memory_order_release); }

  private:
    hold_list discard_holds_;
    hold_list cold_holds_;
    std::atomic<bool> cold_{false};
};

} // namespace clearcoat::vcl
