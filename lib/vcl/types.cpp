#include "vcl/types.hpp"

#include "vcl/vm/machine.hpp"

namespace clearcoat::vcl {

std::string_view name_of(type t) noexcept {
    static constexpr std::string_view names[] = {
        "VOID", "BOOL", "INT",     "REAL", "BYTES", "DURATION",  "TIME", "STRING", "STRANDS", "IP",   "HEADER",
        "HTTP", "BODY", "BACKEND", "ACL",  "PROBE", "STEVEDORE", "BLOB", "SUB",    "REGEX",   "ENUM", "INSTANCE"};
    return names[static_cast<std::size_t>(t)];
}

std::string_view name_of(sub_id s) noexcept {
    static constexpr std::string_view names[] = {"vcl_recv",
                                                 "vcl_pipe",
                                                 "vcl_pass",
                                                 "vcl_hash",
                                                 "vcl_purge",
                                                 "vcl_miss",
                                                 "vcl_hit",
                                                 "vcl_deliver",
                                                 "vcl_synth",
                                                 "vcl_backend_fetch",
                                                 "vcl_backend_response",
                                                 "vcl_backend_error",
                                                 "vcl_backend_refresh",
                                                 "vcl_init",
                                                 "vcl_fini"};
    static_assert(std::size(names) == sub_count);
    return names[static_cast<std::size_t>(s)];
}

std::string_view upper_name_of(sub_id s) noexcept {
    static constexpr std::string_view names[] = {"RECV",
                                                 "PIPE",
                                                 "PASS",
                                                 "HASH",
                                                 "PURGE",
                                                 "MISS",
                                                 "HIT",
                                                 "DELIVER",
                                                 "SYNTH",
                                                 "BACKEND_FETCH",
                                                 "BACKEND_RESPONSE",
                                                 "BACKEND_ERROR",
                                                 "BACKEND_REFRESH",
                                                 "INIT",
                                                 "FINI"};
    static_assert(std::size(names) == sub_count);
    return names[static_cast<std::size_t>(s)];
}

std::string_view name_of(action a) noexcept {
    static constexpr std::string_view names[] = {
        "none",    "fail",  "synth",   "restart", "pass",    "pipe", "hash", "purge", "lookup",    "miss",  "fetch",
        "deliver", "retry", "abandon", "error",   "connect", "ok",   "vcl",  "merge", "obj_stale", "beresp"};
    return names[static_cast<std::size_t>(a)];
}

} // namespace clearcoat::vcl
