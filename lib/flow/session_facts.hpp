// What tasks know about the client connection they work for: addresses, the listening socket, the session's number.
// Written once when the session starts, then shared by its requests and by fetches that may outlive it.
#pragma once

#include "base/ip_address.hpp"
#include "base/log.hpp"
#include "vcl/vm/host.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::flow {

struct session_facts : std::enable_shared_from_this<session_facts> {
    base::vxid_number vxid = 0;
    int descriptor = -1;        // the client's socket; open while a request of the session runs
    base::ip_address client_ip; // behind a PROXY preamble: the real client
    base::ip_address server_ip; // behind a PROXY preamble: where the client connected to
    base::ip_address remote_ip; // of the TCP connection
    base::ip_address local_ip;
    std::string client_ip_text;            // what client.identity is by default
    std::string_view local_socket;         // "a0"; the listener's own, as the next
    std::string_view local_endpoint;       // as given to -a
    std::string_view transport = "HTTP/1"; // req.transport
    std::optional<vcl::peer_credentials> peer;
    std::unique_ptr<std::map<std::uint8_t, std::string>> proxy_tlvs; // of a PROXY 2 preamble, raw; mostly none
};

} // namespace clearcoat::flow
