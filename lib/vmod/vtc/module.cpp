// Module vtc: vmod_vtc(3), for varnishtest scripts.
#include "vmod/registry.hpp"
#include "vmod/vtc/functions.hpp"

#include "base/panic.hpp"

#include <algorithm>
#include <string>

namespace clearcoat::vmod {

namespace {

vcl::value no_backend(vcl::call&, arguments) {
    return vcl::value::of(static_cast<vcl::director*>(nullptr));
}

vcl::value no_stevedore(vcl::call&, arguments) {
    return vcl::value::of(static_cast<const vcl::storage_handle*>(nullptr));
}

vcl::value no_ip(vcl::call&, arguments) {
    return vcl::value::of(static_cast<const base::ip_address*>(nullptr));
}

vcl::value panic(vcl::call& c, arguments args) {
    const std::string text = "PANIC:" + std::string(c.join(args[0].strands));
    base::panic("VCL", 0, "", text.c_str());
}

std::size_t size_of(char letter) noexcept {
    switch (letter) {
    case 'c':
        return sizeof(char);
    case 'd':
        return sizeof(double);
    case 'f':
        return sizeof(float);
    case 'i':
    case 'u':
        return sizeof(int);
    case 'j':
    case 'o':
        return sizeof(std::int64_t);
    case 'l':
        return sizeof(long);
    case 'p':
        return sizeof(void*);
    case 's':
        return sizeof(short);
    case 'z':
        return sizeof(std::size_t);
    default:
        return 0;
    }
}

std::size_t aligned(std::size_t size, std::size_t to) noexcept {
    return (size + to - 1) / to * to;
}

// typesize(STRING)
vcl::value typesize(vcl::call&, arguments args) {
    std::size_t total = 0;
    std::size_t widest = 1;
    for (char letter : args[0].string()) {
        const std::size_t size = size_of(letter);
        if (size == 0) {
            return vcl::value::of_integer(-1);
        }
        widest = std::max(widest, size);
        total = aligned(total, size) + size;
    }
    return vcl::value::of_integer(static_cast<std::int64_t>(aligned(total, widest)));
}

constexpr vcl::function_row functions[] = {
    {"VOID barrier_sync(STRING addr, DURATION timeout=0)", vtc::barrier_sync},
    {"BACKEND no_backend()", no_backend},
    {"STEVEDORE no_stevedore()", no_stevedore},
    {"IP no_ip()", no_ip},
    {"VOID panic(STRANDS)", panic},
    {"VOID sleep(DURATION)", vtc::sleep},
    {"VOID workspace_alloc(ENUM {client, backend, session, thread}, INT size)", vtc::workspace_alloc},
    {"BYTES workspace_reserve(ENUM {client, backend, session, thread}, INT size)", vtc::workspace_reserve},
    {"INT workspace_free(ENUM {client, backend, session, thread})", vtc::workspace_free},
    {"VOID workspace_snapshot(ENUM {client, backend, session, thread})", vtc::workspace_snapshot},
    {"VOID workspace_reset(ENUM {client, backend, session, thread})", vtc::workspace_reset},
    {"BOOL workspace_overflowed(ENUM {client, backend, session, thread})", vtc::workspace_overflowed},
    {"VOID workspace_overflow(ENUM {client, backend, session, thread})", vtc::workspace_overflow},
    {"BLOB workspace_dump(ENUM {client, backend, session, thread}, ENUM {s, f, r}, BYTES off=0, BYTES len=64)",
     vtc::workspace_dump},
    {"INT typesize(STRING)", typesize},
    {"BLOB proxy_header(ENUM {v1, v2} version, IP client, IP server, STRING authority=0)", vtc::proxy_header},
    {"VOID vsl(INT vxid, STRING tag, ENUM {c, b} side, STRANDS s)", vtc::vsl},
    {"VOID vsl_replay(STRANDS s)", vtc::vsl_replay},
};

} // namespace

const vcl::module_row vtc_module{"vtc", "what test scripts need", functions};

} // namespace clearcoat::vmod
