// A peer for connection tests: listens on a loopback port and answers every connection's first bytes with a fixed text.
#pragma once

#include "net/acceptor.hpp"
#include "net/socket_stream.hpp"
#include "support/loop_runner.hpp"
#include "sys/socket_address.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <sys/socket.h>

namespace clearcoat::test {

class origin final : public net::accept_sink {
  public:
    explicit origin(net::loop& l, sys::socket_address where = sys::socket_address(*base::parse_ip("127.0.0.1")))
        : loop_(l), listener_(sys::bind_stream(where, false)), acceptor_(l, listener_.get(), *this) {
        ::listen(listener_.get(), 10);
        sys::set_nonblocking(listener_.get(), true);
        acceptor_.start();
    }
    base::ip_address address() const { return net::socket_local_address(listener_.get()); }
    std::string answer;       // sent after the first bytes; empty: nothing is sent
    bool close_after = false; // closes behind the answer
    int accepted = 0;
    std::string received;

    void close_all() {
        for (auto& s : streams_) {
            s->close();
        }
    }
    void stop() {
        acceptor_.stop();
        listener_.reset();
    }

    void on_accept(const net::accepted& c) noexcept override {
        ++accepted;
        streams_.push_back(std::make_shared<net::socket_stream>(loop_));
        streams_.back()->adopt(c.fd);
        loop_.spawn(serve(streams_.back()));
    }
    void on_accept_failure(net::accept_failure, int) noexcept override {}

  private:
    net::task<> serve(std::shared_ptr<net::socket_stream> s) {
        std::array<char, 200> room;
        const net::io_result r = co_await s->read_some(room, loop_.deadline_in(5));
        received.append(room.data(), r.bytes);
        std::array<::iovec, 1> pieces;
        pieces[0] = net::piece(answer);
        if (r.ok() && !answer.empty()) {
            co_await s->write_all(pieces, loop_.deadline_in(5));
        }
        if (close_after) {
            s->close();
        }
    }

    net::loop& loop_;
    sys::unique_fd listener_;
    net::acceptor acceptor_;
    std::vector<std::shared_ptr<net::socket_stream>> streams_;
};

} // namespace clearcoat::test
