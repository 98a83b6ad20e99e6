// What std asks of the task, the process and the VCL.
#include "vmod/std/functions.hpp"

#include "base/clock.hpp"
#include "base/testable_random.hpp"
#include "tables/log_tags.hpp"
#include "tables/vcl_variables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include <netinet/in.h>
#include <netinet/ip.h>
#include <sys/socket.h>

namespace clearcoat::vmod::standard {

namespace {

/// Why this task's last std.ban() was refused.
struct ban_reason : vcl::task_private {
    std::string text;
};

const char ban_key = 0;

/// IP TOS or IPv6 traffic class; nothing on other sockets. What the system refuses is no fault of the request.
void set_type_of_service(int fd, int tos) noexcept {
    int family = 0;
    socklen_t size = sizeof family;
    if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0) {
        return;
    }
    if (family == AF_INET) {
        ::setsockopt(fd, IPPROTO_IP, IP_TOS, &tos, sizeof tos);
    } else if (family == AF_INET6) {
        ::setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &tos, sizeof tos);
    }
}

} // namespace

// random(REAL lo, REAL hi)
vcl::value random(vcl::call&, arguments args) {
    return vcl::value::of_real(args[0].real + base::testable_random_real() * (args[1].real - args[0].real));
}

// round(REAL r)
vcl::value round(vcl::call&, arguments args) {
    return vcl::value::of_real(std::round(args[0].real));
}

// healthy(BACKEND be)
vcl::value healthy(vcl::call& c, arguments args) {
    vcl::director* backend = args[0].backend;
    return vcl::value::of(backend != nullptr && backend->effective_state(&c.task()).healthy);
}

// syntax(REAL)
vcl::value syntax(vcl::call& c, arguments args) {
    // 4.1 has no exact double, so tenths are compared.
    return vcl::value::of(std::round(args[0].real * 10) <= c.version());
}

// getenv(STRING name)
vcl::value getenv(vcl::call& c, arguments args) {
    if (args[0].string().empty()) {
        return no_value();
    }
    const std::string_view name = c.workspace().copy(args[0].string());
    const char* found = name.data() == nullptr ? nullptr : std::getenv(name.data());
    return found == nullptr ? no_value() : text_value(found);
}

// cache_req_body(BYTES size)
vcl::value cache_req_body(vcl::call& c, arguments args) {
    if (c.where() != vcl::sub_id::recv) {
        c.task().log().write(log_tag::VCL_Error, "req.body can only be cached in vcl_recv{}");
        return vcl::value::of(false);
    }
    const std::int64_t limit = std::max<std::int64_t>(args[0].integer, 0);
    const vcl::host::body_state state = c.task().cache_request_body(static_cast<std::uint64_t>(limit));
    if (state == vcl::host::body_state::pending) {
        c.set_pending();
    }
    return vcl::value::of(state == vcl::host::body_state::ready);
}

// late_100_continue(BOOL late)
vcl::value late_100_continue(vcl::call& c, arguments args) {
    if (c.where() == vcl::sub_id::recv) {
        c.task().late_100_continue(args[0].boolean);
    } else {
        c.task().log().write(log_tag::VCL_Error, "std.late_100_continue() only valid in vcl_recv{}");
    }
    return no_value();
}

// set_ip_tos(INT tos)
vcl::value set_ip_tos(vcl::call& c, arguments args) {
    const int fd = c.task().client_descriptor();
    if (!vcl::client_subs.contains(c.where()) || fd < 0) {
        c.fail("std.set_ip_tos(): there is no client connection here");
    } else {
        set_type_of_service(fd, static_cast<int>(args[0].integer));
    }
    return no_value();
}

// rollback(HTTP h)
vcl::value rollback(vcl::call& c, arguments args) {
    if (c.where() == vcl::sub_id::pipe) {
        c.fail("Cannot rollback in vcl_pipe {}");
    } else if (args[0].http != vcl::message::req && args[0].http != vcl::message::bereq) {
        c.fail("std.rollback(): only req and bereq can be rolled back");
    } else {
        c.task().rollback(args[0].http);
    }
    return no_value();
}

// ban(STRING)
vcl::value ban(vcl::call& c, arguments args) {
    auto& reason = task_data<ban_reason>(c, &ban_key);
    reason.text = undefined(args[0]) ? "Null argument" : c.task().ban(args[0].string()).value_or("");
    if (!reason.text.empty()) {
        c.task().log().print(log_tag::VCL_Error, "ban(): {}", reason.text);
    }
    return vcl::value::of(reason.text.empty());
}

// ban_error()
vcl::value ban_error(vcl::call& c, arguments) {
    return text_value(task_data<ban_reason>(c, &ban_key).text);
}

// now(): unlike the variable, it goes on while a subroutine runs
vcl::value now(vcl::call&, arguments) {
    return vcl::value::of_real(base::system_clock().real());
}

// rfc_ttl()
vcl::value rfc_ttl(vcl::call& c, arguments) {
    c.task().unset(tables::vcl_variable::beresp_ttl);
    return no_value();
}

} // namespace clearcoat::vmod::standard
