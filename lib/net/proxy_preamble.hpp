// The PROXY protocol's preamble, versions 1 and 2: a parser for what a load balancer puts in front of a client's bytes,
// and a writer for what we send to a backend that asks for it. Source: proxy-protocol.txt of HAProxy; limits and what
// is ignored as in the reference. No I/O.
#pragma once

#include "base/ip_address.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clearcoat::net {

/// The longest payload a version 2 preamble may have behind its 16 byte head.
constexpr std::size_t proxy_payload_limit = 1024;
/// A buffer of this size always holds a whole acceptable preamble.
constexpr std::size_t proxy_preamble_limit = 16 + proxy_payload_limit;

struct proxy_preamble {
    enum class state : std::uint8_t {
        more,     // incomplete: read on, up to proxy_preamble_limit
        accepted, // `consumed` bytes are the preamble, what follows is the client's
        junk,     // not PROXY, or faulty: close the connection
        overflow  // too long: close the connection
    };
    state result = state::more;
    std::size_t consumed = 0;
    std::uint8_t version = 0;
    bool has_addresses = false; // false for LOCAL and for families we ignore: keep the socket's addresses
    base::ip_address client;
    base::ip_address server;
    std::string_view tlvs; // version 2's extensions, within the input
    std::string record;    // what to log as Proxy; empty: nothing
    std::string complaint; // what to log as ProxyGarbage, behind it; empty: nothing
};

/// Looks at all bytes received so far.
proxy_preamble parse_proxy_preamble(std::string_view bytes);

/// Finds a version 2 extension, also inside the SSL extension; data() is nullptr when it is not there.
std::string_view find_proxy_tlv(std::string_view tlvs, std::uint8_t type) noexcept;

/// The preamble for a connection from `client` to `server`, which are of one family (version 1 or 2). `authority`, when
/// not empty, becomes the version 2 extension of that name.
std::string format_proxy_preamble(unsigned version, const base::ip_address& client, const base::ip_address& server,
                                  std::string_view authority = {});

/// What health probes send: version 1 tells the socket's own address twice, version 2 is LOCAL.
std::string format_probe_preamble(unsigned version, const base::ip_address& local, bool is_ip);

} // namespace clearcoat::net
