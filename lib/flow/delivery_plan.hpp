// How a response's body goes out: decided once the head is complete, followed by the delivery.
#pragma once

#include "body/range_window.hpp"
#include "body/stage.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace clearcoat::vcl {
class host;
}

namespace clearcoat::flow {

struct request;

struct delivery_plan {
    bool send_body = false;
    bool chunked = false;
    bool esi = false; // before the others
    bool gunzip = false;
    std::vector<std::unique_ptr<body::stage>> modules; // filters of modules, behind gunzip and before a range
    bool ranged = false;
    body::range_window window; // of a ranged one
    std::int64_t length = -1;  // of the body as sent, -1 unknown

    bool filtered() const noexcept { return esi || gunzip || ranged || !modules.empty(); }
};

/// Decides for `r.response`, about to answer with `r.object`: filters, range, Content-Length, whether there is a body.
/// False when the filters cannot be had: the reason is logged, and the connection is to be closed. `task` is the
/// request's.
bool plan_delivery(request& r, vcl::host& task, delivery_plan& plan) noexcept;

/// What HTTP/1 adds: Connection, Transfer-Encoding, and the reason to close after it.
void frame_http1(request& r, delivery_plan& plan) noexcept;

} // namespace clearcoat::flow
