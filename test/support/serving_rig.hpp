// A loop that serves one client connection out of a real cache, with a real log ring and the builtin VCL, all on the
// calling thread: the caller plays the client between the loop's turns. For tests and benchmarks of the hot path.
#pragma once

#include "support/fetch_bench.hpp"

#include "base/sha256.hpp"
#include "net/acceptor.hpp"
#include "net/loop.hpp"
#include "server/h1_request.hpp"
#include "server/h1_session.hpp"
#include "server/listener.hpp"
#include "server/loop_context.hpp"
#include "shm/log_ring.hpp"
#include "worker/loop_logs.hpp"
#include "worker/vxids.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace clearcoat::test {

class serving_rig {
  public:
    /// With "/object", a body of `body_size` bytes, in the cache, and VCL in front of the builtin one.
    explicit serving_rig(std::size_t body_size = 1024, const std::string& vcl = {}) : bench_(vcl) {
        bench_.clock.at = base::system_clock().real();
        add("/object", "Content-Type: text/plain\r\n", std::string(body_size, 'x'));
    }
    /// Puts a response of host example.com into the cache.
    void add(const std::string& url, const std::string& fields, const std::string& body) {
        base::sha256 key;
        for (std::string_view part : {std::string_view(url), std::string_view("example.com")}) {
            key.update(part);
            key.update(std::string_view("\0", 1));
        }
        const base::digest digest = key.finish();
        bench_.set_request("GET", url);
        flow::fetch_request miss =
            bench_.miss(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
        const std::string head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\n" + fields +
                                 "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
        const std::string wrong = bench_.run(std::move(miss), {connects(), sends(), receives(head + body)});
        if (!wrong.empty()) {
            throw std::runtime_error(wrong);
        }
    }
    ~serving_rig() {
        hang_up();
        loop.run_ready();
    }
    serving_rig(const serving_rig&) = delete;
    serving_rig& operator=(const serving_rig&) = delete;

    /// Connects a client; an earlier one hangs up.
    void connect() {
        hang_up();
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) {
            throw std::runtime_error("socketpair");
        }
        client_ = ends[0];
        server::h1_session::start(context_, listener_, {ends[1], base::bogus_ip});
        loop.run_ready();
    }
    /// Sends `request`, lets the loop work, and gives what came back. The client's own system calls are not counted.
    std::string_view exchange(std::string_view request) {
        write(request);
        loop.run_ready();
        return read();
    }
    void write(std::string_view bytes) noexcept {
        static_cast<void>(::syscall(SYS_sendto, client_, bytes.data(), bytes.size(), MSG_NOSIGNAL, nullptr, 0));
    }
    /// What has come; empty also at the end.
    std::string_view read() noexcept {
        const ssize_t got = ::syscall(SYS_read, client_, answer_.data(), answer_.size());
        return {answer_.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
    }
    void hang_up() noexcept {
        if (client_ >= 0) {
            ::close(client_);
            client_ = -1;
        }
    }

    static constexpr std::string_view hit = "GET /object HTTP/1.1\r\nHost: example.com\r\n\r\n";

    net::loop loop{0};
    const tables::main_counters& counters() const noexcept { return delta_; }
    server::loop_context& context() noexcept { return context_; }

  private:
    class only_vcl final : public flow::vcl_source {
      public:
        explicit only_vcl(flow::vcl_hold it) noexcept : it_(std::move(it)) {}
        flow::vcl_hold active() noexcept override { return it_; }
        flow::vcl_hold by_label(std::string_view) noexcept override { return {}; }

      private:
        flow::vcl_hold it_;
    };
    class numbers final : public flow::vxid_source {
      public:
        base::vxid_number next_vxid() noexcept override { return ++last_; }

      private:
        base::vxid_number last_ = 1000;
    };

    fetch_bench bench_;
    tables::main_counters delta_;
    std::vector<std::byte> ring_memory_ = std::vector<std::byte>(8u << 20);
    shm::log_ring ring_{ring_memory_, bench_.block, bench_.shared};
    worker::loop_logs logs_{ring_, delta_};
    numbers vxids_;
    only_vcl vcls_{bench_.vcl.program()};
    server::slot_pool session_memory_{server::h1_session::memory_size, 16};
    server::slot_pool request_memory_{server::h1_request::memory_size, 16};
    flow::services services_{base::system_clock(), bench_.block, delta_, bench_.shared, bench_.cache,
                             bench_.svc.storages,  vxids_,       logs_,  loop.chunks(), bench_.svc.identity,
                             bench_.svc.hostname};
    server::loop_context context_{loop, services_, vcls_, session_memory_, request_memory_};
    server::listener listener_{"a0", "127.0.0.1:80", false, true};
    int client_ = -1;
    std::vector<char> answer_ = std::vector<char>(2u << 20);
};

} // namespace clearcoat::test
