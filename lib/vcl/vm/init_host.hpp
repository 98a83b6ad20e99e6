// The task vcl_init and vcl_fini run in: there is no client, no message, only a workspace and the log. What fails in
// vcl_init is collected as text for the CLI; nobody asked for vcl_fini, so there it is a record. Lives for one run, on
// the control thread.
#pragma once

#include "base/arena.hpp"
#include "vcl/vm/environment.hpp"
#include "vcl/vm/host.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clearcoat::vcl {

/// Sends records to the log of no transaction.
class init_log : public base::log_writer {
  public:
    explicit init_log(environment& e) : environment_(&e) {}
    void write(log_tag tag, std::string_view text) noexcept override { environment_->log_record(tag, text); }
    std::span<char> begin(log_tag tag) noexcept override;
    void end(std::size_t size) noexcept override;
    void flush() noexcept override {}

  private:
    environment* environment_;
    log_tag tag_{};
    char room_[1024];
};

class init_host : public host {
  public:
    init_host(const instance& program, environment& e, bool tells_cli)
        : program_(&program), environment_(&e), tells_cli_(tells_cli), chunks_(16 * 1024, 0), workspace_(chunks_),
          log_(e) {}

    const std::string& failures() const noexcept { return failures_; }
    void forget_failure() noexcept { failed_ = false; }
    /// Ends what modules keep for the task, which may fail it.
    void end_task() noexcept;

    base::arena& workspace() noexcept override { return workspace_; }
    base::log_writer& log() noexcept override { return log_; }
    base::seconds now() const noexcept override { return now_; }
    const instance& program() const noexcept override { return *program_; }

    std::string_view header(message, std::string_view) noexcept override { return {}; }
    void set_header(message, std::string_view, std::string_view) noexcept override {}
    void unset_header(message, std::string_view) noexcept override {}
    void add_header(message, std::string_view, std::string_view) noexcept override {}
    void edit_headers(message, const field_editor&) override {}
    void each_header(message, const std::function<bool(std::string_view, std::string_view)>&) override {}
    void collect_header(message, std::string_view, std::string_view) noexcept override {}
    value get(tables::vcl_variable variable) noexcept override;
    void set(tables::vcl_variable, const value&) noexcept override {}
    void unset(tables::vcl_variable) noexcept override {}
    void hash_data(std::string_view) noexcept override {}
    void synthetic(std::string_view, bool) noexcept override {}
    std::optional<std::string> ban(std::string_view) noexcept override;
    void rollback(message) noexcept override {}
    void fail(std::string_view reason) noexcept override;
    bool failed() const noexcept override { return failed_; }
    body_state cache_request_body(std::uint64_t) noexcept override { return body_state::failed; }
    void each_request_body_part(const std::function<bool(std::string_view)>&) override {}
    std::int64_t purge(base::seconds, base::seconds, base::seconds) noexcept override { return -1; }
    void timestamp(std::string_view) noexcept override {}
    void late_100_continue(bool) noexcept override {}
    std::optional<peer_credentials> peer() noexcept override { return std::nullopt; }
    std::string_view proxy_tlv(std::uint8_t) noexcept override { return {}; }
    std::shared_ptr<wakeup> suspend() override { return nullptr; }
    std::unique_ptr<task_private>& private_data(private_scope scope, const void* owner) override {
        return private_[{scope, owner}];
    }

  private:
    const instance* program_;
    environment* environment_;
    bool tells_cli_;
    base::chunk_cache chunks_;
    base::arena workspace_;
    init_log log_;
    base::seconds now_ = base::system_clock().real();
    std::string failures_;
    bool failed_ = false;
    std::map<std::pair<private_scope, const void*>, std::unique_ptr<task_private>> private_;
};

} // namespace clearcoat::vcl
