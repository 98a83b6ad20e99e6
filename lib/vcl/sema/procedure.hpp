// What the checks across subroutines need to know of each: what it calls, which variables it touches, what it returns.
#pragma once

#include "vcl/sema/methods.hpp"
#include "vcl/sema/symbol.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace clearcoat::vcl::sema {

enum class use_kind : std::uint8_t { read, write, unset, statement };

/// A use of something that not every built-in subroutine allows.
struct use {
    const syntax::token* first;
    const syntax::token* last;
    const symbol* what;
    use_kind how;
    tables::sub_set allowed;
};

struct procedure {
    symbol* name_symbol = nullptr;
    const syntax::token* name = nullptr; // nullptr: a built-in one without a body
    std::optional<sub_id> builtin;
    std::uint32_t index = 0; // in the tree

    struct call_site {
        symbol* callee;
        const syntax::token* place;
    };
    std::vector<call_site> calls;
    std::vector<use> uses;
    action_set returned = 0;
    std::array<const syntax::token*, 32> return_places{};

    tables::sub_set allowed = tables::everywhere;
    tables::sub_set called_from = 0;
    std::uint32_t called = 0;
    bool active = false;
};

} // namespace clearcoat::vcl::sema
