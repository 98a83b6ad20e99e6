// Module uuid: RFC 4122 identifiers, random, by time or by name.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

namespace clearcoat::vmod {

namespace {

using bytes16 = std::array<unsigned char, 16>;

struct known_namespace {
    std::string_view name;
    std::string_view uuid;
};

// RFC 4122, appendix C
constexpr known_namespace namespaces[] = {
    {"ns:DNS", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
    {"ns:URL", "6ba7b811-9dad-11d1-80b4-00c04fd430c8"},
    {"ns:OID", "6ba7b812-9dad-11d1-80b4-00c04fd430c8"},
    {"ns:X500", "6ba7b814-9dad-11d1-80b4-00c04fd430c8"},
};

vcl::value written(vcl::call& c, bytes16 id, unsigned version) {
    id[6] = static_cast<unsigned char>((id[6] & 0x0f) | version << 4);
    id[8] = static_cast<unsigned char>((id[8] & 0x3f) | 0x80);
    std::string text;
    for (std::size_t i = 0; i < id.size(); ++i) {
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id[i]);
    }
    return workspace_text(c, text);
}

std::optional<bytes16> random_bytes(vcl::call& c) {
    bytes16 id;
    if (RAND_bytes(id.data(), id.size()) != 1) {
        c.fail("uuid: no random bytes");
        return std::nullopt;
    }
    return id;
}

vcl::value random_uuid(vcl::call& c, arguments) {
    const std::optional<bytes16> id = random_bytes(c);
    return id ? written(c, *id, 4) : no_value();
}

/// By time. The node is random, as RFC 4122 §4.5 allows, and the clock sequence too: the address of no interface leaks.
vcl::value time_uuid(vcl::call& c, arguments) {
    static std::atomic<std::uint64_t> last{0};
    std::optional<bytes16> id = random_bytes(c);
    if (!id) {
        return no_value();
    }
    constexpr std::uint64_t epoch = 0x01b21dd213814000; // 100 ns from 1582-10-15 to 1970-01-01
    const std::uint64_t now = epoch + static_cast<std::uint64_t>(base::system_clock().real() * 1e7);
    std::uint64_t before = last.load();
    while (!last.compare_exchange_weak(before, std::max(now, before + 1))) {
    }
    const std::uint64_t stamp = std::max(now, before + 1);
    for (unsigned i = 0; i < 4; ++i) {
        (*id)[i] = static_cast<unsigned char>(stamp >> (24 - 8 * i));
    }
    (*id)[4] = static_cast<unsigned char>(stamp >> 40);
    (*id)[5] = static_cast<unsigned char>(stamp >> 32);
    (*id)[6] = static_cast<unsigned char>(stamp >> 56);
    (*id)[7] = static_cast<unsigned char>(stamp >> 48);
    (*id)[10] |= 1; // multicast: not an interface's address
    return written(c, *id, 1);
}

std::optional<bytes16> parsed(std::string_view text) {
    for (const known_namespace& n : namespaces) {
        text = text == n.name ? n.uuid : text;
    }
    bytes16 id{};
    std::size_t digits = 0;
    for (const char ch : text) {
        const std::size_t value = std::string_view("0123456789abcdef").find(base::to_lower(ch));
        if (ch == '-') {
            continue;
        }
        if (value == std::string_view::npos || digits == 32) {
            return std::nullopt;
        }
        id[digits / 2] = static_cast<unsigned char>(id[digits / 2] << 4 | value);
        ++digits;
    }
    return digits == 32 ? std::optional(id) : std::nullopt;
}

template<auto Algorithm, unsigned Version>
vcl::value named_uuid(vcl::call& c, arguments args) {
    const std::optional<bytes16> space = parsed(args[0].string());
    if (!space) {
        c.fail("uuid: the namespace is neither a UUID nor one of ns:DNS, ns:URL, ns:OID, ns:X500");
        return no_value();
    }
    std::string whole(reinterpret_cast<const char*>(space->data()), space->size());
    whole.append(args[1].string());
    std::array<unsigned char, EVP_MAX_MD_SIZE> out;
    unsigned size = 0;
    if (EVP_Digest(whole.data(), whole.size(), out.data(), &size, Algorithm(), nullptr) != 1) {
        c.fail("uuid: the system's OpenSSL does not have this algorithm");
        return no_value();
    }
    bytes16 id;
    std::copy_n(out.begin(), id.size(), id.begin());
    return written(c, id, Version);
}

constexpr vcl::function_row functions[] = {
    {"STRING get_rand_uuid()", random_uuid}, {"STRING uuid()", time_uuid},
    {"STRING uuid_v1()", time_uuid},         {"STRING uuid_v3(STRING ns, STRING name)", named_uuid<EVP_md5, 3>},
    {"STRING uuid_v4()", random_uuid},       {"STRING uuid_v5(STRING ns, STRING name)", named_uuid<EVP_sha1, 5>},
};

} // namespace

const vcl::module_row uuid_module{"uuid", "universally unique identifiers", functions};

} // namespace clearcoat::vmod
