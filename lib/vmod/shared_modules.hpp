// Modules that are shared objects: found along vmod_path or where the VCL says, opened, and closed when the last VCL
// that uses them is gone. What such a module consists of is told in examples/vmod_greeting. Any thread; one object for
// a compilation.
#pragma once

#include "vcl/compile.hpp"

#include <memory>
#include <string>

namespace clearcoat::vmod {

class shared_modules final : public vcl::module_finder {
  public:
    /// `path` holds folders joined by ':' (parameter vmod_path).
    explicit shared_modules(std::string path) : path_(std::move(path)) {}

    /// The same module for the same file, as long as anybody has it.
    std::shared_ptr<const vcl::module_info> find(const std::string& name, const std::string& from,
                                                 std::string& error) override;

  private:
    std::string locate(const std::string& name, const std::string& from) const;

    std::string path_;
};

} // namespace clearcoat::vmod
