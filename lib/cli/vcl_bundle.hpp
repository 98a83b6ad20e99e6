// A VCL on its way from the manager to the worker: its texts, and what decided how the manager compiled them, so that
// the worker compiles the same again. Pure data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::cli {

struct vcl_bundle {
    struct source {
        std::string name; // path, "<vcl.inline>", "<builtin>"
        std::string kind;
        std::string text;
    };
    std::string name;
    std::string origin;
    std::string vcl_path;
    std::string vmod_path;
    std::vector<std::string> labels; // that existed when it was compiled
    bool err_unref = true;
    bool unsafe_path = true;
    bool trace = false;
    bool legacy = false;
    std::vector<source> sources; // the main text first
};

std::string to_text(const vcl_bundle& bundle);
std::optional<vcl_bundle> parse_vcl_bundle(std::string_view text);

} // namespace clearcoat::cli
