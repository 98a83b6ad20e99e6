// The counters printed once: as text, XML, JSON, or only their names.
#pragma once

#include "logread/counters.hpp"

#include <string>

namespace clearcoat::varnishstat {

/// -1. `uptime` in seconds, for the rates; 0 where it is not known.
std::string as_text(const logread::counter_list& counters, bool raw, double uptime);
/// -x and -j. `timestamp` is the local time, as ISO 8601 without a zone.
std::string as_xml(const logread::counter_list& counters, bool raw, const std::string& timestamp);
std::string as_json(const logread::counter_list& counters, bool raw, const std::string& timestamp);
/// -l
std::string as_names(const logread::counter_list& counters);

} // namespace clearcoat::varnishstat
