// Workspaces in vtc scripts. DIFFERS: a task has one workspace here, so whichever the script names, that one is meant;
// and it is no fixed block of memory that could be dumped.
#include "vmod/vtc/functions.hpp"

#include <cstring>

#include <fmt/core.h>

namespace clearcoat::vmod::vtc {

namespace {

struct snapshot : vcl::task_private {
    base::arena::mark mark{};
};

const char snapshot_key = 0;

/// A negative size leaves that much free.
std::int64_t effective_size(const vcl::call& c, std::int64_t size) noexcept {
    return size < 0 ? static_cast<std::int64_t>(c.workspace().available()) + size : size;
}

} // namespace

// workspace_alloc(ENUM which, INT size)
vcl::value workspace_alloc(vcl::call& c, arguments args) {
    const std::int64_t size = effective_size(c, args[1].integer);
    if (size <= 0) {
        c.fail("Attempted negative WS allocation");
    } else if (void* room = c.workspace().allocate(static_cast<std::size_t>(size), 1)) {
        std::memset(room, 0, static_cast<std::size_t>(size));
    } else {
        c.fail("vtc.workspace_alloc");
    }
    return no_value();
}

// workspace_reserve(ENUM which, INT size)
vcl::value workspace_reserve(vcl::call& c, arguments args) {
    const std::int64_t size = effective_size(c, args[1].integer);
    if (size <= 0) {
        c.fail("Attempted negative WS reservation");
        return vcl::value::of_integer(0);
    }
    const auto wanted = static_cast<std::size_t>(size);
    const bool fits = wanted <= c.workspace().available();
    return vcl::value::of_integer(fits ? size : 0);
}

// workspace_free(ENUM which)
vcl::value workspace_free(vcl::call& c, arguments) {
    return vcl::value::of_integer(static_cast<std::int64_t>(c.workspace().available()));
}

// workspace_snapshot(ENUM which)
vcl::value workspace_snapshot(vcl::call& c, arguments) {
    task_data<snapshot>(c, &snapshot_key).mark = c.workspace().position();
    return no_value();
}

// workspace_reset(ENUM which)
vcl::value workspace_reset(vcl::call& c, arguments) {
    if (c.task().private_data(vcl::private_scope::task, &snapshot_key) == nullptr) {
        c.fail("vtc.workspace_reset(): there is no snapshot");
    } else {
        c.workspace().rewind(task_data<snapshot>(c, &snapshot_key).mark);
    }
    return no_value();
}

// workspace_overflowed(ENUM which)
vcl::value workspace_overflowed(vcl::call& c, arguments) {
    return vcl::value::of(c.workspace().overflowed());
}

// workspace_overflow(ENUM which)
vcl::value workspace_overflow(vcl::call& c, arguments) {
    c.workspace().set_overflowed(true);
    return no_value();
}

// workspace_dump(ENUM which, ENUM where, BYTES off=0, BYTES len=64)
vcl::value workspace_dump(vcl::call& c, arguments) {
    c.fail("workspace_dump: not supported: a workspace is no fixed block of memory here");
    return no_value();
}

} // namespace clearcoat::vmod::vtc
