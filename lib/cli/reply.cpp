#include "cli/reply.hpp"

#include <algorithm>

namespace clearcoat::cli {

void reply::out(std::string_view text) {
    if (text_.size() >= limit_) {
        if (code_ == status::ok) {
            code_ = status::truncated;
        }
        return;
    }
    add(text);
}

// Only the begin of a piece is indented, not the lines inside it: the reference's layout of JSON comes out of that.
void reply::add(std::string_view text) {
    if (!text.empty() && indent_ > 0 && (text_.empty() || text_.back() == '\n')) {
        text_.append(static_cast<std::size_t>(indent_), ' ');
    }
    text_ += text;
}

void reply::set(status code) noexcept {
    if (code_ != status::truncated || code != status::ok) {
        code_ = code;
    }
}

void reply::clear() noexcept {
    text_.clear();
    code_ = status::ok;
    indent_ = 0;
}

void reply::json_begin(const std::vector<std::string>& words, double now, unsigned version) {
    print("[ {}, [", version);
    for (std::size_t i = 0; i < words.size(); ++i) {
        json_string(words[i]);
        if (i + 1 < words.size()) {
            out(", ");
        }
    }
    print("], {:.3f}", now);
    indent(2);
}

void reply::json_end() {
    indent(-2);
    out("\n");
    out("]\n");
}

void reply::json_string(std::string_view text) {
    add("\"");
    text_ += json_escape(text);
    text_ += '"';
}

std::string json_escape(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '"':
        case '\\':
            out += '\\';
            out += c;
            break;
        case '\b':
            out += "\\b";
            break;
        case '\f':
            out += "\\f";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (static_cast<unsigned char>(c) < ' ') {
                out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
            } else {
                out += c;
            }
        }
    }
    return out;
}

namespace {

constexpr int most_gap = 3;

std::vector<std::string_view> cut(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

// A line that begins with a blank is printed as it is and does not count.
bool is_free_text(std::string_view line) noexcept {
    return line.starts_with(' ');
}

} // namespace

void reply::table(std::string_view lines, int width) {
    if (lines.ends_with('\n')) {
        lines.remove_suffix(1);
    }
    if (lines.empty()) {
        return;
    }
    std::vector<std::size_t> widths;
    std::size_t longest = 0;
    const auto rows = cut(lines, '\n');
    for (const std::string_view row : rows) {
        if (is_free_text(row)) {
            continue;
        }
        const auto cells = cut(row, '\t');
        widths.resize(std::max(widths.size(), cells.size()));
        std::size_t used = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            // The reference counts the tab in front of a cell as part of it.
            const std::size_t size = cells[i].size() + (i > 0 ? 1 : 0);
            widths[i] = std::max(widths[i], size);
            used += size;
        }
        longest = std::max(longest, used);
    }
    const int columns = std::max<int>(1, static_cast<int>(widths.size()));
    const auto gap = static_cast<std::size_t>(std::clamp((width - static_cast<int>(longest)) / columns, 1, most_gap));
    for (const std::string_view row : rows) {
        table_row(row, widths, gap);
    }
}

void reply::table_row(std::string_view row, const std::vector<std::size_t>& widths, std::size_t gap) {
    std::string line;
    if (is_free_text(row)) {
        line = row;
    } else {
        const auto cells = cut(row, '\t');
        for (std::size_t i = 0; i < cells.size(); ++i) {
            line += cells[i];
            if (i + 1 < cells.size()) {
                line.append(widths[i] + gap - cells[i].size(), ' ');
            }
        }
    }
    line += '\n';
    out(line);
}

std::string reply::framed() const {
    if (text_.size() <= limit_) {
        return frame_response(code_, text_);
    }
    const status code = code_ == status::ok ? status::truncated : code_;
    return frame_response(code, std::string_view(text_).substr(0, limit_ - 1));
}

} // namespace clearcoat::cli
