// varnishstat's screen: the counters in a list to move in, drawn with curses until a key or a signal ends it.
#pragma once

#include "logread/counters.hpp"

namespace clearcoat::varnishstat {

/// Follows `instance` over restarts of its processes. Returns when the user or a signal (INT, TERM, HUP) wants it.
void show(logread::instance& instance, logread::counter_filter filter, bool raw);

} // namespace clearcoat::varnishstat
