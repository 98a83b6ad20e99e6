// A transaction as one JSON object on a line, for varnishlog-json: the head of its request and response, when what
// happened, what it cost, and what it belongs to.
#pragma once

#include "logread/log_options.hpp"
#include "logread/transaction.hpp"

#include <string>

namespace clearcoat::logread {

/// Appends {"id":…}, without a newline. Records that `options` does not show are left out; those without a place of
/// their own are in "records".
void print_json(const transaction& t, const log_options& options, std::string& out);

/// Appends the group as one line: the object of its only transaction, or an array of objects.
void print_json(group g, const log_options& options, std::string& out);

} // namespace clearcoat::logread
