// The signals of the tools, counted by handlers: what a signal means is the tool's loop's affair.
#pragma once

#include <csignal>

namespace clearcoat::logread::signals {

extern volatile std::sig_atomic_t ended; // INT or TERM came
extern volatile std::sig_atomic_t hups;
extern volatile std::sig_atomic_t usr1s;

/// Takes INT, TERM, HUP and USR1 over. System calls that wait are interrupted.
void take_over() noexcept;

} // namespace clearcoat::logread::signals
