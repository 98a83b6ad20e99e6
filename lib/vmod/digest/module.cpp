// Module digest: hashes, HMACs and base64 of strings. OpenSSL computes; what it does not have fails the VCL by name.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "tables/log_tags.hpp"
#include "vmod/blob/codecs.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <zlib.h>

namespace clearcoat::vmod {

namespace {

using bytes = std::span<const std::byte>;
using algorithm = const EVP_MD* (*)();

std::string hex(const unsigned char* data, std::size_t size) {
    std::string out;
    for (std::size_t i = 0; i < size; ++i) {
        fmt::format_to(std::back_inserter(out), "{:02x}", data[i]);
    }
    return out;
}

template<algorithm Which>
vcl::value hash(vcl::call& c, arguments args) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out;
    unsigned size = 0;
    const std::string_view text = args[0].string();
    if (EVP_Digest(text.data(), text.size(), out.data(), &size, Which(), nullptr) != 1) {
        c.fail("digest: the system's OpenSSL does not have this algorithm");
        return no_value();
    }
    return workspace_text(c, hex(out.data(), size));
}

template<algorithm Which>
vcl::value hmac(vcl::call& c, arguments args) {
    if (args[0].string().empty()) {
        c.task().log().write(log_tag::VCL_Error, "digest: an HMAC needs a key");
        return no_value();
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> out;
    unsigned size = 0;
    const std::string_view key = args[0].string();
    const std::string_view text = args[1].string();
    if (HMAC(Which(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
             text.size(), out.data(), &size) == nullptr) {
        c.fail("digest: the system's OpenSSL does not have this algorithm");
        return no_value();
    }
    return workspace_text(c, "0x" + hex(out.data(), size));
}

template<auto Sum, unsigned long First>
vcl::value checksum(vcl::call& c, arguments args) {
    const std::string_view text = args[0].string();
    const unsigned long sum = Sum(First, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
    return workspace_text(c, fmt::format("{:08x}", sum));
}

vcl::value not_here(vcl::call& c, arguments) {
    c.fail("digest: this hash is not available; take hash_sha256()");
    return no_value();
}

vcl::value encoded(vcl::call& c, blobs::scheme scheme, bytes data) {
    std::string out(blobs::encoded_limit(scheme, data.size()), '\0');
    out.resize(blobs::encode(scheme, false, data, out));
    return workspace_text(c, out);
}

template<blobs::scheme Scheme>
vcl::value encode(vcl::call& c, arguments args) {
    return encoded(c, Scheme, std::as_bytes(std::span(args[0].string())));
}

std::optional<std::vector<std::byte>> decoded(blobs::scheme scheme, std::string_view text) {
    const vcl::strand_list list{&text, 1};
    std::vector<std::byte> out(blobs::decoded_limit(scheme, text.size()));
    const std::optional<std::size_t> size = blobs::decode(scheme, list, 0, out);
    if (!size) {
        return std::nullopt;
    }
    out.resize(*size);
    return out;
}

/// Encodes what is written in hex digits, with or without 0x before them.
template<blobs::scheme Scheme>
vcl::value encode_hex(vcl::call& c, arguments args) {
    std::string_view text = args[0].string();
    if (text.starts_with("0x")) {
        text.remove_prefix(2);
    }
    const auto data = decoded(blobs::scheme::hex, text);
    return data ? encoded(c, Scheme, *data) : no_value();
}

/// Padding may be there or not.
template<blobs::scheme Unpadded, bool Url>
vcl::value decode(vcl::call& c, arguments args) {
    std::string text(args[0].string().substr(0, args[0].string().find('=')));
    if (!Url) {
        text.append((4 - text.size() % 4) % 4, '=');
    }
    const auto data = decoded(Unpadded, text);
    return data ? workspace_text(c, {reinterpret_cast<const char*>(data->data()), data->size()}) : no_value();
}

vcl::value version(vcl::call&, arguments) {
    return text_value("clearcoat");
}

using blobs::scheme;

constexpr vcl::function_row functions[] = {
    {"STRING hmac_md5(STRING key, STRING message)", hmac<EVP_md5>},
    {"STRING hmac_sha1(STRING key, STRING message)", hmac<EVP_sha1>},
    {"STRING hmac_sha224(STRING key, STRING message)", hmac<EVP_sha224>},
    {"STRING hmac_sha256(STRING key, STRING message)", hmac<EVP_sha256>},
    {"STRING hmac_sha384(STRING key, STRING message)", hmac<EVP_sha384>},
    {"STRING hmac_sha512(STRING key, STRING message)", hmac<EVP_sha512>},
    {"STRING base64(STRING s)", encode<scheme::base64>},
    {"STRING base64url(STRING s)", encode<scheme::base64url>},
    {"STRING base64url_nopad(STRING s)", encode<scheme::base64urlnopad>},
    {"STRING base64_hex(STRING s)", encode_hex<scheme::base64>},
    {"STRING base64url_hex(STRING s)", encode_hex<scheme::base64url>},
    {"STRING base64url_nopad_hex(STRING s)", encode_hex<scheme::base64urlnopad>},
    {"STRING base64_decode(STRING s)", decode<scheme::base64, false>},
    {"STRING base64url_decode(STRING s)", decode<scheme::base64urlnopad, true>},
    {"STRING base64url_nopad_decode(STRING s)", decode<scheme::base64urlnopad, true>},
    {"STRING hash_md5(STRING s)", hash<EVP_md5>},
    {"STRING hash_sha1(STRING s)", hash<EVP_sha1>},
    {"STRING hash_sha224(STRING s)", hash<EVP_sha224>},
    {"STRING hash_sha256(STRING s)", hash<EVP_sha256>},
    {"STRING hash_sha384(STRING s)", hash<EVP_sha384>},
    {"STRING hash_sha512(STRING s)", hash<EVP_sha512>},
    {"STRING hash_ripemd160(STRING s)", hash<EVP_ripemd160>},
    {"STRING hash_crc32b(STRING s)", checksum<::crc32, 0>},
    {"STRING hash_adler32(STRING s)", checksum<::adler32, 1>},
    {"STRING hash_crc32(STRING s)", not_here},
    {"STRING hash_gost(STRING s)", not_here},
    {"STRING hash_haval128(STRING s)", not_here},
    {"STRING hash_haval160(STRING s)", not_here},
    {"STRING hash_haval192(STRING s)", not_here},
    {"STRING hash_haval224(STRING s)", not_here},
    {"STRING hash_haval256(STRING s)", not_here},
    {"STRING hash_md2(STRING s)", not_here},
    {"STRING hash_md4(STRING s)", not_here},
    {"STRING hash_ripemd128(STRING s)", not_here},
    {"STRING hash_ripemd256(STRING s)", not_here},
    {"STRING hash_ripemd320(STRING s)", not_here},
    {"STRING hash_snefru128(STRING s)", not_here},
    {"STRING hash_snefru256(STRING s)", not_here},
    {"STRING hash_tiger(STRING s)", not_here},
    {"STRING hash_tiger128(STRING s)", not_here},
    {"STRING hash_tiger160(STRING s)", not_here},
    {"STRING hash_whirlpool(STRING s)", not_here},
    {"STRING version()", version},
};

} // namespace

const vcl::module_row digest_module{"digest", "hashes, HMACs and base64 of strings", functions};

} // namespace clearcoat::vmod
