// What the tools that write the log somewhere have in common: where -w and -a send it, its rotation on HUP when in the
// background, and the run to the end.
#pragma once

#include "logread/output.hpp"
#include "logread/tool.hpp"

#include <functional>
#include <optional>
#include <string>

namespace clearcoat::logread {

/// Where the log goes. The failure is what the tool says, and ends with, when the file cannot be opened.
struct destination {
    std::optional<std::string> path; // of -w; standard output without
    output::choices how;
    int failure_status = 1;
    const char* failure = "Cannot open output file";
};

/// Exits unless the background (-D) has a file to write to.
void check_background(const tool& t, const std::optional<std::string>& path);

/// Opens `to`, sets `t` up and runs it, with `add` putting each group into the output's buffer(). The exit status: 1
/// when something could not be written.
int write_log(tool& t, const destination& to, std::function<void(group, output&)> add);

} // namespace clearcoat::logread
