// What a fetch machine wants done, and what it is told when it is done. Plain data; views are valid until the next
// event.
#pragma once

#include "base/clock.hpp"
#include "base/ip_address.hpp"
#include "cache/object.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace clearcoat::vcl {
class director;
}

namespace clearcoat::flow {

/// Bytes of a fetch as BereqAcct and the backend's counters show them.
struct fetch_account {
    std::uint64_t bereq_header = 0;
    std::uint64_t bereq_body = 0;
    std::uint64_t beresp_header = 0;
    std::uint64_t beresp_body = 0;
};

struct fetch_action {
    enum class kind : std::uint8_t {
        connect,    // a connection to `backend` within `timeout`, with `fresh` not a used one: on_connected(),
                    // on_connect_failed()
        send,       // `head`, then the request's body, chunked when `chunked`: on_sent()
        read,       // wait at most `timeout` for bytes, into `room`: on_read()
        release,    // give the connection back for reuse when `recycle`, else close it; count `account`: on_released()
        wait_vcl,   // until a waker of the port was called: on_woken()
        wait_stale, // until the fetch of `object` ended: on_woken()
        wait_drain, // until at most `limit` bytes of `object` are unread or it was cancelled: on_woken()
        finished    // the object has its end; destroy the machine
    };
    kind what = kind::finished;
    vcl::director* backend = nullptr;
    base::seconds timeout = 0;
    bool fresh = false;
    bool chunked = false;
    bool recycle = false;
    std::string_view head;
    std::span<char> room;
    const fetch_account* account = nullptr;
    cache::object* object = nullptr;
    std::uint64_t limit = 0;
};

struct connection_facts {
    int fd = -1;
    bool reused = false;
    bool keepable = true;          // false: never put up for reuse (a PROXY preamble was sent)
    std::uint64_t proxy_bytes = 0; // of that preamble
    std::optional<base::ip_address> remote;
    std::string_view open_record; // what BackendOpen says; used at once
};

enum class connect_fault : std::uint8_t {
    unhealthy, // probe or admin say so
    busy,      // max_connections are in use
    failed     // no connection, or its PROXY preamble could not be written
};

struct send_report {
    std::uint64_t bytes = 0; // on the wire, head included
    enum class fault : std::uint8_t {
        none,
        backend, // `error` is an errno: the backend does not take it
        client   // `error` is an errno or 0: the body ended early
    } what = fault::none;
    int error = 0;
};

struct read_report {
    enum class kind : std::uint8_t { data, end, timed_out, failed } what = kind::data;
    std::size_t bytes = 0; // at the front of the room
    int error = 0;         // errno of failed
};

} // namespace clearcoat::flow
