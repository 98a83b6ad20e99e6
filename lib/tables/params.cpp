#include "tables/params.hpp"

#include "tables/param_values.hpp"

#include <fmt/core.h>

namespace clearcoat::tables {
namespace {

constexpr unsigned status_param = 106;
constexpr unsigned status_auth = 107;
constexpr unsigned status_cannot = 300;

param_answer unknown(std::string_view name) {
    return {status_param, fmt::format("Unknown parameter \"{}\".", name)};
}

} // namespace

parameter_set::parameter_set(param_block& block) : block_(block) {
    for (const param_row& row : param_rows()) {
        if (row.kind == param_kind::alias) {
            continue;
        }
        slot& s = slot_of(row.id);
        std::string min = row.min.empty() ? "" : wash(row, row.min);
        std::string max = row.max.empty() ? "" : wash(row, row.max);
        s.min = std::move(min);
        s.max = std::move(max);
        s.def = wash(row, row.def);
    }
    for (const param_row& row : param_rows()) {
        follow(row.id);
    }
}

std::string parameter_set::wash(const param_row& row, std::string_view value) {
    std::string ignored;
    parse(row, value, ignored);
    return value_text(row.id);
}

void parameter_set::set_default(param_id id, std::string_view value) {
    const param_row& row = param_rows()[static_cast<std::size_t>(id)];
    slot_of(id).def = wash(row, value);
    follow(id);
}

void parameter_set::follow(param_id id) {
    auto number = [this](param_id of) { return static_cast<std::uint32_t>(block_.word(of)); };
    switch (id) {
    case param_id::vsl_buffer:
        slot_of(param_id::vsl_reclen).max = fmt::format("{}", number(id) - 12);
        break;
    case param_id::vsl_reclen:
        slot_of(param_id::vsl_buffer).min = fmt::format("{}", number(id) + 12);
        break;
    case param_id::thread_pool_min:
        slot_of(param_id::thread_pool_max).min = fmt::format("{}", number(id));
        slot_of(param_id::thread_pool_reserve).max = fmt::format("{}", std::uint64_t{number(id)} * 950 / 1000);
        break;
    case param_id::thread_pool_max:
        slot_of(param_id::thread_pool_min).max = fmt::format("{}", number(id));
        break;
    default:
        break;
    }
}

const std::string& parameter_set::text(param_id id) const noexcept {
    return slot_of(id).text;
}

const std::string& parameter_set::default_text(param_id id) const noexcept {
    return slot_of(id).def;
}

param_answer parameter_set::assign(const param_row& row, std::string_view value, bool running) {
    if ((row.flags & pf_not_implemented) != 0) {
        return {status_cannot, fmt::format("parameter \"{}\" is not available on this platform.", row.name)};
    }
    const param_row* real = row.kind == param_kind::alias ? find_param(row.def)
                            : row.kind == param_kind::vcc_bit
                                ? &param_rows()[static_cast<std::size_t>(param_id::vcc_feature)]
                                : &row;
    if (slot_of(row.id).is_protected || slot_of(real->id).is_protected) {
        return {status_auth, fmt::format("parameter \"{}\" is protected.", row.name)};
    }
    std::string error;
    if (!parse(row, value, error)) {
        return {status_param, fmt::format("{}\n(attempting to set param '{}' to '{}')", error, row.name, value)};
    }
    follow(row.id);
    if (running && (row.flags & pf_must_restart) != 0) {
        return {200, "\nChange will take effect when child is restarted"};
    }
    if ((row.flags & pf_must_reload) != 0) {
        return {200, "\nChange will take effect when VCL script is reloaded"};
    }
    return {};
}

param_answer parameter_set::set(std::string_view name, std::string_view value, bool running) {
    const param_row* row = find_param(name);
    return row == nullptr ? unknown(name) : assign(*row, value, running);
}

param_answer parameter_set::reset(std::string_view name, bool running) {
    const param_row* row = find_param(name);
    if (row == nullptr) {
        return unknown(name);
    }
    const param_row& real = row->kind == param_kind::alias ? *find_param(row->def) : *row;
    if (real.kind == param_kind::bits || real.kind == param_kind::mask) {
        return assign(*row, "default", running);
    }
    std::string value = slot_of(real.id).def;
    return assign(*row, value, running);
}

param_answer parameter_set::protect(std::string_view names) {
    for (std::string_view name : comma_words(names)) {
        const param_row* row = find_param(name);
        if (row == nullptr) {
            return {status_param, fmt::format("Unknown parameter {}", name)};
        }
        slot_of(row->id).is_protected = true;
    }
    return {};
}

const param_block& default_params() {
    struct defaults {
        param_block block;
        parameter_set set{block};
    };
    static const defaults made;
    return made.block;
}

} // namespace clearcoat::tables
