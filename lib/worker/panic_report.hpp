// A panic's text goes into a block that manager and worker share, so that it outlives the worker (panic.show).
// Installed once at start; the handlers run on whatever thread broke.
#pragma once

#include "cli/worker_boot.hpp"

#include <string_view>

namespace clearcoat::worker {

/// Maps the block and takes over base::panic and, where `signals`, SIGSEGV, SIGBUS, SIGABRT, SIGILL and SIGFPE.
void install_panic_report(const cli::worker_boot& boot, bool signals);

/// Adds what the process was doing, written into `room`; gives the bytes used. Called while panicking, so it must not
/// lock or allocate.
using panic_detail = std::size_t (*)(char* room, std::size_t size) noexcept;
void set_panic_detail(panic_detail detail) noexcept;

} // namespace clearcoat::worker
