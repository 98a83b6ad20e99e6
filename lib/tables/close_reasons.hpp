// Why a connection was closed: what SessClose and BackendClose records say and which MAIN.sc_* counter is bumped.
#pragma once

#include "tables/counters.hpp"

#include <cstdint>
#include <string_view>

namespace clearcoat::tables {

enum class close_reason : std::uint8_t {
    none,
#define CLEARCOAT_CLOSE_REASON(name, counter, is_error, text) counter,
#include "tables/close_reasons.def"
};

/// The name in the log ("REM_CLOSE"); "NULL" for none, as the reference prints it.
std::string_view name_of(close_reason reason) noexcept;
/// A few words for people ("Client Closed").
std::string_view text_of(close_reason reason) noexcept;
/// Whether the close counts in MAIN.sess_closed_err.
bool is_error(close_reason reason) noexcept;
/// Counts the close: MAIN.sess_closed, sess_closed_err for an error, and the reason's own counter.
void count_close(main_counters& counters, close_reason reason) noexcept;

} // namespace clearcoat::tables
