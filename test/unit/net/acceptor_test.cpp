#include "net/acceptor.hpp"
#include "support/loop_runner.hpp"
#include "sys/socket_address.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <vector>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace clearcoat;
using test::run_on;

namespace {

struct collector final : net::accept_sink {
    std::vector<sys::unique_fd> got;
    std::vector<base::ip_address> peers;
    int failures = 0;
    net::accept_failure last = net::accept_failure::other;
    void on_accept(const net::accepted& c) noexcept override {
        got.emplace_back(c.fd);
        peers.push_back(c.peer);
    }
    void on_accept_failure(net::accept_failure why, int) noexcept override {
        ++failures;
        last = why;
    }
};

sys::unique_fd listener() {
    auto fd = sys::bind_stream(sys::socket_address(*base::parse_ip("127.0.0.1")), false);
    REQUIRE(fd);
    REQUIRE(::listen(fd.get(), 200) == 0);
    sys::set_nonblocking(fd.get(), true);
    return fd;
}

net::task<> accept_many(net::loop& l) {
    auto fd = listener();
    const auto address = sys::socket_address::local_of(fd.get());
    collector sink;
    net::acceptor a(l, fd.get(), sink);
    CHECK(a.start() == 0);
    std::vector<sys::unique_fd> clients;
    for (int i = 0; i < 150; ++i) {
        clients.push_back(sys::start_connect(address));
    }
    for (int i = 0; i < 100 && sink.got.size() < 150; ++i) {
        co_await test::pause(l, 0.01);
    }
    CHECK(sink.got.size() == 150);
    CHECK(sink.failures == 0);
    CHECK(sink.peers[0].kind == base::ip_address::family::v4);
    CHECK(sink.peers[0].port != 0);
    a.stop();
    clients.push_back(sys::start_connect(address));
    co_await test::pause(l, 0.03);
    CHECK(sink.got.size() == 150);
    CHECK(a.start() == 0);
    co_await test::pause(l, 0.03);
    CHECK(sink.got.size() == 151);
}

int option_of(const sys::unique_fd& fd, int level, int option) {
    int value = -1;
    socklen_t size = sizeof value;
    CHECK(::getsockopt(fd.get(), level, option, &value, &size) == 0);
    return value;
}

net::task<> keep_alive(net::loop& l) {
    auto fd = listener();
    collector sink;
    net::acceptor a(l, fd.get(), sink);
    net::keepalive_settings how;
    how.idle_seconds = 100;
    how.interval_seconds = 20;
    how.probes = 3;
    a.set_keepalive(how);
    CHECK(a.start() == 0);
    const auto client = sys::start_connect(sys::socket_address::local_of(fd.get()));
    co_await test::pause(l, 0.03);
    how.idle_seconds = 50;
    a.set_keepalive(how);
    const auto later = sys::start_connect(sys::socket_address::local_of(fd.get()));
    co_await test::pause(l, 0.03);
    REQUIRE(sink.got.size() == 2);
    CHECK(option_of(sink.got[0], SOL_SOCKET, SO_KEEPALIVE) == 1);
    CHECK(option_of(sink.got[0], IPPROTO_TCP, TCP_KEEPIDLE) == 100);
    CHECK(option_of(sink.got[0], IPPROTO_TCP, TCP_KEEPINTVL) == 20);
    CHECK(option_of(sink.got[0], IPPROTO_TCP, TCP_KEEPCNT) == 3);
    CHECK(option_of(sink.got[1], IPPROTO_TCP, TCP_KEEPIDLE) == 50);
}

net::task<> run_out_of_files(net::loop& l) {
    auto fd = listener();
    collector sink;
    net::acceptor a(l, fd.get(), sink);
    CHECK(a.start() == 0);
    const auto client = sys::start_connect(sys::socket_address::local_of(fd.get()));
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    rlimit tight = before;
    tight.rlim_cur = 0;
    ::setrlimit(RLIMIT_NOFILE, &tight);
    co_await test::pause(l, 0.12);
    ::setrlimit(RLIMIT_NOFILE, &before);
    CHECK(sink.failures >= 1);
    CHECK(sink.failures <= 5); // it pauses instead of spinning
    CHECK(sink.last == net::accept_failure::no_files);
    co_await test::pause(l, 0.12);
    CHECK(sink.got.size() == 1);
}

} // namespace

TEST_CASE("Every waiting connection is accepted; after stop() none") {
    net::loop l(0);
    run_on(l, accept_many(l));
}

TEST_CASE("Without descriptors the acceptor pauses and recovers") {
    net::loop l(0);
    run_on(l, run_out_of_files(l));
}

TEST_CASE("Accepted connections are kept alive as the acceptor was told") {
    net::loop l(0);
    run_on(l, keep_alive(l));
}
