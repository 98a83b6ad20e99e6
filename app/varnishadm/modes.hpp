// What varnishadm does once it is connected: run the command of its arguments, pass lines through, or talk with a
// person at a terminal. Each returns the exit status.
#pragma once

#include "admin_link.hpp"

#include <span>

namespace clearcoat::varnishadm {

/// One command; its words are joined by blanks as they are. `plain` (-p) prints the protocol's framing.
int run_command(admin_link& link, std::span<char* const> words, bool plain);
/// Copies stdin to the connection and prints the answers, until one of them ends.
int pass_through(admin_link& link, bool plain);
/// A prompt with line editing, history and completion of commands.
int interact(admin_link& link);

} // namespace clearcoat::varnishadm
