#include "tables/log_tags.hpp"

#include "base/ascii.hpp"

#include <array>

namespace clearcoat::tables {
namespace {

struct row {
    std::string_view name;
    log_tag_kind kind = log_tag_kind::plain;
};

constexpr std::array<row, 256> make_rows() {
    std::array<row, 256> rows{};
#define CLEARCOAT_LOG_TAG(number, name, kind) rows[number] = {#name, log_tag_kind::kind};
#include "tables/log_tags.def"
    return rows;
}

constexpr std::array<row, 256> rows = make_rows();
static_assert(!rows[log_tag_count - 1].name.empty() && rows[log_tag_count].name.empty());

} // namespace

std::string_view name_of(log_tag tag) noexcept {
    return rows[static_cast<unsigned>(tag)].name;
}

log_tag_kind kind_of(log_tag tag) noexcept {
    return rows[static_cast<unsigned>(tag)].kind;
}

std::optional<log_tag> find_log_tag(std::string_view name) noexcept {
    for (unsigned number = 1; number < log_tag_count; ++number) {
        if (base::equal_nocase(rows[number].name, name)) {
            return static_cast<log_tag>(number);
        }
    }
    return std::nullopt;
}

} // namespace clearcoat::tables
