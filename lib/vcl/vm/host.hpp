// What the machine asks of the task it runs in. flow/ implements it for client and backend tasks, tests with a scripted
// one. All calls happen on the task's thread; strings returned live as long as the task's workspace unless told
// otherwise.
#pragma once

#include "base/arena.hpp"
#include "base/log.hpp"
#include "vcl/types.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::tables {
enum class vcl_variable : std::uint16_t;
}

namespace clearcoat::vcl {

class host;
class instance;

/// A module's own data for one task, owned by the task and destroyed with it.
class task_private {
  public:
    virtual ~task_private() = default;
    /// The task ends, or std.rollback() takes it back; called once, before any data of the task is destroyed. `task`
    /// can still log, and fail: that refuses a VCL whose vcl_init it ends, and is a record elsewhere.
    virtual void task_ends(host& task) noexcept { static_cast<void>(task); }
};

/// Wakes a task that a module made wait. From any thread, also when the task is gone by then.
class wakeup {
  public:
    virtual ~wakeup() = default;
    virtual void wake() noexcept = 0;
};

/// The process at the other end of a unix socket.
struct peer_credentials {
    std::uint32_t uid;
    std::uint32_t gid;
};

/// Where a module keeps data: for the running task (PRIV_TASK) or for the whole client request with its sub-requests
/// (PRIV_TOP).
enum class private_scope : std::uint8_t { task, top };

/// Which of the objects under its key the next lookup takes, when a module says so: none, or the one that was stored
/// last or first, whether it is fresh or not.
enum class lookup_choice : std::uint8_t { usual, miss, newest, oldest };

class host {
  public:
    virtual ~host() = default;

    virtual base::arena& workspace() noexcept = 0;
    virtual base::log_writer& log() noexcept = 0;
    /// The time `now` has in this subroutine (seconds since the epoch).
    virtual base::seconds now() const noexcept = 0;
    /// Parameters pcre2_match_limit and pcre2_depth_limit.
    virtual base::regex_limits regex_limits() const noexcept { return {}; }
    /// The loaded VCL the task runs; stays loaded while the task lives.
    virtual const instance& program() const noexcept = 0;
    /// Whether the task has its steps traced, where the log wants VCL_trace at all; asked when a subroutine starts.
    virtual bool traces() const noexcept { return true; }

    // Headers. Names compare without case; `value` is copied by the callee where it does not live in the workspace
    // already.
    /// The first field of that name; data() is nullptr when there is none.
    virtual std::string_view header(message where, std::string_view name) noexcept = 0;
    /// The same for a header that the VCL names.
    virtual std::string_view header(const header_ref& h) noexcept { return header(h.where, h.name); }
    /// Replaces all fields of that name by one. Logs (ReqHeader, ...). A workspace overflow is reported through fail().
    virtual void set_header(message where, std::string_view name, std::string_view value) noexcept = 0;
    virtual void unset_header(message where, std::string_view name) noexcept = 0;
    /// Adds one more field, whatever fields of that name there are.
    virtual void add_header(message where, std::string_view name, std::string_view value) noexcept = 0;
    /// What becomes of a field: it stays, goes, or becomes the line that was given instead.
    enum class field_fate : std::uint8_t { keep, drop, replace };
    /// Decides each field by its whole line ("Name: value"), in order; a replacement is copied.
    using field_editor = std::function<field_fate(std::string_view line, std::string& replacement)>;
    virtual void edit_headers(message where, const field_editor& edit) = 0;
    /// Calls `visit(name, value)` for each field in order until it returns false.
    virtual void each_header(message where, const std::function<bool(std::string_view, std::string_view)>& visit) = 0;
    /// Joins all fields of that name into the first, as std.collect() does.
    virtual void collect_header(message where, std::string_view name, std::string_view separator) noexcept = 0;

    // Every other variable, by its row in tables/vcl_variables.
    virtual value get(tables::vcl_variable variable) noexcept = 0;
    virtual void set(tables::vcl_variable variable, const value& v) noexcept = 0;
    virtual void unset(tables::vcl_variable variable) noexcept = 0;

    // Statements.
    virtual void hash_data(std::string_view text) noexcept = 0;
    /// The same for a part of something longer: no record, and nothing sets it apart from what follows.
    virtual void hash_bytes(std::string_view bytes) noexcept { static_cast<void>(bytes); }
    /// Adds to the synthetic body of vcl_synth or vcl_backend_error; `replace` starts it anew (set resp.body = ...).
    virtual void synthetic(std::string_view text, bool replace) noexcept = 0;
    /// Adds a ban; the reason when it is refused.
    virtual std::optional<std::string> ban(std::string_view expression) noexcept = 0;
    /// Takes a message back to what it was when the task began (std.rollback). With req, a response that vcl_deliver or
    /// vcl_synth sees is made anew, too.
    virtual void rollback(message where) noexcept = 0;
    /// Logs VCL_Error and makes the machine end the subroutine with action::fail.
    virtual void fail(std::string_view reason) noexcept = 0;
    virtual bool failed() const noexcept = 0;

    // The request's body. `false` from ready means: the machine must stop with outcome pending and be resumed when the
    // task has it.
    enum class body_state : std::uint8_t { ready, pending, failed };
    /// Reads the client's whole body into memory, at most `limit` bytes (std.cache_req_body).
    virtual body_state cache_request_body(std::uint64_t limit) noexcept = 0;
    /// Whether there is a cached body.
    virtual bool has_cached_body() const noexcept { return false; }
    /// Visits the cached body's parts in order.
    virtual void each_request_body_part(const std::function<bool(std::string_view)>& visit) = 0;

    // The connection and the object, for modules.
    /// Sets ttl, grace and keep of every object under the request's hash; a negative one stays as it is; all three 0
    /// remove the objects (purge). The number of objects, or -1 where there is no object (not in vcl_hit, vcl_miss).
    virtual std::int64_t purge(base::seconds ttl, base::seconds grace, base::seconds keep) noexcept = 0;
    /// The same for every object that was stored with that surrogate key: `soft` ends its freshness only, grace and
    /// keep stay. The number of objects.
    virtual std::int64_t purge_surrogate_key(std::string_view key, bool soft) noexcept {
        static_cast<void>(key);
        static_cast<void>(soft);
        return 0;
    }
    /// For the next lookup of a client task; a pass, a restart or a rollback takes it back.
    virtual void choose_object(lookup_choice choice) noexcept { static_cast<void>(choice); }
    /// A Timestamp record with that label and the time now.
    virtual void timestamp(std::string_view label) noexcept = 0;
    /// Whether "100 Continue" waits until the body is wanted; vcl_recv only.
    virtual void late_100_continue(bool late) noexcept = 0;
    /// The socket of the client's connection, for its options; -1 where there is none (backend tasks, vcl_init).
    virtual int client_descriptor() const noexcept { return -1; }
    /// Of a client on a unix socket; std::nullopt elsewhere.
    virtual std::optional<peer_credentials> peer() noexcept = 0;
    /// A TLV of the PROXY 2 preamble, raw; data() is nullptr when there is none.
    virtual std::string_view proxy_tlv(std::uint8_t type) noexcept = 0;

    // Modules.
    /// Makes the task wait: the machine ends with outcome pending, and is run again after wakeup::wake(). nullptr where
    /// a task cannot wait (vcl_init, vcl_fini).
    virtual std::shared_ptr<wakeup> suspend() = 0;
    /// The owner's slot in that scope; empty at first, the owner fills it.
    virtual std::unique_ptr<task_private>& private_data(private_scope scope, const void* owner) = 0;
};

} // namespace clearcoat::vcl
