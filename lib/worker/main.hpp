// The worker process from its first step to its last: boot text, parameters, privileges, server, then commands from the
// manager until the connection closes. Runs on the process's main thread, which is the control thread.
#pragma once

namespace clearcoat::worker {

/// Runs a worker whose boot text is in the descriptor `boot_fd`; returns the exit status.
int main(int boot_fd);

} // namespace clearcoat::worker
