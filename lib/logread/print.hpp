// Transactions as varnishlog prints them, and as it saves them.
#pragma once

#include "logread/log_options.hpp"
#include "logread/transaction.hpp"

#include <string>

namespace clearcoat::logread {

/// Appends the group as text: a heading for each transaction, a line for each record that `options` shows, an empty
/// line.
void print_group(group g, const log_options& options, std::string& out);

/// Appends the records that `options` shows as they are.
void save_group(group g, const log_options& options, std::string& out);

} // namespace clearcoat::logread
