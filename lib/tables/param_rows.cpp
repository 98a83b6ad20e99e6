#include "tables/params.hpp"

namespace clearcoat::tables {
namespace {

constexpr param_row rows[] = {
#define CLEARCOAT_PARAM(name, kind, def, min, max, unit, flags, text)                                                  \
    {#name, param_id::name, param_kind::kind, def, min, max, unit, flags, text},
#define CLEARCOAT_MANAGER_PARAM(name, kind, def, min, max, unit, flags, text)                                          \
    {#name, param_id::name, param_kind::kind, def, min, max, unit, flags, text},
#include "tables/params.def"
};

} // namespace

std::span<const param_row> param_rows() noexcept {
    return rows;
}

const param_row* find_param(std::string_view name) noexcept {
    for (const param_row& row : rows) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace clearcoat::tables
