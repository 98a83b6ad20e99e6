// Room for the machine's own use: what the reference has on the stack is not taken from the task's workspace, so it
// does not count against its limit. Private to vm/.
#pragma once

#include "base/arena.hpp"

#include <cstddef>
#include <new>
#include <span>

namespace clearcoat::vcl {

/// `count` elements that live as long as the workspace; empty when memory is out.
template<class T>
std::span<T> scratch(base::arena& workspace, std::size_t count) noexcept {
    void* place = workspace.allocate_uncounted(count * sizeof(T), alignof(T));
    return place == nullptr ? std::span<T>() : std::span<T>(new (place) T[count](), count);
}

} // namespace clearcoat::vcl
