#include "logread/print.hpp"

#include <array>
#include <iterator>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

constexpr std::array<std::string_view, 5> headings{"<< Unknown  >>", "<< Session  >>", "<< Request  >>",
                                                   "<< BeReq    >>", "<< Record   >>"};
constexpr unsigned most_marks = 3;

/// Whether -b and -c let the whole transaction through.
bool wanted(const transaction& t, const log_options& options) noexcept {
    if (!options.client && !options.backend) {
        return true;
    }
    switch (t.type) {
    case transaction_type::req:
        return options.client && (t.reason != transaction_reason::esi || options.esi);
    case transaction_type::bereq:
        return options.backend;
    default:
        return t.type == transaction_type::raw;
    }
}

/// "-- ": as many marks as levels, or the level between two of them where it is deep.
void print_level(char mark, unsigned level, std::string& out) {
    if (level > most_marks) {
        out += mark;
        fmt::format_to(std::back_inserter(out), "{}", level);
        out += mark;
    } else {
        out.append(level, mark);
        out.append(most_marks - level, ' ');
    }
    out += ' ';
}

void print_padded(std::string_view text, std::size_t width, std::string& out) {
    out += text;
    out.append(text.size() < width ? width - text.size() : 0, ' ');
}

void print_heading(const transaction& t, bool verbose, std::string& out) {
    print_level('*', t.level, out);
    out.append(verbose ? 11 : 0, ' ');
    print_padded(headings[static_cast<std::size_t>(t.type)], 14, out);
    out += ' ';
    out.append(verbose ? 2 : 0, ' ');
    fmt::format_to(std::back_inserter(out), "{:<10}\n", t.vxid);
}

void print_hex(unsigned char byte, std::string& out) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[byte >> 4];
    out += digits[byte & 15];
}

void print_unsafe(std::string_view bytes, std::string& out) {
    out += '"';
    for (const char c : bytes) {
        if (c >= ' ' && c <= '~') {
            out += c;
        } else {
            out += '%';
            print_hex(static_cast<unsigned char>(c), out);
        }
    }
    out += '"';
}

void print_binary(std::string_view bytes, std::string& out) {
    out += '[';
    for (const char c : bytes) {
        print_hex(static_cast<unsigned char>(c), out);
    }
    out += ']';
}

void print_text(record r, std::string& out) {
    const std::string_view bytes = r.bytes();
    switch (tables::kind_of(r.tag())) {
    case tables::log_tag_kind::unsafe:
        print_unsafe(bytes, out);
        break;
    case tables::log_tag_kind::binary:
        print_binary(bytes, out);
        break;
    default:
        out += bytes.substr(0, bytes.find('\0'));
        break;
    }
}

void print_record(record r, bool verbose, std::string& out) {
    if (verbose) {
        fmt::format_to(std::back_inserter(out), "{:>10} ", r.vxid());
    }
    const std::string_view name = tables::name_of(r.tag());
    print_padded(name.empty() ? fmt::format("Tag{}", static_cast<unsigned>(r.tag())) : name, 14, out);
    out += ' ';
    if (verbose) {
        out += r.client() ? 'c' : r.backend() ? 'b' : '-';
        out += ' ';
    }
    print_text(r, out);
    out += '\n';
}

void save_words(const std::uint32_t* words, std::size_t count, std::string& out) {
    out.append(reinterpret_cast<const char*>(words), count * sizeof(std::uint32_t));
}

void save_record(record r, shm::record_width width, std::string& out) {
    if (r.width() == width) {
        return save_words(r.words(), r.size(), out);
    }
    const std::uint32_t bytes = shm::layout::length_of(r.words());
    const shm::layout::record_head head = shm::layout::make_head(width, r.tag(), bytes, r.vxid(), r.kind());
    if (head.count != 0) {
        save_words(head.words, head.count, out);
        save_words(r.words() + shm::layout::overhead_of(r.width()), shm::layout::words_for(bytes), out);
    }
}

} // namespace

void print_group(group g, const log_options& options, std::string& out) {
    bool any_heading = false;
    for (const transaction& t : g) {
        if (!wanted(t, options)) {
            continue;
        }
        const bool verbose = t.level == 0 || options.verbose;
        if (t.level > 0) {
            print_heading(t, verbose, out);
            any_heading = true;
        }
        for (const record r : t.records) {
            if (!options.shows(r)) {
                continue;
            }
            if (t.level > 0) {
                print_level('-', t.level, out);
            }
            print_record(r, verbose, out);
        }
    }
    if (any_heading) {
        out += '\n';
    }
}

void save_group(group g, const log_options& options, shm::record_width width, std::string& out) {
    for (const transaction& t : g) {
        for (const record r : t.records) {
            if (options.shows(r)) {
                save_record(r, width, out);
            }
        }
    }
}

} // namespace clearcoat::logread
