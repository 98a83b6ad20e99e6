// The part of vcl::host that client and backend tasks share: workspace, log, time, the heads with their log records,
// privates, failing, bans and parameters. client_host and backend_host add the variables of their own messages. Belongs
// to the task.
#pragma once

#include "base/arena.hpp"
#include "flow/services.hpp"
#include "flow/session_facts.hpp"
#include "flow/task_privates.hpp"
#include "flow/timestamps.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/vm/host.hpp"
#include "vcl/vm/machine.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace clearcoat::http {
class head;
}

namespace clearcoat::flow {

/// For vcl::compile_request.
std::uint16_t header_number(std::string_view name) noexcept;

/// Makes the handle by which a module wakes the task; the shell that drives the task implements it.
class waker_source {
  public:
    virtual ~waker_source() = default;
    virtual std::shared_ptr<vcl::wakeup> make_waker() = 0;
};

class task_host : public vcl::host {
  public:
    /// All of these outlive the task.
    task_host(services& svc, base::task_log& log, base::arena& workspace, waker_source& wakers,
              const session_facts& session) noexcept;

    // What the machines use.
    services& svc() const noexcept { return *services_; }
    base::task_log& records() const noexcept { return *log_; }
    timestamps& times() noexcept { return times_; }
    const timestamps& times() const noexcept { return times_; }
    const session_facts& session() const noexcept { return *session_; }
    /// The message VCL sees under that name; nullptr takes it away. Its listener (head_recorder) writes the records of
    /// what VCL changes.
    void bind(vcl::message which, http::head* head) noexcept { heads_[static_cast<std::size_t>(which)] = head; }
    http::head* bound(vcl::message which) const noexcept { return heads_[static_cast<std::size_t>(which)]; }
    /// The program may change between subroutines (return (vcl(...))); `program` stays loaded while it is set.
    void use(const vcl::instance& program) noexcept { program_ = &program; }
    /// Freezes `now` for the next subroutine, names it, and forgets an earlier failure.
    void enter(vcl::sub_id which, base::seconds now) noexcept;
    vcl::sub_id current() const noexcept { return current_; }
    /// A Timestamp record with the time now, which is returned.
    base::seconds mark(std::string_view event) noexcept;
    /// A subroutine ended: called before its VCL_return record.
    virtual void leaving(const vcl::outcome&) noexcept {}
    /// req.trace and bereq.trace, when VCL set them; otherwise the feature of that name counts.
    std::optional<bool> own_traces() const noexcept { return traces_; }
    void set_traces(std::optional<bool> on) noexcept { traces_ = on; }
    /// Ends the modules' data of this task (std.rollback, end of the task).
    void end_privates() noexcept { task_privates_.end(*this); }

    // vcl::host
    base::arena& workspace() noexcept final { return *workspace_; }
    base::log_writer& log() noexcept final { return *log_; }
    base::seconds now() const noexcept final { return now_; }
    const vcl::instance& program() const noexcept final { return *program_; }
    bool traces() const noexcept final;
    base::regex_limits regex_limits() const noexcept override;
    std::string_view header(vcl::message where, std::string_view name) noexcept override;
    std::string_view header(const vcl::header_ref& h) noexcept final;
    void set_header(vcl::message where, std::string_view name, std::string_view value) noexcept override;
    void unset_header(vcl::message where, std::string_view name) noexcept override;
    void add_header(vcl::message where, std::string_view name, std::string_view value) noexcept final;
    void edit_headers(vcl::message where, const field_editor& edit) final;
    void each_header(vcl::message where, const std::function<bool(std::string_view, std::string_view)>& visit) override;
    void collect_header(vcl::message where, std::string_view name, std::string_view separator) noexcept override;
    vcl::value get(tables::vcl_variable variable) noexcept final;
    void set(tables::vcl_variable variable, const vcl::value& v) noexcept final;
    void unset(tables::vcl_variable variable) noexcept override;
    void hash_data(std::string_view text) noexcept override;
    std::optional<std::string> ban(std::string_view expression) noexcept final;
    void fail(std::string_view reason) noexcept final;
    bool failed() const noexcept final { return failed_; }
    body_state cache_request_body(std::uint64_t limit) noexcept override;
    void each_request_body_part(const std::function<bool(std::string_view)>& visit) override;
    std::int64_t purge(base::seconds ttl, base::seconds grace, base::seconds keep) noexcept override;
    void timestamp(std::string_view label) noexcept final;
    void late_100_continue(bool late) noexcept override;
    std::int64_t purge_surrogate_key(std::string_view key, bool soft) noexcept final;
    std::optional<vcl::peer_credentials> peer() noexcept final;
    std::string_view proxy_tlv(std::uint8_t type) noexcept final;
    std::shared_ptr<vcl::wakeup> suspend() final;
    std::unique_ptr<vcl::task_private>& private_data(vcl::private_scope scope, const void* owner) override;

  protected:
    // Variables of the subclass: asked for what the base does not know. false: not mine.
    virtual bool get_own(tables::vcl_variable variable, vcl::value& out) noexcept = 0;
    virtual bool set_own(tables::vcl_variable variable, const vcl::value& v) noexcept = 0;
    /// client.identity when VCL or the request set one; data() is nullptr otherwise.
    virtual std::string_view identity() const noexcept = 0;

    // Helpers for the subclasses' variables.
    vcl::value text_of(std::uint64_t number) noexcept;     // a number as a string in the workspace
    std::string_view keep(std::string_view text) noexcept; // a copy in the workspace, or a failure

  private:
    bool get_shared(tables::vcl_variable variable, vcl::value& out) noexcept;
    bool get_process_wide(tables::vcl_variable variable, vcl::value& out) noexcept;
    void set_status(vcl::message which, std::int64_t status) noexcept;
    void set_line(tables::vcl_variable variable, std::string_view text) noexcept;
    bool is_fine_header(std::string_view name, std::string_view value) noexcept;

    services* services_;
    base::task_log* log_;
    base::arena* workspace_;
    waker_source* wakers_;
    const session_facts* session_;
    const vcl::instance* program_ = nullptr;
    std::array<http::head*, 8> heads_{};
    private_table task_privates_;
    timestamps times_;
    base::seconds now_ = 0;
    vcl::sub_id current_ = vcl::sub_id::recv;
    bool failed_ = false;
    std::optional<bool> traces_;
};

} // namespace clearcoat::flow
