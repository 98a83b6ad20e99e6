// Broken invariants. A panic is always on: it reports where and what, lets a handler add the process's own picture, and
// aborts, so that the manager restarts the worker. It is never used for bad input.
#pragma once

#include <string_view>

namespace clearcoat::base {

/// Called once with the text of a panic before the process aborts; must not allocate through a corrupted heap more than
/// it can help.
using panic_handler = void (*)(std::string_view text) noexcept;

/// Installs the process's handler and returns the one before. Call it before threads start.
panic_handler set_panic_handler(panic_handler handler) noexcept;

/// Reports `what` at `file`:`line` in `function` and aborts.
[[noreturn]] void panic(const char* file, int line, const char* function, const char* what) noexcept;

} // namespace clearcoat::base

/// Checks an invariant in every build.
#define CLEARCOAT_ASSERT(condition)                                                                                    \
    (static_cast<bool>(condition) ? static_cast<void>(0)                                                               \
                                  : ::clearcoat::base::panic(__FILE__, __LINE__, __func__, #condition))
