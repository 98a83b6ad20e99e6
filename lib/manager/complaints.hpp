// What the manager tells the world: lines on stderr when it stays in the foreground, and syslog records. A thread of
// its own talks to syslog, so that a stuck syslog daemon never holds the manager up.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/core.h>

namespace clearcoat::tables {
class param_block;
}

namespace clearcoat::manager {

enum class level { error, info, debug, security, cli };

class complaints {
  public:
    /// `params` decides about CLI traffic and the test mode; it outlives this.
    explicit complaints(const tables::param_block& params) noexcept : params_(params) {}
    /// Waits a second at most for what syslog has not taken yet.
    ~complaints();
    complaints(const complaints&) = delete;
    complaints& operator=(const complaints&) = delete;

    void to_stderr(bool on) noexcept { to_stderr_ = on; }

    /// "Error:", "Info:", "Debug:", "Security:" go to stderr and syslog, CLI traffic to syslog if the parameter
    /// syslog_cli_traffic is on.
    void say(level l, std::string_view text);
    template<class... Args>
    void print(level l, fmt::format_string<Args...> format, Args&&... args) {
        say(l, fmt::format(format, std::forward<Args>(args)...));
    }

  private:
    // Shared with the thread, which may outlive this object when syslog hangs.
    struct outbox {
        std::mutex mutex; // guards what follows
        std::condition_variable changed;
        std::deque<std::pair<int, std::string>> queue; // priority, text
        bool ending = false;
        bool ended = false;
    };
    void enqueue(int priority, std::string_view text);
    static void run(outbox& box);

    const tables::param_block& params_;
    bool to_stderr_ = false;
    std::shared_ptr<outbox> outbox_ = std::make_shared<outbox>();
    std::thread thread_;
};

} // namespace clearcoat::manager
