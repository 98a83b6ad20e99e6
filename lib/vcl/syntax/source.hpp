// The texts a VCL is made of and the one stream of tokens they give together: the main text, what it includes, and the
// builtin at the end. Include statements vanish here. Belongs to one compilation.
#pragma once

#include "vcl/syntax/diagnostics.hpp"
#include "vcl/syntax/token.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {
class file_reader;
}

namespace clearcoat::vcl::syntax {

struct source {
    std::string name; // path, "<vcl.inline>", "<builtin>"
    std::string_view kind;
    std::string text;
    std::uint32_t index = 0;
    const source* parent = nullptr; // who includes it
};

struct reading_options {
    std::string_view vcl_path;
    bool unsafe_path = true;
};

class source_set {
  public:
    source_set(file_reader& files, const reading_options& options, diagnostics& messages)
        : files_(&files), options_(options), messages_(&messages) {}

    /// Adds a text and all it includes to the stream; the last one ends it. False after an error.
    bool add(std::string name, std::string_view kind, std::string text, bool last);

    std::vector<token>& tokens() noexcept { return tokens_; }
    const std::vector<std::unique_ptr<source>>& sources() const noexcept { return sources_; }

  private:
    bool read(std::unique_ptr<source> text, bool last);
    /// Appends tokens to the stream, what they include in its place. Leaves `own` in no certain state.
    bool splice(std::vector<token>& own, const source& from, bool last);
    bool include(const std::vector<token>& own, std::size_t& at, const source& from);
    bool include_flags(const std::vector<token>& own, std::size_t& at, bool& glob);
    bool include_file(const std::string& path, const source& from);
    bool include_glob(const std::string& pattern, const source& from);

    file_reader* files_;
    reading_options options_;
    diagnostics* messages_;
    std::vector<std::unique_ptr<source>> sources_;
    std::vector<token> tokens_;
};

/// Finds a file along `vcl_path` and reads it; sets `path` to where it was. False with the message written.
bool find_file(file_reader& files, const reading_options& options, const std::string& name, std::string& path,
               std::string& text, diagnostics& messages);

} // namespace clearcoat::vcl::syntax
