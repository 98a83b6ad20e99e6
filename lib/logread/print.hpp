// Transactions as varnishlog prints them, and as it saves them.
#pragma once

#include "logread/log_options.hpp"
#include "logread/transaction.hpp"

#include <string>

namespace clearcoat::logread {

/// Appends the group as text: a heading for each transaction, a line for each record that `options` shows, an empty
/// line.
void print_group(group g, const log_options& options, std::string& out);

/// Appends the records that `options` shows, laid out for a file of that width. The reference's records that are gone
/// from the wide layout are left out there, and numbers that a narrow record has no room for lose their upper bits.
void save_group(group g, const log_options& options, shm::record_width width, std::string& out);

} // namespace clearcoat::logread
