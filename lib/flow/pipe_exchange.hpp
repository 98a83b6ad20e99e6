// The backend half of return (pipe): the transaction with its records, the request that is sent, what VCL chose, and
// the byte counts. The client's machine makes one, runs vcl_pipe with bereq bound to head(), and hands it to the pipe.
#pragma once

#include "flow/backend_host.hpp"
#include "flow/services.hpp"
#include "flow/timestamps.hpp"

#include <cstdint>
#include <string_view>

namespace clearcoat::flow {

class pipe_exchange {
  public:
    /// Takes a number, writes Begin, Timestamp Start and the request's lines, and Link into the client's log.
    /// `expects_continue`: the client waits for "100 Continue", which the backend shall answer. `header_bytes` is what
    /// the client's head took on the wire.
    pipe_exchange(services& svc, task_host& client, const http::head& req, vcl::director* backend,
                  bool expects_continue, std::uint64_t header_bytes) noexcept;
    /// Writes BereqAcct and End.
    ~pipe_exchange();
    pipe_exchange(const pipe_exchange&) = delete;
    pipe_exchange& operator=(const pipe_exchange&) = delete;

    /// What VCL sees as bereq, and its variables.
    http::head& head() noexcept { return bereq_; }
    bereq_choice& choice() noexcept { return choice_; }
    base::vxid_number vxid() const noexcept { return log_.vxid(); }
    base::seconds start_time() const noexcept { return times_.first(); }

    /// vcl_pipe said pipe: counts the pipe in, within pipe_sess_max, and marks "Process" in both logs. False: there are
    /// too many pipes already; the request fails.
    bool enter() noexcept;

    // For the pipe itself.
    task_host& client() noexcept { return client_; }
    base::log_writer& log() noexcept { return log_; }
    void mark(std::string_view event) noexcept;
    /// Bytes of a PROXY preamble that went to the backend.
    void count_preamble(std::uint64_t bytes) noexcept { preamble_bytes_ = bytes; }
    /// The backend to use; nullptr after the record that tells why.
    vcl::director* resolve() noexcept;
    /// The bytes to send as the request, in the client's workspace; empty when there is no room.
    std::string_view format_request() noexcept;
    /// PipeAcct and the counters. `in` came from the client after the head, `out` from the backend.
    struct traffic {
        std::uint64_t bereq_header = 0;
        std::uint64_t in = 0;
        std::uint64_t out = 0;
    };
    void charge(const traffic& bytes) noexcept;

  private:
    services& svc_;
    task_host& client_;
    base::task_log& log_;
    timestamps times_;
    head_recorder recorder_;
    http::head bereq_;
    bereq_choice choice_;
    std::uint64_t header_bytes_;
    std::uint64_t preamble_bytes_ = 0;
    bool entered_ = false;
};

} // namespace clearcoat::flow
