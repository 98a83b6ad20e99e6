#include "http/packed_head.hpp"

#include "http/filter.hpp"

#include <cstring>

namespace clearcoat::http {

namespace {

// Layout: the prologue; an entry for each field; the lines, each with CR LF; the protocol; the reason.
struct prologue {
    std::uint16_t count;
    std::uint16_t status;
    std::uint32_t protocol_size;
    std::uint32_t reason_size;
    std::uint32_t lines_size;
};
struct entry {
    std::uint32_t size;
    std::uint16_t name_size;
    field_id id;
    std::uint8_t unused;
};
static_assert(sizeof(prologue) == 16 && sizeof(entry) == 8);

constexpr std::size_t line_end_size = 2;

prologue measure(const head& h, filter_use use) noexcept {
    prologue p{0, static_cast<std::uint16_t>(h.status()), static_cast<std::uint32_t>(h.protocol().size()),
               static_cast<std::uint32_t>(h.reason().size()), 0};
    for (const field& f : h.fields()) {
        if (!is_filtered(f, use)) {
            ++p.count;
            p.lines_size += f.size + static_cast<std::uint32_t>(line_end_size);
        }
    }
    return p;
}

prologue load_prologue(const char* at) noexcept {
    prologue p;
    std::memcpy(&p, at, sizeof p);
    return p;
}

const char* lines_of(const char* at, const prologue& p) noexcept {
    return at + sizeof(prologue) + sizeof(entry) * p.count;
}

char* put(char* at, std::string_view text) noexcept {
    if (!text.empty()) {
        std::memcpy(at, text.data(), text.size());
    }
    return at + text.size();
}

} // namespace

std::size_t packed_size(const head& h, filter_use use) noexcept {
    prologue p = measure(h, use);
    return sizeof(prologue) + sizeof(entry) * p.count + p.lines_size + p.protocol_size + p.reason_size;
}

void pack(const head& h, filter_use use, std::span<std::byte> out) noexcept {
    prologue p = measure(h, use);
    auto* at = reinterpret_cast<char*>(out.data());
    std::memcpy(at, &p, sizeof p);
    char* entry_at = at + sizeof p;
    char* line_at = entry_at + sizeof(entry) * p.count;
    for (const field& f : h.fields()) {
        if (is_filtered(f, use)) {
            continue;
        }
        entry e{f.size, f.name_size, f.id, 0};
        std::memcpy(entry_at, &e, sizeof e);
        entry_at += sizeof e;
        line_at = put(put(line_at, f.text()), "\r\n");
    }
    put(put(line_at, h.protocol()), h.reason());
}

unsigned packed_head_view::status() const noexcept {
    return load_prologue(at_).status;
}

unsigned packed_head_view::field_count() const noexcept {
    return load_prologue(at_).count;
}

std::string_view packed_head_view::protocol() const noexcept {
    prologue p = load_prologue(at_);
    return {lines_of(at_, p) + p.lines_size, p.protocol_size};
}

std::string_view packed_head_view::reason() const noexcept {
    prologue p = load_prologue(at_);
    return {lines_of(at_, p) + p.lines_size + p.protocol_size, p.reason_size};
}

packed_head_view::cursor packed_head_view::begin() const noexcept {
    prologue p = load_prologue(at_);
    return {at_ + sizeof(prologue), lines_of(at_, p), p.count};
}

field packed_head_view::next(cursor& c) noexcept {
    entry e;
    std::memcpy(&e, c.entry, sizeof e);
    field f{c.text, e.size, e.name_size, e.id, field::crlf_behind};
    c.entry += sizeof e;
    c.text += e.size + line_end_size;
    --c.left;
    return f;
}

std::string_view packed_head_view::get(field_name name) const noexcept {
    for (cursor c = begin(); c.left != 0;) {
        field f = next(c);
        if (has_name(f, name)) {
            return f.value();
        }
    }
    return {};
}

field packed_head_view::at(unsigned index) const noexcept {
    cursor c = begin();
    field f = next(c);
    while (index-- != 0) {
        f = next(c);
    }
    return f;
}

bool packed_head_view::decode(head& out) const noexcept {
    prologue p = load_prologue(at_);
    out.drop_fields();
    if (!out.make_room(p.count)) {
        return false;
    }
    const char* texts = lines_of(at_, p) + p.lines_size;
    std::string_view protocol(texts, p.protocol_size);
    out.set_status_line_silently(protocol, parse_version(protocol), p.status, {texts + p.protocol_size, p.reason_size});
    for (cursor c = begin(); c.left != 0;) {
        out.push_silently(next(c));
    }
    return true;
}

bool packed_head_view::merge_into(head& to) const noexcept {
    to.set_protocol(protocol());
    to.set_status(status(), reason());
    const std::size_t own = to.fields().size();
    bool complete = true;
    for (cursor c = begin(); c.left != 0;) {
        field f = next(c);
        bool had = false;
        for (const field& existing : to.fields().first(own)) {
            had = had || has_name(existing, field_name{f.name()});
        }
        if (!had) {
            complete = to.add_line(f.text()) && complete;
        }
    }
    return complete;
}

} // namespace clearcoat::http
