// The table of module directors: vmod_directors(3).
#include "vmod/directors/functions.hpp"
#include "vmod/registry.hpp"

namespace clearcoat::vmod {

namespace {

using namespace directors;

constexpr vcl::function_row plain_methods[] = {
    {"VOID add_backend(BACKEND)", add_backend},
    {"VOID remove_backend(BACKEND)", remove_backend},
    {"BACKEND backend()", itself},
};

constexpr vcl::function_row random_methods[] = {
    {"VOID add_backend(BACKEND, REAL)", add_weighted},
    {"VOID remove_backend(BACKEND)", remove_backend},
    {"BACKEND backend()", itself},
};

constexpr vcl::function_row hash_methods[] = {
    {"VOID add_backend(BACKEND, REAL weight=1.0)", add_weighted},
    {"VOID remove_backend(BACKEND)", remove_backend},
    {"BACKEND backend(STRANDS)", hash_backend},
};

constexpr vcl::function_row shard_methods[] = {
    {"VOID set_warmup(REAL probability=0.0)", shard_set_warmup},
    {"VOID set_rampup(DURATION duration=0)", shard_set_rampup},
    {"VOID associate(BLOB param=0)", shard_associate},
    {"BOOL add_backend(BACKEND backend, [STRING ident], [DURATION rampup], [REAL weight])", shard_add_backend},
    {"BOOL remove_backend([BACKEND backend=0], [STRING ident=0])", shard_remove_backend},
    {"BOOL clear()", shard_clear},
    {"BOOL reconfigure(INT replicas=67)", shard_reconfigure},
    {"INT key(STRANDS)", shard_key},
    {"BACKEND backend([ENUM {HASH, URL, KEY, BLOB} by=HASH], [INT key], [BLOB key_blob], [INT alt=0], "
     "[REAL warmup=-1], [BOOL rampup=1], [ENUM {CHOSEN, IGNORE, ALL} healthy=CHOSEN], [BLOB param], "
     "[ENUM {NOW, LAZY} resolve])",
     shard_backend},
    {"VOID debug(INT)", shard_debug},
};

constexpr vcl::function_row param_methods[] = {
    {"VOID clear()", param_clear},
    {"VOID set([ENUM {HASH, URL, KEY, BLOB} by], [INT key], [BLOB key_blob], [INT alt], [REAL warmup], "
     "[BOOL rampup], [ENUM {CHOSEN, IGNORE, ALL} healthy])",
     param_set},
    {"STRING get_by()", param_get_by},
    {"INT get_key()", param_get_key},
    {"INT get_alt()", param_get_alt},
    {"REAL get_warmup()", param_get_warmup},
    {"BOOL get_rampup()", param_get_rampup},
    {"STRING get_healthy()", param_get_healthy},
    {"BLOB use()", param_use},
};

constexpr vcl::function_row functions[] = {
    {"BACKEND lookup(STRING)", lookup},
};

constexpr vcl::object_row objects[] = {
    {"round_robin()", new_round_robin, plain_methods},
    {"fallback(BOOL sticky=0)", new_fallback, plain_methods},
    {"random()", new_random, random_methods},
    {"hash()", new_hash, hash_methods},
    {"shard()", new_shard, shard_methods},
    {"shard_param()", new_shard_param, param_methods},
};

} // namespace

const vcl::module_row directors_module{"directors", "choosing one of several backends", functions, objects};

} // namespace clearcoat::vmod
