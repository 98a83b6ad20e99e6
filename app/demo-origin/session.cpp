#include "session.hpp"

#include "base/date.hpp"

#include <array>
#include <ctime>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace demo {

namespace {

namespace http = boost::beast::http;
using clearcoat::net::io;
using clearcoat::net::task;
using timer = asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                                         clearcoat::net::executor>;
using parser = http::request_parser<http::string_body>;
using response = http::response<http::span_body<char>>;

constexpr std::uint64_t largest_request_body = 64u << 20;

std::string_view field(const parser& p, http::field name) {
    const auto value = p.get()[name];
    return {value.data(), value.size()};
}

page answer(site& pages, const parser& p) {
    request r;
    r.method = {p.get().method_string().data(), p.get().method_string().size()};
    r.target = {p.get().target().data(), p.get().target().size()};
    r.cookie = field(p, http::field::cookie);
    r.if_none_match = field(p, http::field::if_none_match);
    r.body = p.get().body();
    return pages.answer(r);
}

response head_of(const page& made, const parser& p) {
    response out(static_cast<http::status>(made.status), p.get().version());
    std::array<char, clearcoat::base::date_size> room;
    const std::string_view date = clearcoat::base::format_date(static_cast<double>(std::time(nullptr)), room);
    out.set(http::field::server, "demo-origin");
    out.set(http::field::date, boost::beast::string_view(date.data(), date.size()));
    out.set(http::field::content_type, made.type);
    out.set(http::field::cache_control, made.cache_control);
    if (!made.etag.empty()) {
        out.set(http::field::etag, made.etag);
    }
    if (!made.set_cookie.empty()) {
        out.set(http::field::set_cookie, made.set_cookie);
    }
    if (made.status != 304) {
        out.content_length(made.body.size());
    }
    out.keep_alive(p.get().keep_alive());
    return out;
}

struct session {
    session(socket s, site& p) : peer(std::move(s)), pages(p), pause(peer.get_executor()) {}
    socket peer;
    site& pages;
    timer pause;
    boost::beast::flat_buffer input;
};

task<bool> read_request(session& s, parser& p) {
    p.body_limit(largest_request_body);
    auto [head_error, head_size] = co_await http::async_read_header(s.peer, s.input, p, io);
    if (head_error) {
        co_return false;
    }
    if (p.get()[http::field::expect] == "100-continue") {
        http::response<http::empty_body> go_on(http::status::continue_, p.get().version());
        auto [error, size] = co_await http::async_write(s.peer, go_on, io);
        if (error) {
            co_return false;
        }
    }
    auto [error, size] = co_await http::async_read(s.peer, s.input, p, io);
    co_return !error;
}

task<bool> exchange(session& s) {
    parser p;
    const bool got = co_await read_request(s, p);
    if (!got) {
        co_return false;
    }
    page made = answer(s.pages, p);
    if (made.delay.count() > 0) {
        s.pause.expires_after(made.delay);
        co_await s.pause.async_wait(io);
    }
    response out = head_of(made, p);
    if (p.get().method() != http::verb::head) {
        out.body() = boost::beast::span<char>(made.body.data(), made.body.size());
    }
    auto [error, size] = co_await http::async_write(s.peer, out, io);
    co_return !error && out.keep_alive();
}

task<> serve(socket peer, site& pages) {
    session s(std::move(peer), pages);
    boost::system::error_code ignored;
    s.peer.set_option(asio::ip::tcp::no_delay(true), ignored);
    for (bool more = true; more;) {
        more = co_await exchange(s);
    }
    s.peer.shutdown(socket::shutdown_send, ignored);
}

} // namespace

task<> accept_all(acceptor& listener, site& pages) {
    for (;;) {
        auto [error, peer] = co_await listener.async_accept(io);
        if (error == asio::error::operation_aborted || error == asio::error::bad_descriptor) {
            co_return;
        }
        if (!error) {
            asio::co_spawn(listener.get_executor(), serve(std::move(peer), pages), asio::detached);
            continue;
        }
        timer pause(listener.get_executor(), std::chrono::milliseconds(50)); // out of descriptors
        co_await pause.async_wait(io);
    }
}

} // namespace demo
