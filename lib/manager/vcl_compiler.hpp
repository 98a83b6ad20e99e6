// Judging a VCL in the manager: the compiler with real files, real name resolution and the bundled modules; what comes
// out is the bundle of texts that the worker compiles again. Nothing is run.
#pragma once

#include "cli/vcl_bundle.hpp"

#include <optional>
#include <string>
#include <vector>

namespace clearcoat::tables {
class parameter_set;
}

namespace clearcoat::vcl {
struct compile_request;
struct compile_result;
} // namespace clearcoat::vcl

namespace clearcoat::manager {

struct vcl_verdict {
    bool ok = false;
    std::string message; // what the CLI prints: warnings or errors; may be empty
    std::string listing; // the code in readable form, for -C
    cli::vcl_bundle bundle;
    std::vector<std::string> labels; // the VCL uses
};

class vcl_compiler {
  public:
    /// `legacy`: VCL without a version line loads as 4.0 (3.0-era command line); parameter vcl_legacy does the same.
    /// `least_version` is 41 where an address that VCL 4.0 cannot express is in use (a unix socket), else 40.
    vcl_compiler(const tables::parameter_set& params, std::vector<std::string> storage_names, int least_version,
                 bool legacy)
        : params_(params), storage_names_(std::move(storage_names)), least_version_(least_version), legacy_(legacy) {}

    /// Compiles `text` (vcl.inline, -b, -f), or the file `origin` along vcl_path where there is no text (vcl.load).
    /// `labels` are those that exist.
    vcl_verdict compile(const std::string& name, const std::optional<std::string>& text, const std::string& origin,
                        std::vector<std::string> labels) const;

  private:
    vcl_verdict judge(const vcl::compile_request& request, const vcl::compile_result& result) const;

    const tables::parameter_set& params_;
    std::vector<std::string> storage_names_;
    int least_version_;
    bool legacy_;
};

} // namespace clearcoat::manager
