// Compiling the bundle of texts that the manager sends: the same compiler over the shipped files, no file system.
// Control thread; resolves names, so it may block.
#pragma once

#include "cli/worker_boot.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace clearcoat::vcl {
class program;
}

namespace clearcoat::worker {

/// nullptr and the compiler's words when the bundle does not compile, which the manager has made sure of.
std::shared_ptr<const vcl::program> compile_bundle(std::string_view bundle, const cli::worker_boot& boot,
                                                   std::string& error);

} // namespace clearcoat::worker
