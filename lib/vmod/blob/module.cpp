// Module blob: vmod_blob(3).
#include "vmod/blob/codecs.hpp"
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace clearcoat::vmod {

namespace {

using blobs::scheme;

constexpr std::uint32_t own_kind = 0xfade4faa;
constexpr vcl::blob null_blob{};

void fail(const vcl::call& c, std::string_view what) {
    c.fail(fmt::format("vmod blob error: {}", what));
}

void fail_decoding(const vcl::call& c, std::string_view what, const vcl::strand_list& text) {
    fail(c, fmt::format("cannot {}, illegal encoding beginning with \"{}\"", what,
                        text.count > 0 ? text.parts[0] : std::string_view()));
}

std::size_t total_size(const vcl::strand_list& text) noexcept {
    std::size_t size = 0;
    for (std::size_t i = 0; i < text.count; ++i) {
        size += text.parts[i].size();
    }
    return size;
}

/// A text ends at its first zero byte.
std::string_view until_zero(std::string_view text) noexcept {
    return text.substr(0, text.find('\0'));
}

/// Letter case has a meaning for hex digits only.
bool good_case(const vcl::call& c, std::string_view scheme_word, std::string_view case_word) {
    if (case_word == "DEFAULT" || blobs::writes_hex(blobs::scheme_named(scheme_word))) {
        return true;
    }
    fail(c, fmt::format("case {} is illegal with encoding {}", case_word, scheme_word));
    return false;
}

vcl::value encoded(const vcl::call& c, scheme s, bool upper, std::span<const std::byte> bytes) {
    if (bytes.empty()) {
        return text_value("");
    }
    const std::size_t limit = blobs::encoded_limit(s, bytes.size());
    auto* room = static_cast<char*>(c.workspace().allocate(limit + 1, 1));
    if (room == nullptr) {
        fail(c, "cannot encode, out of space");
        return no_value();
    }
    const std::size_t size = blobs::encode(s, upper, bytes, {room, limit});
    room[size] = '\0';
    return text_value(until_zero({room, size}));
}

/// Decodes into the workspace; std::nullopt after a failure.
std::optional<std::span<const std::byte>> decoded(const vcl::call& c, scheme s, std::int64_t length,
                                                  const vcl::strand_list& text) {
    const std::size_t limit = blobs::decoded_limit(s, total_size(text));
    auto* room = static_cast<std::byte*>(c.workspace().allocate(limit + 1, 1));
    if (room == nullptr) {
        fail(c, "cannot decode, out of space");
        return std::nullopt;
    }
    const std::optional<std::size_t> size = blobs::decode(s, text, length, {room, limit});
    if (!size) {
        fail_decoding(c, "decode", text);
        return std::nullopt;
    }
    return std::span<const std::byte>(room, *size);
}

vcl::value blob_value(const vcl::call& c, const char* function, std::uint32_t kind, std::span<const std::byte> bytes) {
    auto* made = c.workspace().make<vcl::blob>();
    if (made == nullptr) {
        c.fail(fmt::format("Workspace overflow ({})", function));
        return no_value();
    }
    made->kind = kind;
    made->bytes = bytes;
    return vcl::value::of(static_cast<const vcl::blob*>(made));
}

// decode(ENUM decoding, INT length, STRANDS encoded)
vcl::value decode(vcl::call& c, arguments args) {
    const auto bytes = decoded(c, blobs::scheme_named(args[0].string()), args[1].integer, args[2].strands);
    if (!bytes) {
        return no_value();
    }
    return bytes->empty() ? vcl::value::of(&null_blob) : blob_value(c, "blob.decode", own_kind, *bytes);
}

// encode(ENUM encoding, ENUM case, BLOB blob)
vcl::value encode(vcl::call& c, arguments args) {
    if (!good_case(c, args[0].string(), args[1].string()) || args[2].blob == nullptr) {
        return no_value();
    }
    return encoded(c, blobs::scheme_named(args[0].string()), args[1].string() == "UPPER", args[2].blob->bytes);
}

// transcode(ENUM decoding, ENUM encoding, ENUM case, INT length, STRANDS encoded)
vcl::value transcode(vcl::call& c, arguments args) {
    const scheme from = blobs::scheme_named(args[0].string());
    const scheme to = blobs::scheme_named(args[1].string());
    const vcl::strand_list& text = args[4].strands;
    if (!good_case(c, args[1].string(), args[2].string())) {
        return no_value();
    }
    if (total_size(text) == 0) {
        return text_value("");
    }
    const auto bytes = decoded(c, from, args[3].integer, text);
    if (!bytes) {
        return no_value();
    }
    if (from == to && args[3].integer <= 0 && !blobs::writes_hex(to)) {
        return text_value(c.join(text)); // a legal text is its own result
    }
    return encoded(c, to, args[2].string() == "UPPER", *bytes);
}

std::span<const std::byte> bytes_of(const vcl::value& v) noexcept {
    return v.blob == nullptr ? std::span<const std::byte>() : v.blob->bytes;
}

// same(BLOB, BLOB)
vcl::value same(vcl::call&, arguments args) {
    const auto a = bytes_of(args[0]);
    const auto b = bytes_of(args[1]);
    return vcl::value::of(a.size() == b.size() && (a.empty() || a.data() == b.data()));
}

// equal(BLOB, BLOB)
vcl::value equal(vcl::call&, arguments args) {
    const auto a = bytes_of(args[0]);
    const auto b = bytes_of(args[1]);
    return vcl::value::of(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

// length(BLOB)
vcl::value length(vcl::call&, arguments args) {
    return vcl::value::of_integer(static_cast<std::int64_t>(bytes_of(args[0]).size()));
}

// sub(BLOB, BYTES length, BYTES offset=0)
vcl::value sub(vcl::call& c, arguments args) {
    const auto bytes = bytes_of(args[0]);
    const std::int64_t size = args[1].integer;
    const std::int64_t offset = args[2].integer;
    const auto whole = static_cast<std::int64_t>(bytes.size());
    if (bytes.empty()) {
        fail(c, "blob is empty in blob.sub()");
    } else if (size < 0 || offset < 0) {
        fail(c, "size or offset negative in blob.sub()");
    } else if (offset > whole || size > whole - offset) {
        fail(c, fmt::format("size {} from offset {} requires more bytes than blob length {} in blob.sub()", size,
                            offset, whole));
    } else {
        return blob_value(c, "blob.sub", args[0].blob->kind,
                          bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)));
    }
    return no_value();
}

/// What blob.blob() makes: bytes that stay, and their encodings once somebody asked.
class blob_object : public vcl::module_object {
  public:
    bool decode(scheme s, const vcl::strand_list& text) {
        bytes_.resize(blobs::decoded_limit(s, total_size(text)));
        const std::optional<std::size_t> size = blobs::decode(s, text, 0, bytes_);
        bytes_.resize(size.value_or(0));
        blob_.kind = own_kind;
        blob_.bytes = bytes_;
        return size.has_value();
    }

    const vcl::blob* get() const noexcept { return &blob_; }

    std::string_view encoded(scheme s, bool upper) {
        std::lock_guard hold(mutex_);
        std::optional<std::string>& text = texts_[static_cast<std::size_t>(s)][upper ? 1 : 0];
        if (!text) {
            text.emplace(blobs::encoded_limit(s, bytes_.size()), '\0');
            text->resize(blobs::encode(s, upper, bytes_, *text));
        }
        return until_zero(*text);
    }

  private:
    std::vector<std::byte> bytes_;
    vcl::blob blob_;
    std::mutex mutex_;
    std::array<std::array<std::optional<std::string>, 2>, blobs::scheme_count> texts_; // guarded by mutex_
};

// blob(ENUM decoding, STRANDS encoded)
std::unique_ptr<vcl::module_object> new_blob(vcl::call& c, std::string_view name, arguments args) {
    auto made = std::make_unique<blob_object>();
    if (!made->decode(blobs::scheme_named(args[0].string()), args[1].strands)) {
        fail_decoding(c, fmt::format("create blob {}", name), args[1].strands);
        return nullptr;
    }
    return made;
}

vcl::value object_get(vcl::call& c, arguments) {
    return vcl::value::of(c.self<blob_object>().get());
}

// encode(ENUM encoding, ENUM case)
vcl::value object_encode(vcl::call& c, arguments args) {
    if (!good_case(c, args[0].string(), args[1].string())) {
        return no_value();
    }
    return text_value(
        c.self<blob_object>().encoded(blobs::scheme_named(args[0].string()), args[1].string() == "UPPER"));
}

#define SCHEMES "ENUM {IDENTITY, BASE64, BASE64URL, BASE64URLNOPAD, BASE64CF, HEX, URL}"

constexpr vcl::function_row functions[] = {
    {"BLOB decode(" SCHEMES " decoding=\"IDENTITY\", INT length=0, STRANDS encoded)", decode},
    {"STRING encode(" SCHEMES " encoding=\"IDENTITY\", ENUM {LOWER, UPPER, DEFAULT} case=\"DEFAULT\", BLOB blob)",
     encode},
    {"STRING transcode(" SCHEMES " decoding=\"IDENTITY\", " SCHEMES
     " encoding=\"IDENTITY\", ENUM {LOWER, UPPER, DEFAULT} case=\"DEFAULT\", INT length=0, STRANDS encoded)",
     transcode},
    {"BOOL same(BLOB, BLOB)", same},
    {"BOOL equal(BLOB, BLOB)", equal},
    {"INT length(BLOB)", length},
    {"BLOB sub(BLOB, BYTES length, BYTES offset=0)", sub},
};

constexpr vcl::function_row methods[] = {
    {"BLOB get()", object_get},
    {"STRING encode(" SCHEMES " encoding=\"IDENTITY\", ENUM {LOWER, UPPER, DEFAULT} case=\"DEFAULT\")", object_encode},
};

constexpr vcl::object_row objects[] = {
    {"blob(" SCHEMES " decoding=\"IDENTITY\", STRANDS encoded)", new_blob, methods},
};

#undef SCHEMES

} // namespace

const vcl::module_row blob_module{"blob", "bytes, and their encodings as text", functions, objects};

} // namespace clearcoat::vmod
