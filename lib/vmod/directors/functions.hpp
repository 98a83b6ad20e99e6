// The native functions of module directors, one for each row of its table (module.cpp).
#pragma once

#include "vmod/support/arguments.hpp"

namespace clearcoat::vmod::directors {

using made = std::unique_ptr<vcl::module_object>;

// simple_functions.cpp
made new_round_robin(vcl::call& c, std::string_view name, arguments args);
made new_fallback(vcl::call& c, std::string_view name, arguments args);
made new_random(vcl::call& c, std::string_view name, arguments args);
made new_hash(vcl::call& c, std::string_view name, arguments args);
vcl::value add_backend(vcl::call& c, arguments args);
vcl::value add_weighted(vcl::call& c, arguments args);
vcl::value remove_backend(vcl::call& c, arguments args);
vcl::value itself(vcl::call& c, arguments args);
vcl::value hash_backend(vcl::call& c, arguments args);
vcl::value lookup(vcl::call& c, arguments args);

// shard_functions.cpp
made new_shard(vcl::call& c, std::string_view name, arguments args);
vcl::value shard_set_warmup(vcl::call& c, arguments args);
vcl::value shard_set_rampup(vcl::call& c, arguments args);
vcl::value shard_associate(vcl::call& c, arguments args);
vcl::value shard_add_backend(vcl::call& c, arguments args);
vcl::value shard_remove_backend(vcl::call& c, arguments args);
vcl::value shard_clear(vcl::call& c, arguments args);
vcl::value shard_reconfigure(vcl::call& c, arguments args);
vcl::value shard_key(vcl::call& c, arguments args);
vcl::value shard_debug(vcl::call& c, arguments args);

// shard_backend.cpp
vcl::value shard_backend(vcl::call& c, arguments args);

// shard_param_functions.cpp
made new_shard_param(vcl::call& c, std::string_view name, arguments args);
vcl::value param_clear(vcl::call& c, arguments args);
vcl::value param_set(vcl::call& c, arguments args);
vcl::value param_get_by(vcl::call& c, arguments args);
vcl::value param_get_key(vcl::call& c, arguments args);
vcl::value param_get_alt(vcl::call& c, arguments args);
vcl::value param_get_warmup(vcl::call& c, arguments args);
vcl::value param_get_rampup(vcl::call& c, arguments args);
vcl::value param_get_healthy(vcl::call& c, arguments args);
vcl::value param_use(vcl::call& c, arguments args);

} // namespace clearcoat::vmod::directors
