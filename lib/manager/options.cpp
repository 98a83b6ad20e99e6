#include "manager/options.hpp"

#include "manager/option_error.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstring>

namespace po = boost::program_options;

namespace clearcoat::manager {

namespace {

// Accepted beside today's letters: the 3.0 options, and one that is refused with a reason.
constexpr std::string_view old_letters_with_value = "wugE";

bool takes_value(char letter) noexcept {
    const char* at = std::strchr(option_letters, letter);
    return (at != nullptr && at[1] == ':') || old_letters_with_value.find(letter) != std::string_view::npos;
}

bool is_option(char letter) noexcept {
    return letter != ':' && (std::strchr(option_letters, letter) != nullptr ||
                             old_letters_with_value.find(letter) != std::string_view::npos);
}

po::option made(char letter, std::vector<std::string> values) {
    po::option o;
    o.string_key = std::string(1, letter);
    o.value = std::move(values);
    o.original_tokens = {std::string("-") + letter};
    return o;
}

// Reads the tokens as getopt(3) does: Program_options' own styles take neither empty values nor values that look like
// an option, and both are in use ("-f ''", "-p -1").
class token_reader {
  public:
    explicit token_reader(std::string program) : program_(std::move(program)) {}

    std::vector<po::option> operator()(std::vector<std::string>& tokens) {
        std::vector<po::option> out;
        if (tokens.empty()) {
            return out;
        }
        const std::string token = tokens[0];
        if (only_words_ || token.size() < 2 || token[0] != '-') {
            tokens.erase(tokens.begin());
            out.push_back(word(token));
        } else if (token == "--") {
            tokens.erase(tokens.begin());
            only_words_ = true;
            if (!tokens.empty()) {
                return (*this)(tokens);
            }
        } else {
            tokens.erase(tokens.begin());
            bundle(std::string_view(token).substr(1), tokens, out);
        }
        return out;
    }

  private:
    po::option word(const std::string& token) {
        po::option o;
        o.position_key = position_++;
        o.value = {token};
        o.original_tokens = {token};
        return o;
    }

    void bundle(std::string_view letters, std::vector<std::string>& tokens, std::vector<po::option>& out) {
        while (!letters.empty()) {
            const char letter = letters[0];
            letters.remove_prefix(1);
            if (!is_option(letter)) {
                throw usage_error(program_ + ": invalid option -- '" + letter + "'\n");
            }
            if (!takes_value(letter)) {
                out.push_back(made(letter, {}));
                continue;
            }
            if (!letters.empty()) {
                out.push_back(made(letter, {std::string(letters)}));
            } else if (!tokens.empty()) {
                out.push_back(made(letter, {tokens[0]}));
                tokens.erase(tokens.begin());
            } else {
                throw usage_error(program_ + ": option requires an argument -- '" + letter + "'\n");
            }
            return;
        }
    }

    std::string program_;
    bool only_words_ = false;
    int position_ = 0;
};

po::options_description describe() {
    po::options_description out;
    for (const char* at = option_letters; *at != '\0'; ++at) {
        if (*at == ':') {
            continue;
        }
        const std::string name(1, *at);
        if (takes_value(*at)) {
            out.add_options()(name.c_str(), po::value<std::vector<std::string>>(), "");
        } else {
            out.add_options()(name.c_str(), "");
        }
    }
    for (const char letter : old_letters_with_value) {
        out.add_options()(std::string(1, letter).c_str(), po::value<std::vector<std::string>>(), "");
    }
    return out;
}

} // namespace

options options::parse(int argc, const char* const* argv) {
    const po::options_description known = describe();
    const po::positional_options_description words;
    const std::vector<std::string> tokens(argv + std::min(argc, 1), argv + argc);
    options out;
    try {
        const po::parsed_options parsed = po::command_line_parser(tokens)
                                              .options(known)
                                              .extra_style_parser(token_reader(argc > 0 ? argv[0] : "varnishd"))
                                              .run();
        std::string first_word;
        bool has_word = false;
        for (const po::option& o : parsed.options) {
            if (o.string_key.empty()) {
                first_word = has_word ? first_word : o.value.at(0);
                has_word = true;
            } else {
                out.add(o.string_key[0], o.value.empty() ? std::string() : o.value[0]);
            }
        }
        out.check_first(tokens.size());
        if (has_word) {
            option_fails("Too many arguments ({}...)", first_word);
        }
    } catch (const po::error& e) {
        throw usage_error(std::string(argc > 0 ? argv[0] : "varnishd") + ": " + e.what() + "\n");
    }
    out.check();
    return out;
}

std::size_t options::count(char letter) const noexcept {
    return static_cast<std::size_t>(
        std::count_if(given_.begin(), given_.end(), [letter](const option& o) { return o.letter == letter; }));
}

std::string_view options::value(char letter, std::string_view otherwise) const noexcept {
    for (auto at = given_.rbegin(); at != given_.rend(); ++at) {
        if (at->letter == letter) {
            return at->value;
        }
    }
    return otherwise;
}

std::vector<std::string_view> options::values(char letter) const {
    std::vector<std::string_view> out;
    for (const option& o : given_) {
        if (o.letter == letter) {
            out.push_back(o.value);
        }
    }
    return out;
}

// -V, -x and -? stop the reading where they stand, so they are judged before anything else.
void options::check_first(std::size_t argument_count) const {
    for (std::size_t i = 0; i < given_.size(); ++i) {
        const char letter = given_[i].letter;
        if (letter == '?') {
            throw usage_error("");
        }
        if (letter == 'E') {
            option_fails("-E is refused: extensions are shared libraries made for another program and cannot be loaded "
                         "here (the bundled vmods need no option)");
        }
        if (letter != 'V' && letter != 'x') {
            continue;
        }
        if (i > 0) {
            option_fails("-{} must be the first argument", letter);
        }
        const std::size_t wanted = letter == 'V' ? 1 : 2;
        if (argument_count > wanted) {
            option_fails("Too many arguments for -{}", letter);
        }
    }
}

void options::check() const {
    if (has('V') || has('x')) {
        return;
    }
    const bool has_backend = has('b');
    const bool has_vcl = has('f');
    if (has_backend && has_vcl) {
        option_fails("Only one of -b or -f can be specified");
    }
    if (debug() && foreground()) {
        option_fails("Only one of -d or -F can be specified");
    }
    if (compile_only() && !has_backend && !has_vcl) {
        option_fails("-C needs either -b <backend> or -f <vcl_file>");
    }
    if (debug() && compile_only()) {
        option_fails("-d makes no sense with -C");
    }
    if (foreground() && compile_only()) {
        option_fails("-F makes no sense with -C");
    }
    if (!debug() && !has_backend && !has_vcl) {
        option_fails("Neither -b nor -f given. (use -f '' to override)");
    }
    if (count('I') > 1) {
        option_fails("\tOnly one -I allowed");
    }
}

} // namespace clearcoat::manager
