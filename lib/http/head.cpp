#include "http/head.hpp"

#include "base/ascii.hpp"
#include "http/status.hpp"

#include <algorithm>
#include <cstring>

namespace clearcoat::http {

namespace {

constexpr unsigned first_capacity = 24;

field make_field(std::string_view line, std::size_t name_size, field_id id) noexcept {
    return {line.data(), static_cast<std::uint32_t>(line.size()), static_cast<std::uint16_t>(name_size), id, 0};
}

/// The reference tells of a lost field by its name and colon. Long names are cut.
class lost_name {
  public:
    explicit lost_name(std::string_view name) noexcept : size_(std::min(name.size(), sizeof room_ - 1)) {
        std::memcpy(room_, name.data(), size_);
        room_[size_++] = ':';
    }
    std::string_view with_colon() const noexcept { return {room_, size_}; }

  private:
    char room_[256];
    std::size_t size_;
};

} // namespace

unsigned parse_version(std::string_view protocol) noexcept {
    if (protocol == "HTTP/1.1") {
        return 11; // nearly always
    }
    if (protocol.size() != 8 || !base::starts_with_nocase(protocol, "HTTP/") || !base::is_digit(protocol[5]) ||
        protocol[6] != '.' || !base::is_digit(protocol[7])) {
        return 0;
    }
    return static_cast<unsigned>(10 * (protocol[5] - '0') + (protocol[7] - '0'));
}

void head::reset(base::arena& memory, unsigned max_hdr, head_listener* listener) noexcept {
    memory_ = &memory;
    listener_ = listener;
    fields_ = nullptr;
    present_ = 0;
    count_ = 0;
    capacity_ = 0;
    max_fields_ = max_hdr > start_line_slots ? max_hdr - start_line_slots : 0;
    status_ = 0;
    version_ = 0;
    method_ = url_ = protocol_ = reason_ = {};
}

bool head::grow(unsigned wanted) noexcept {
    if (wanted > max_fields_) {
        return false;
    }
    unsigned size = std::min(std::max({wanted, first_capacity, 2 * capacity_}), max_fields_);
    void* place = memory_->allocate_uncounted(sizeof(field) * size, alignof(field));
    if (place == nullptr) {
        return false;
    }
    auto* larger = static_cast<field*>(place);
    if (count_ != 0) {
        std::memcpy(larger, fields_, sizeof(field) * count_);
    }
    fields_ = larger;
    capacity_ = size;
    return true;
}

bool head::lose(std::string_view text) noexcept {
    tell(head_part::lost, text);
    return false;
}

void head::set_method(std::string_view text) noexcept {
    method_ = text;
    tell(head_part::method, text);
}

void head::set_url(std::string_view text) noexcept {
    url_ = text;
    tell(head_part::url, text);
}

void head::set_protocol(std::string_view text) noexcept {
    protocol_ = text;
    version_ = static_cast<std::uint16_t>(parse_version(text));
    tell(head_part::protocol, text);
}

void head::set_reason(std::string_view text) noexcept {
    reason_ = text;
    tell(head_part::reason, text);
}

void head::set_status(unsigned status, std::string_view reason) noexcept {
    status_ = static_cast<std::uint16_t>(status);
    tell(head_part::status, status_digits(status));
    set_reason(reason.empty() ? reason_phrase(status) : reason);
}

std::string_view head::keep(std::string_view text) noexcept {
    std::string_view copy = memory_->copy(text);
    if (copy.data() == nullptr) {
        lose(text);
    }
    return copy;
}

const field* head::find_other(std::string_view name) const noexcept {
    if (!may_have(field_id::other)) {
        return nullptr;
    }
    for (const field& f : fields()) {
        if (f.id == field_id::other && base::equal_nocase(f.name(), name)) {
            return &f;
        }
    }
    return nullptr;
}

unsigned head::count(field_name name) const noexcept {
    unsigned found = 0;
    if (!may_have(name.id)) {
        return found;
    }
    for (const field& f : fields()) {
        found += has_name(f, name) ? 1u : 0u;
    }
    return found;
}

bool head::is(field_name name, std::string_view value) const noexcept {
    const field* f = find(name);
    return f != nullptr && base::equal_nocase(f->value(), value);
}

bool head::add_line(std::string_view line) noexcept {
    std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon > UINT16_MAX || line.size() > UINT32_MAX || !make_room(1)) {
        return lose(line);
    }
    push_silently(make_field(line, colon, find_field_id(line.substr(0, colon))));
    tell(head_part::field, line);
    return true;
}

bool head::add(field_name name, std::string_view value) noexcept {
    std::size_t size = name.text.size() + 2 + value.size();
    char* line = nullptr;
    if (name.text.size() <= UINT16_MAX && size <= UINT32_MAX && make_room(1)) {
        line = static_cast<char*>(memory_->allocate(size, 1));
    }
    if (line == nullptr) {
        return lose(lost_name(name.text).with_colon());
    }
    std::memcpy(line, name.text.data(), name.text.size());
    line[name.text.size()] = ':';
    line[name.text.size() + 1] = ' ';
    if (!value.empty()) {
        std::memcpy(line + name.text.size() + 2, value.data(), value.size());
    }
    push_silently(make_field({line, size}, name.text.size(), name.id));
    tell(head_part::field, {line, size});
    return true;
}

bool head::replace(field_name name, std::string_view value) noexcept {
    unset(name);
    return add(name, value);
}

bool head::force(field_name name, std::string_view value) noexcept {
    return is(name, value) || replace(name, value);
}

unsigned head::unset(field_name name) noexcept {
    if (!may_have(name.id)) {
        return 0;
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < count_; ++i) {
        if (has_name(fields_[i], name)) {
            tell(head_part::unset, fields_[i].text());
            continue;
        }
        if (kept != i) {
            fields_[kept] = fields_[i];
        }
        ++kept;
    }
    unsigned removed = count_ - kept;
    count_ = kept;
    if (name.id != field_id::other) {
        present_ &= ~bit_of(name.id);
    }
    return removed;
}

bool head::collect(field_name name, std::string_view separator) noexcept {
    if (!may_have(name.id)) {
        return true;
    }
    std::string_view between = separator.empty() ? std::string_view(", ") : separator;
    std::size_t size = 0;
    unsigned found = 0;
    unsigned first = 0;
    for (unsigned i = 0; i < count_; ++i) {
        if (has_name(fields_[i], name)) {
            first = found == 0 ? i : first;
            size += found == 0 ? fields_[i].size : between.size() + fields_[i].value().size();
            ++found;
        }
    }
    if (found < 2) {
        return true;
    }
    char* joined = size > UINT32_MAX ? nullptr : static_cast<char*>(memory_->allocate(size, 1));
    if (joined == nullptr) {
        return lose(lost_name(name.text).with_colon());
    }
    char* at = std::copy_n(fields_[first].line, fields_[first].size, joined);
    unsigned kept = first + 1;
    for (unsigned i = first + 1; i < count_; ++i) {
        if (!has_name(fields_[i], name)) {
            fields_[kept++] = fields_[i];
            continue;
        }
        at = std::copy(between.begin(), between.end(), at);
        std::string_view value = fields_[i].value();
        at = std::copy(value.begin(), value.end(), at);
    }
    count_ = kept;
    fields_[first] = make_field({joined, size}, fields_[first].name_size, fields_[first].id);
    return true;
}

bool head::append_to(field_name name, std::string_view value) noexcept {
    const field* old = find(name);
    if (old == nullptr) {
        return add(name, value);
    }
    if (!collect(name)) {
        return false;
    }
    std::string_view before = find(name)->value();
    auto* text = static_cast<char*>(memory_->allocate(before.size() + 2 + value.size(), 1));
    if (text == nullptr) {
        return lose(lost_name(name.text).with_colon());
    }
    char* at = std::copy(before.begin(), before.end(), text);
    *at++ = ',';
    *at++ = ' ';
    std::copy(value.begin(), value.end(), at);
    return replace(name, {text, before.size() + 2 + value.size()});
}

} // namespace clearcoat::http
