// A message head: the parts of its start line and its fields. Every text is a view: into the receive buffer, a packed
// head, the task's arena or a constant; whoever adds a view guarantees that it lives as long as the head. Each field is
// one contiguous line "Name: value", as it is logged and sent. A head belongs to one task; the only memory it takes is
// from the arena it was given. It logs nothing: a listener hears of every single change.
#pragma once

#include "base/arena.hpp"
#include "base/ascii.hpp"
#include "http/field_names.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::http {

/// 16 bytes.
struct field {
    const char* line;
    std::uint32_t size;      // of the whole line
    std::uint16_t name_size; // up to the colon
    field_id id;
    std::uint8_t flags;

    static constexpr std::uint8_t hop_by_hop = 1;  // named by Connection: every filtered copy leaves it out
    static constexpr std::uint8_t crlf_behind = 2; // the two bytes after the line are CR LF, so they can be copied too

    std::string_view text() const noexcept { return {line, size}; }
    std::string_view name() const noexcept { return {line, name_size}; }
    /// Without the blanks after the colon. Blanks at the end are gone already when the field came from the wire.
    std::string_view value() const noexcept {
        std::size_t at = name_size + std::size_t(1);
        while (at < size && (line[at] == ' ' || line[at] == '\t')) {
            ++at;
        }
        return {line + at, size - at};
    }
};
static_assert(sizeof(field) == 16);

/// Whether the field has that name, compared without case.
inline bool has_name(const field& f, const field_name& name) noexcept {
    return f.id == name.id && (f.id != field_id::other || base::equal_nocase(f.name(), name.text));
}

/// What a change touched, in the order of the reference's log tags: tag = (ReqMethod | RespMethod | BereqMethod |
/// BerespMethod | ObjMethod) + the number.
enum class head_part : std::uint8_t { method, url, protocol, status, reason, field, unset, lost };

/// Hears of changes to a head, after the fact. flow/ implements it and writes log records.
class head_listener {
  public:
    /// `text` is the new part or the line added (field), the line removed (unset), or the line or name for which there
    /// was no room (lost; the reference logs "out of workspace" and LostHeader, and counts losthdr).
    virtual void head_changed(head_part part, std::string_view text) noexcept = 0;
    /// All fields at once, by report().
    virtual void fields_reported(std::span<const field> fields) noexcept {
        for (const field& f : fields) {
            head_changed(head_part::field, f.text());
        }
    }

  protected:
    ~head_listener() = default;
};

class head {
  public:
    /// Slots of `http_max_hdr` that the reference uses for the parts of the start line.
    static constexpr unsigned start_line_slots = 5;

    head() noexcept = default;
    head(const head&) = delete;
    head& operator=(const head&) = delete;

    /// Empties the head. Fields and texts go into `memory`, which outlives it; `max_hdr` is the parameter http_max_hdr
    /// (so at most max_hdr - 5 fields). Nothing is allocated yet. Texts count against the limit of `memory`, the array
    /// of fields does not.
    void reset(base::arena& memory, unsigned max_hdr, head_listener* listener = nullptr) noexcept;
    void set_listener(head_listener* listener) noexcept { listener_ = listener; }
    head_listener* listener() const noexcept { return listener_; }
    base::arena& memory() const noexcept { return *memory_; }

    // Start line. data() of a part never set is nullptr.
    std::string_view method() const noexcept { return method_; }
    std::string_view url() const noexcept { return url_; }
    std::string_view protocol() const noexcept { return protocol_; }
    std::string_view reason() const noexcept { return reason_; }
    /// 100 to 999, or with a leading digit for VCL's use (1404).
    unsigned status() const noexcept { return status_; }
    /// 10 and 11 for HTTP/1.0 and 1.1, 20 for 2.0; 0 when protocol() is none of the form HTTP/d.d.
    unsigned version() const noexcept { return version_; }

    // These keep the view, they do not copy; the listener hears of it. keep() copies first.
    void set_method(std::string_view text) noexcept;
    void set_url(std::string_view text) noexcept;
    void set_protocol(std::string_view text) noexcept;
    void set_reason(std::string_view text) noexcept;
    /// Sets status and reason; an empty `reason` gives the standard phrase. Tells the listener the three digits of
    /// `status` % 1000 and then the reason.
    void set_status(unsigned status, std::string_view reason = {}) noexcept;
    /// A copy of `text` in the arena; on overflow the listener hears lost(text) and data() is nullptr.
    std::string_view keep(std::string_view text) noexcept;

    // Fields, in order. Pointers and spans are valid until the next change of the head.
    std::span<const field> fields() const noexcept { return {fields_, count_}; }
    /// The first field of that name, or nullptr.
    const field* find(field_name name) const noexcept {
        return name.id != field_id::other ? find(name.id) : find_other(name.text);
    }
    const field* find(field_id id) const noexcept {
        if (!may_have(id)) {
            return nullptr;
        }
        for (const field* f = fields_; f != fields_ + count_; ++f) {
            if (f->id == id) {
                return f;
            }
        }
        return nullptr;
    }
    bool has(field_name name) const noexcept { return find(name) != nullptr; }
    /// The value of the first field of that name; data() is nullptr when there is none (it is never nullptr for an
    /// empty value).
    std::string_view get(field_name name) const noexcept {
        const field* f = find(name);
        return f == nullptr ? std::string_view() : f->value();
    }
    unsigned count(field_name name) const noexcept;
    /// Whether the first field of that name has exactly this value, without case (the reference's http_HdrIs).
    bool is(field_name name, std::string_view value) const noexcept;

    // Changes. A false result means: no slot or no memory; the listener heard lost(...) and the head is unchanged
    // (replace() has then removed the old fields).
    /// Appends a line "Name: value" that lives long enough, without copying it.
    bool add_line(std::string_view line) noexcept;
    /// Appends "name: value", composed in the arena.
    bool add(field_name name, std::string_view value) noexcept;
    /// Removes all fields of that name (telling the listener of each), then appends as add() does.
    bool replace(field_name name, std::string_view value) noexcept;
    /// replace(), unless is(name, value) holds already.
    bool force(field_name name, std::string_view value) noexcept;
    /// Removes all fields of that name; how many there were.
    unsigned unset(field_name name) noexcept;
    /// Joins all fields of that name into the first, values separated by `separator` (", " when empty). The reference
    /// tells the log nothing of it, so the listener hears nothing (but lost).
    bool collect(field_name name, std::string_view separator = {}) noexcept;
    /// Adds `value` behind the existing one after ", ", collecting several fields first; otherwise like add().
    bool append_to(field_name name, std::string_view value) noexcept;

    // Bulk. These tell the listener nothing; report() does.
    /// Takes start line and fields of `from` but those that is_filtered(…, use) or Connection names. Views are shared.
    bool copy_filtered(const head& from, filter_use use) noexcept;
    /// Takes everything of `from`, marks included (the reference's HTTP_Dup). Views are shared.
    bool copy(const head& from) noexcept;
    /// Moves all texts into the arena, for a head whose receive buffer is about to be reused. On overflow the listener
    /// hears lost(line), the remaining views stay where they were, and the result is false.
    bool copy_home() noexcept;
    /// Marks the fields named by a `Connection` field as hop-by-hop.
    void mark_hop_by_hop(field_name name) noexcept;
    /// Tells the listener all parts that are set and then all fields, in the order of the wire.
    void report() const noexcept;

    // For the dissector and the packed head.
    void set_start_line_silently(std::string_view method, std::string_view url, std::string_view protocol,
                                 unsigned version) noexcept;
    void set_status_line_silently(std::string_view protocol, unsigned version, unsigned status,
                                  std::string_view reason) noexcept;
    /// Room for at least `more` further fields, false when the limit or memory does not allow it.
    bool make_room(unsigned more) noexcept { return count_ + more <= capacity_ ? true : grow(count_ + more); }
    /// Appends without any check but make_room()'s.
    void push_silently(const field& f) noexcept {
        fields_[count_++] = f;
        present_ |= bit_of(f.id);
    }
    void drop_fields() noexcept {
        count_ = 0;
        present_ = 0;
    }
    unsigned max_fields() const noexcept { return max_fields_; }

  private:
    static_assert(static_cast<unsigned>(field_id::count) <= 64);
    static constexpr std::uint64_t bit_of(field_id id) noexcept {
        return std::uint64_t(1) << static_cast<unsigned>(id);
    }
    bool may_have(field_id id) const noexcept { return (present_ & bit_of(id)) != 0; }
    const field* find_other(std::string_view name) const noexcept;
    bool grow(unsigned wanted) noexcept;
    bool lose(std::string_view text) noexcept;
    void tell(head_part part, std::string_view text) const noexcept {
        if (listener_ != nullptr) {
            listener_->head_changed(part, text);
        }
    }

    base::arena* memory_ = nullptr;
    head_listener* listener_ = nullptr;
    field* fields_ = nullptr;
    std::uint64_t present_ = 0; // a bit for each number of a name that is or was among the fields
    std::uint32_t count_ = 0;
    std::uint32_t capacity_ = 0;
    std::uint32_t max_fields_ = 0;
    std::uint16_t status_ = 0;
    std::uint16_t version_ = 0;
    std::string_view method_;
    std::string_view url_;
    std::string_view protocol_;
    std::string_view reason_;
};

/// 10 for "HTTP/1.0", 11 for "HTTP/1.1" (letters of either case, two digits around a dot), otherwise 0.
unsigned parse_version(std::string_view protocol) noexcept;

} // namespace clearcoat::http
