// A compiled VCL: declarations, constants and one vector of instructions. Immutable and shared by everything that runs
// it; it holds no state and no connection to the outside. instance.hpp makes it run.
#pragma once

#include "vcl/types.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {

struct program_image; // code/image.hpp: what the machine and the instance read

/// A file or text a program was made of, in the order the reference numbers them (the builtin is the last).
struct source_text {
    std::string name; // path, "<vcl.inline>" or "<builtin>"
    std::string kind; // "file", "vcl.inline" or "builtin"
    std::string text;
};

class program {
  public:
    explicit program(std::unique_ptr<program_image> image);
    ~program();
    program(const program&) = delete;
    program& operator=(const program&) = delete;

    /// Language version times ten: 40 or 41.
    int version() const noexcept;
    const std::vector<source_text>& sources() const noexcept;
    /// Labels that return (vcl(...)) names, for vcl.deps and to keep them from being discarded.
    const std::vector<std::string>& labels() const noexcept;
    struct used_module {
        std::string_view name; // as imported
        std::string_view file; // empty: it is built in
    };
    std::vector<used_module> modules() const;
    /// The code in readable form, as `varnishd -C` prints it.
    std::string listing() const;

    const program_image& image() const noexcept { return *image_; }

  private:
    std::unique_ptr<program_image> image_;
};

} // namespace clearcoat::vcl
