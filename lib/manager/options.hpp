// The command line as a list of options in their order. Only the form is checked here, and which options exclude one
// another; what their values mean is the business of the parts that use them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::manager {

/// The letters and which of them take a value, as getopt(3) writes it; `-x optstring` and `--optstring` print it.
inline constexpr char option_letters[] = "?a:b:Cdf:Fh:i:I:j:l:M:n:P:p:r:S:s:T:t:VW:x:";

struct option {
    char letter;
    std::string value; // empty for flags
};

class options {
  public:
    /// Reads argv: letters may be bundled ("-Fd"), values joined ("-a:80") or the next argument whatever it looks like,
    /// "--" ends the options. Throws usage_error or option_error.
    static options parse(int argc, const char* const* argv);

    bool has(char letter) const noexcept { return count(letter) > 0; }
    std::size_t count(char letter) const noexcept;
    /// The last value of an option; `otherwise` when it is not given.
    std::string_view value(char letter, std::string_view otherwise = {}) const noexcept;
    std::vector<std::string_view> values(char letter) const;
    const std::vector<option>& all() const noexcept { return given_; }
    std::vector<option>& all() noexcept { return given_; }
    void add(char letter, std::string value) { given_.push_back({letter, std::move(value)}); }

    bool compile_only() const noexcept { return has('C'); }
    bool debug() const noexcept { return has('d'); }
    bool foreground() const noexcept { return has('F'); }
    /// Old options were translated (legacy_options.cpp): VCL may lack its version line.
    bool legacy() const noexcept { return legacy_; }
    void set_legacy() noexcept { legacy_ = true; }

  private:
    void check() const;
    void check_first(std::size_t argument_count) const;
    std::vector<option> given_;
    bool legacy_ = false;
};

/// Translates the options of Varnish 3.0 (-w, -u, -g) into today's; gives one line that tells what was taken for what,
/// or nothing where none was given.
std::string translate_legacy_options(options& o);

} // namespace clearcoat::manager
