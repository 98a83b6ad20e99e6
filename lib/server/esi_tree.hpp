// What a page, the fragments it includes and those they include share while one client's request is answered: they go
// out one after the other, so they wait with one waker and write to one end. Loop thread only.
#pragma once

#include "cache/body_cursor.hpp"
#include "flow/client_host.hpp"
#include "flow/request.hpp"
#include "net/mail.hpp"
#include "server/body_sink.hpp"
#include "server/cache_waiter.hpp"
#include "server/loop_context.hpp"

#include <span>

namespace clearcoat::server {

/// The way to the client. It may hold bytes back until flush().
class client_end : public body_sink {
  public:
    /// Before any wait that is not for the client itself. A client that is gone makes it false.
    virtual net::task<bool> flush() = 0;
    /// Lets the loop's other tasks go first.
    virtual net::task<> yield() = 0;
    virtual bool stopping() const noexcept = 0;

    /// Nothing more can or shall be sent.
    bool over() const noexcept { return over_; }
    void give_up() noexcept { over_ = true; }

  protected:
    ~client_end() = default;

  private:
    bool over_ = false;
};

struct esi_tree {
    esi_tree(loop_context& context_, flow::request& top_, flow::client_host& top_host_, net::waker& waker_,
             cache_waiter& waiting_, client_end& client_) noexcept
        : context(context_), top(top_), top_host(top_host_), waker(waker_), waiting(waiting_), client(client_) {}

    loop_context& context;
    flow::request& top;
    flow::client_host& top_host;
    net::waker& waker;     // the top request's own
    cache_waiter& waiting; // wakes it
    client_end& client;
    unsigned served = 0; // includes
};

/// What `from` has, at most `limit` bytes, waiting for it where needed. Never pending; failed also when the client is
/// gone or the loop stops.
net::task<cache::cursor_read> read_on(esi_tree& tree, cache::body_cursor& from, std::span<std::span<const char>> parts,
                                      std::uint64_t limit);

} // namespace clearcoat::server
