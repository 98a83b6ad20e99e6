// Module proxy: vmod_proxy(3). What a PROXY 2 preamble told in its TLVs; the layout of the SSL one, with TLVs of its
// own inside, is section 2.2.6 of the PROXY protocol.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

namespace clearcoat::vmod {

namespace {

enum tlv_type : std::uint8_t {
    tlv_alpn = 0x01,
    tlv_authority = 0x02,
    tlv_ssl = 0x20,
    tlv_ssl_version = 0x21,
    tlv_ssl_cn = 0x22,
    tlv_ssl_cipher = 0x23,
    tlv_ssl_signature = 0x24,
    tlv_ssl_key = 0x25
};

enum ssl_flag : unsigned { flag_ssl = 1, flag_certificate_now = 2, flag_certificate_in_session = 4 };

constexpr std::size_t ssl_head = 5; // flags and the result of verification

unsigned byte_at(std::string_view text, std::size_t i) noexcept {
    return static_cast<unsigned char>(text[i]);
}

/// A TLV inside the SSL one; data() is nullptr when there is none.
std::string_view inside_ssl(std::string_view ssl, std::uint8_t type) noexcept {
    constexpr std::size_t head = 3;
    if (ssl.size() < ssl_head) {
        return {};
    }
    std::string_view rest = ssl.substr(ssl_head);
    while (rest.size() >= head) {
        const std::size_t size = byte_at(rest, 1) << 8 | byte_at(rest, 2);
        if (size > rest.size() - head) {
            break;
        }
        if (byte_at(rest, 0) == type) {
            return rest.substr(head, size);
        }
        rest.remove_prefix(head + size);
    }
    return {};
}

vcl::value text_of(vcl::call& c, std::uint8_t type) {
    std::string_view found = c.task().proxy_tlv(type);
    if (found.data() == nullptr && type > tlv_ssl) {
        found = inside_ssl(c.task().proxy_tlv(tlv_ssl), type);
    }
    if (found.data() == nullptr) {
        return no_value();
    }
    const vcl::value text = workspace_text(c, found);
    if (undefined(text)) {
        c.fail("proxy.TLV: out of workspace");
    }
    return text;
}

vcl::value has_flag(vcl::call& c, unsigned flag) {
    const std::string_view ssl = c.task().proxy_tlv(tlv_ssl);
    return vcl::value::of(ssl.size() >= ssl_head && (byte_at(ssl, 0) & flag) != 0);
}

vcl::value alpn(vcl::call& c, arguments) {
    return text_of(c, tlv_alpn);
}

vcl::value authority(vcl::call& c, arguments) {
    return text_of(c, tlv_authority);
}

vcl::value is_ssl(vcl::call& c, arguments) {
    return has_flag(c, flag_ssl);
}

vcl::value client_has_cert_sess(vcl::call& c, arguments) {
    return has_flag(c, flag_certificate_in_session);
}

vcl::value client_has_cert_conn(vcl::call& c, arguments) {
    return has_flag(c, flag_certificate_now);
}

vcl::value ssl_verify_result(vcl::call& c, arguments) {
    const std::string_view ssl = c.task().proxy_tlv(tlv_ssl);
    std::int64_t result = 0;
    for (std::size_t i = 1; i < ssl_head && ssl.size() >= ssl_head; ++i) {
        result = result << 8 | byte_at(ssl, i);
    }
    return vcl::value::of_integer(result);
}

vcl::value ssl_version(vcl::call& c, arguments) {
    return text_of(c, tlv_ssl_version);
}

vcl::value client_cert_cn(vcl::call& c, arguments) {
    return text_of(c, tlv_ssl_cn);
}

vcl::value ssl_cipher(vcl::call& c, arguments) {
    return text_of(c, tlv_ssl_cipher);
}

vcl::value cert_sign(vcl::call& c, arguments) {
    return text_of(c, tlv_ssl_signature);
}

vcl::value cert_key(vcl::call& c, arguments) {
    return text_of(c, tlv_ssl_key);
}

constexpr vcl::function_row functions[] = {
    {"STRING alpn()", alpn},
    {"STRING authority()", authority},
    {"BOOL is_ssl()", is_ssl},
    {"BOOL client_has_cert_sess()", client_has_cert_sess},
    {"BOOL client_has_cert_conn()", client_has_cert_conn},
    {"INT ssl_verify_result()", ssl_verify_result},
    {"STRING ssl_version()", ssl_version},
    {"STRING client_cert_cn()", client_cert_cn},
    {"STRING ssl_cipher()", ssl_cipher},
    {"STRING cert_sign()", cert_sign},
    {"STRING cert_key()", cert_key},
};

} // namespace

const vcl::module_row proxy_module{"proxy", "what a PROXY 2 preamble told about the client's TLS", functions};

} // namespace clearcoat::vmod
