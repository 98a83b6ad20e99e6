// A management connection from the client's side: connects, answers the challenge, sends lines and reads framed
// answers. Blocking, with a timeout for each wait.
#pragma once

#include "cli/status.hpp"
#include "sys/fd.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::varnishadm {

struct answer {
    cli::status status = cli::status::communication;
    std::string text; // of a failed communication: what went wrong
};

class admin_link {
  public:
    explicit admin_link(double timeout) noexcept : timeout_(timeout) {}

    /// Connects to `endpoint` and authenticates with the file `secret` if that is asked for; complains on stderr and
    /// returns false when it cannot.
    bool open(const std::string& endpoint, const std::optional<std::string>& secret);

    int fd() const noexcept { return fd_.get(); }
    /// Sends as it is; false with errno set when the other end is gone.
    bool send(std::string_view text) noexcept;
    /// No more will be sent.
    void finish_sending() noexcept;
    /// The next answer. Status `communication` when there is none; of an end between two answers, with an empty text.
    answer read();

  private:
    bool connect(const std::string& endpoint, std::string& error);
    bool authenticate(const std::string& challenge, const std::optional<std::string>& secret, answer& greeting);
    std::size_t receive(char* to, std::size_t size) noexcept;

    double timeout_;
    sys::unique_fd fd_;
};

} // namespace clearcoat::varnishadm
