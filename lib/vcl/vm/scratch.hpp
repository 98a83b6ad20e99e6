// Room for the machine's own use: what the reference has on the stack is not taken from the task's workspace, so it
// does not count against its limit. Private to vm/.
#pragma once

#include "base/arena.hpp"

#include <cstddef>
#include <limits>
#include <span>

namespace clearcoat::vcl {

/// `count` elements that live as long as the workspace; empty when memory is out.
template<class T>
std::span<T> scratch(base::arena& workspace, std::size_t count) noexcept {
    const std::size_t size = count * sizeof(T);
    if (workspace.limit() <= std::numeric_limits<std::size_t>::max() - size) {
        workspace.set_limit(workspace.limit() + size);
    }
    return workspace.make_array<T>(count);
}

} // namespace clearcoat::vcl
