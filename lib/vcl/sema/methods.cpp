#include "vcl/sema/methods.hpp"

namespace clearcoat::vcl::sema {

namespace {

constexpr action_set set_of(std::initializer_list<action> actions) noexcept {
    action_set s = 0;
    for (action a : actions) {
        s |= bit(a);
    }
    return s;
}

using enum action;

constexpr action_set returns[sub_count] = {
    set_of({fail, synth, restart, pass, pipe, hash, purge, action::vcl}), // recv
    set_of({fail, synth, pipe}),                                          // pipe
    set_of({fail, synth, restart, fetch}),                                // pass
    set_of({fail, lookup}),                                               // hash
    set_of({fail, synth, restart}),                                       // purge
    set_of({fail, synth, restart, pass, fetch}),                          // miss
    set_of({fail, synth, restart, pass, deliver}),                        // hit
    set_of({fail, synth, restart, deliver}),                              // deliver
    set_of({fail, restart, deliver}),                                     // synth
    set_of({fail, fetch, abandon, error}),                                // backend_fetch
    set_of({fail, deliver, retry, abandon, pass, error}),                 // backend_response
    set_of({fail, deliver, retry, abandon}),                              // backend_error
    set_of({fail, merge, obj_stale, beresp, retry, abandon, error}),      // backend_refresh
    set_of({ok, fail}),                                                   // init
    set_of({ok}),                                                         // fini
};

} // namespace

action_set returns_of(sub_id s) noexcept {
    return returns[static_cast<std::size_t>(s)];
}

tables::sub_set subs_returning(action a) noexcept {
    tables::sub_set s = 0;
    for (std::size_t i = 0; i < sub_count; ++i) {
        if ((returns[i] & bit(a)) != 0) {
            s |= bit(static_cast<sub_id>(i));
        }
    }
    return s;
}

std::optional<action> action_named(std::string_view name) noexcept {
    for (action a : actions_by_name) {
        if (name_of(a) == name) {
            return a;
        }
    }
    return std::nullopt;
}

std::optional<sub_id> builtin_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i < sub_count; ++i) {
        if (name_of(static_cast<sub_id>(i)) == name) {
            return static_cast<sub_id>(i);
        }
    }
    return std::nullopt;
}

} // namespace clearcoat::vcl::sema
