// What VCL sees and changes on the client's side: the variables of req, resp, obj and sess, and the statements of the
// client subroutines. Belongs to the request.
#pragma once

#include "base/sha256.hpp"
#include "flow/request.hpp"
#include "flow/task_host.hpp"

#include <optional>

namespace clearcoat::flow {

class pipe_exchange;

/// Makes the response anew that vcl_deliver or vcl_synth sees; the request machine is one.
class response_maker {
  public:
    virtual void remake_response() noexcept = 0;

  protected:
    ~response_maker() = default;
};

class client_host final : public task_host {
  public:
    /// `txn` and `wakers` outlive the host. The privates of `top` serve PRIV_TOP; nullptr when this is the top request.
    client_host(request& txn, waker_source& wakers, client_host* top) noexcept;

    request& txn() const noexcept { return txn_; }
    /// For std.rollback(req) while there is a response.
    void set_response_maker(response_maker* maker) noexcept { maker_ = maker; }

    /// In vcl_pipe: what VCL sees as bereq; nullptr afterwards.
    void bind_pipe(pipe_exchange* exchange) noexcept;
    pipe_exchange* exchange() const noexcept { return exchange_; }

    /// vcl_hash: begins a digest, and gives it.
    void begin_hash() noexcept { hasher_.emplace(); }
    base::digest end_hash() noexcept;

    /// How many bytes std.cache_req_body() asked for, when the machine stopped for that.
    std::optional<std::uint64_t> take_body_request() noexcept;
    /// The request as it came in, and nothing that modules kept for it.
    void restore_request() noexcept;
    /// Ends the modules' data of this task, and of the whole request when it is the top one.
    void end_task() noexcept;

    // vcl::host
    std::string_view header(vcl::message where, std::string_view name) noexcept override;
    void hash_data(std::string_view text) noexcept override;
    void hash_bytes(std::string_view bytes) noexcept override;
    bool has_cached_body() const noexcept override { return static_cast<bool>(txn_.body.kept); }
    void synthetic(std::string_view text, bool replace) noexcept override;
    void rollback(vcl::message where) noexcept override;
    body_state cache_request_body(std::uint64_t limit) noexcept override;
    void each_request_body_part(const std::function<bool(std::string_view)>& visit) override;
    std::int64_t purge(base::seconds ttl, base::seconds grace, base::seconds keep) noexcept override;
    void choose_object(vcl::lookup_choice choice) noexcept override { txn_.choice = choice; }
    void late_100_continue(bool late) noexcept override { txn_.late_continue = late; }
    int client_descriptor() const noexcept override { return txn_.session.descriptor; }
    void unset(tables::vcl_variable variable) noexcept override;
    std::unique_ptr<vcl::task_private>& private_data(vcl::private_scope scope, const void* owner) override;

    /// obj.ttl and obj.age count from this time.
    base::seconds ttl_now() const noexcept { return current() == vcl::sub_id::deliver ? now() : txn_.received; }
    vcl::value number_text(std::uint64_t number) noexcept { return text_of(number); }

  protected:
    bool get_own(tables::vcl_variable variable, vcl::value& out) noexcept override;
    bool set_own(tables::vcl_variable variable, const vcl::value& v) noexcept override;
    std::string_view identity() const noexcept override { return txn_.client_identity; }

  private:
    bool get_of_pipe(tables::vcl_variable variable, vcl::value& out) noexcept;

    request& txn_;
    client_host* top_;
    response_maker* maker_ = nullptr;
    pipe_exchange* exchange_ = nullptr;
    private_table top_privates_;
    std::optional<base::sha256> hasher_;
    std::optional<std::uint64_t> body_request_;
};

} // namespace clearcoat::flow
