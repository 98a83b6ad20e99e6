#include "cli/line_reader.hpp"

#include "base/ascii.hpp"
#include "cli/words.hpp"

#include <utility>

namespace clearcoat::cli {

namespace {

constexpr std::size_t longest_line_before_auth = 80;

} // namespace

bool line_reader::feed(std::string_view bytes, const std::function<bool(const command_line&)>& on_command) {
    for (const char c : bytes) {
        bool go_on = true;
        if (in_here_) {
            go_on = here_byte(c, on_command);
        } else if (!in_line_ && base::is_space(c)) {
            continue;
        } else {
            in_line_ = true;
            if (c != '\n' && c != '\r' && (authenticated_ || line_.size() < longest_line_before_auth)) {
                line_ += c;
                continue;
            }
            go_on = end_line(on_command);
        }
        if (!go_on) {
            return false;
        }
    }
    return true;
}

bool line_reader::end_line(const std::function<bool(const command_line&)>& on_command) {
    pending_ = {};
    pending_.line = std::exchange(line_, {});
    in_line_ = false;
    std::string_view text = pending_.line;
    // A line is text: what follows a NUL byte does not count.
    text = text.substr(0, text.find('\0'));
    if (text.starts_with('-')) {
        pending_.ignore_failure = true;
        text.remove_prefix(1);
    }
    split_line split = split_words(text);
    pending_.words = std::move(split.words);
    pending_.error = split.error;
    if (begin_here_document()) {
        return true;
    }
    return on_command(pending_);
}

bool line_reader::begin_here_document() {
    const std::size_t count = pending_.words.size();
    if (!authenticated_ || !pending_.error.empty() || count < 2 || pending_.words[count - 2] != "<<" ||
        pending_.words[count - 1].empty()) {
        return false;
    }
    token_ = pending_.words[count - 1];
    pending_.words.resize(count - 2);
    in_here_ = true;
    matched_ = 0;
    text_.clear();
    return true;
}

bool line_reader::here_byte(char c, const std::function<bool(const command_line&)>& on_command) {
    if (matched_ == token_.size() && (c == '\n' || c == '\r')) {
        in_here_ = false;
        pending_.words.push_back(std::exchange(text_, {}));
        return on_command(pending_);
    }
    if (matched_ < token_.size() && c == token_[matched_]) {
        ++matched_;
        return true;
    }
    text_.append(token_, 0, matched_);
    matched_ = 0;
    text_ += c;
    return true;
}

} // namespace clearcoat::cli
