// Why the program cannot start, thrown while options are read and applied and caught once in manager::main. Start-up
// only: nothing throws these once the manager runs.
#pragma once

#include <stdexcept>
#include <string>

#include <fmt/core.h>

namespace clearcoat::manager {

/// A wrong option or something it asks for that cannot be had: printed as "Error: TEXT(-? gives usage)", status 2.
class option_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The command line cannot be read at all: the text goes to stderr and the usage to stdout, status 2.
class usage_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A command line, parameter or VCL that is refused with a longer text: printed as "Error:\nTEXT\n", status 2.
class refused : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Ends the program with that status; everything was said already.
struct early_exit {
    int status;
};

/// Throws an option_error; the text ends with a newline of its own.
template<class... Args>
[[noreturn]] void option_fails(fmt::format_string<Args...> format, Args&&... args) {
    throw option_error(fmt::format(format, std::forward<Args>(args)...) + "\n");
}

} // namespace clearcoat::manager
