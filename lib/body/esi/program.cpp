#include "body/esi/program.hpp"

#include "base/panic.hpp"

namespace clearcoat::body::esi {

namespace {

// The first byte of an instruction. Numbers follow in groups of seven bits, the lowest first.
enum class code : char { text = 't', skip = 's', include = 'i', include_or_continue = 'c' };

} // namespace

void program_writer::number(std::uint64_t value) {
    while (value >= 128) {
        bytes_.push_back(static_cast<char>(value | 128));
        value >>= 7;
    }
    bytes_.push_back(static_cast<char>(value));
}

void program_writer::string(std::string_view value) {
    number(value.size());
    bytes_ += value;
}

void program_writer::text(std::uint64_t size, std::uint64_t plain_size, std::uint32_t plain_crc) {
    bytes_.push_back(static_cast<char>(code::text));
    number(size);
    if (bytes_.front() != 0) {
        number(plain_size);
        number(plain_crc);
    }
}

void program_writer::skip(std::uint64_t size) {
    bytes_.push_back(static_cast<char>(code::skip));
    number(size);
}

void program_writer::include(std::string_view host, std::string_view url, bool continue_on_error) {
    bytes_.push_back(static_cast<char>(continue_on_error ? code::include_or_continue : code::include));
    string(host);
    string(url);
}

std::uint64_t program_reader::number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        CLEARCOAT_ASSERT(!rest_.empty() && shift < 64);
        auto group = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        value |= static_cast<std::uint64_t>(group & 127u) << shift;
        if (group < 128) {
            return value;
        }
    }
}

std::string_view program_reader::string() noexcept {
    std::uint64_t size = number();
    CLEARCOAT_ASSERT(size <= rest_.size());
    std::string_view value = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(value.size());
    return value;
}

instruction program_reader::next() noexcept {
    instruction i;
    if (rest_.empty()) {
        return i;
    }
    auto what = static_cast<code>(rest_.front());
    rest_.remove_prefix(1);
    if (what == code::text || what == code::skip) {
        i.what = what == code::text ? instruction::kind::text : instruction::kind::skip;
        i.size = number();
        if (what == code::text && gzipped_) {
            i.plain_size = number();
            i.plain_crc = static_cast<std::uint32_t>(number());
        }
        return i;
    }
    CLEARCOAT_ASSERT(what == code::include || what == code::include_or_continue);
    i.what = instruction::kind::include;
    i.host = string();
    i.url = string();
    i.continue_on_error = what == code::include_or_continue;
    return i;
}

} // namespace clearcoat::body::esi
