// The built-in subroutines and what each may return: one table (vcl-step(7)).
#pragma once

#include "tables/vcl_variables.hpp"
#include "vcl/types.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace clearcoat::vcl::sema {

using action_set = std::uint32_t;
constexpr action_set bit(action a) noexcept {
    return 1U << static_cast<unsigned>(a);
}
constexpr tables::sub_set bit(sub_id s) noexcept {
    return static_cast<tables::sub_set>(1U << static_cast<unsigned>(s));
}

/// What a built-in subroutine may return.
action_set returns_of(sub_id s) noexcept;
/// The built-in subroutines that may return it.
tables::sub_set subs_returning(action a) noexcept;

/// By name: "fetch". std::nullopt when no subroutine can return it.
std::optional<action> action_named(std::string_view name) noexcept;
std::optional<sub_id> builtin_named(std::string_view name) noexcept;

/// All actions in the order of their names, as messages list them.
constexpr action actions_by_name[] = {
    action::abandon, action::beresp, action::deliver, action::error,     action::fail,  action::fetch,
    action::hash,    action::lookup, action::merge,   action::obj_stale, action::ok,    action::pass,
    action::pipe,    action::purge,  action::restart, action::retry,     action::synth, action::vcl};

} // namespace clearcoat::vcl::sema
