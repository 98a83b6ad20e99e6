#include "base/panic.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace clearcoat::base {

namespace {

std::atomic<panic_handler> installed = nullptr;

} // namespace

panic_handler set_panic_handler(panic_handler handler) noexcept {
    return installed.exchange(handler);
}

void panic(const char* file, int line, const char* function, const char* what) noexcept {
    char text[1024];
    const int length =
        std::snprintf(text, sizeof text, "Assert error in %s(), %s line %d:\n  Condition(%s) not true.\nerrno = %d\n",
                      function, file, line, what, errno);
    const std::size_t size = length < 0 ? 0 : std::min(static_cast<std::size_t>(length), sizeof text - 1);
    if (::write(STDERR_FILENO, text, size) < 0) {
        // Nothing is left to tell it to.
    }
    if (panic_handler handler = installed.exchange(nullptr)) {
        handler({text, size});
    }
    std::abort();
}

} // namespace clearcoat::base
