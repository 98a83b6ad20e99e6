// The manager's end of the management connection to the worker: one question, one answer, in lockstep. A worker that
// does not answer in time is lost: the caller is told, and nothing more is asked.
#pragma once

#include "base/clock.hpp"
#include "cli/status.hpp"
#include "sys/fd.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace clearcoat::manager {

class worker_link {
  public:
    struct answer {
        cli::status code = cli::status::cannot;
        std::string text;
        bool ok() const noexcept { return code == cli::status::ok || code == cli::status::truncated; }
    };

    /// `timeout` gives the present cli_timeout; `on_failure` hears of a connection that broke or timed out.
    worker_link(std::function<base::seconds()> timeout, std::function<void()> on_failure)
        : timeout_(std::move(timeout)), on_failure_(std::move(on_failure)) {}

    void attach(sys::unique_fd fd) { fd_ = std::move(fd); }
    /// Closes the connection, which tells the worker to end.
    void close() { fd_.reset(); }
    bool open() const noexcept { return static_cast<bool>(fd_); }

    /// Sends a command line (a newline is added) and waits for the answer. `cannot` when there is no worker,
    /// `communication` when it failed.
    answer ask(std::string_view line);
    /// Waits for an answer without asking: the worker's first word. At least `patience` seconds.
    answer listen(base::seconds patience = 0);

  private:
    bool receive(char* to, std::size_t size, base::seconds deadline);
    answer failed(std::string_view text);

    std::function<base::seconds()> timeout_;
    std::function<void()> on_failure_;
    sys::unique_fd fd_;
};

} // namespace clearcoat::manager
