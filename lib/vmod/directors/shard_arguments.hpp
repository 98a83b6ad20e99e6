// The parameter arguments that shard.backend() and shard_param.set() share: their first seven, in this order.
#pragma once

#include "vmod/directors/shard_director.hpp"
#include "vmod/support/arguments.hpp"

#include <optional>
#include <string_view>

namespace clearcoat::vmod::directors {

enum shard_argument : std::size_t { arg_by, arg_key, arg_key_blob, arg_alt, arg_warmup, arg_rampup, arg_healthy };

/// Checks the arguments given and takes them over; std::nullopt after a VCL failure that names `owner` and `function`.
std::optional<shard_values> shard_arguments(vcl::call& c, arguments args, const std::string& owner,
                                            std::string_view function);

/// "vmod_directors: shard NAME: TEXT" as the reason of a VCL failure.
void shard_fail(const vcl::call& c, const std::string& owner, std::string_view text);

/// The set that xshard_param.use() put into a blob; nullptr for any other blob.
const shard_param* param_in(const vcl::blob* b) noexcept;
/// A blob in the workspace that stands for the set; nullptr on overflow.
const vcl::blob* blob_of(const vcl::call& c, const shard_param& param) noexcept;

/// vcl_pipe counts as the backend's side for parameters.
bool is_fetch_side(vcl::sub_id where) noexcept;

} // namespace clearcoat::vmod::directors
