#include "vmod/directors/shard_arguments.hpp"

#include "tables/log_tags.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

namespace clearcoat::vmod::directors {

namespace {

constexpr std::uint32_t param_blob_kind = 0xdf5ca116;

key_source source_named(std::string_view word) noexcept {
    return word == "URL"    ? key_source::url
           : word == "KEY"  ? key_source::key
           : word == "BLOB" ? key_source::blob
                            : key_source::hash;
}

shard_health health_named(std::string_view word) noexcept {
    return word == "IGNORE" ? shard_health::ignore : word == "ALL" ? shard_health::all : shard_health::chosen;
}

/// The first four bytes, most significant first, zeros before a shorter blob.
std::uint32_t key_in(const vcl::blob& b) noexcept {
    std::uint32_t key = 0;
    for (std::byte x : b.bytes.first(std::min<std::size_t>(4, b.bytes.size()))) {
        key = key << 8 | std::to_integer<std::uint32_t>(x);
    }
    return key;
}

/// One call's arguments, checked one after another.
class argument_checker {
  public:
    argument_checker(vcl::call& c, arguments args, const std::string& owner, std::string_view function)
        : call_(c), args_(args), owner_(owner), function_(function) {}

    bool check_key(shard_values& to) {
        const std::string_view word = call_.given(arg_by) ? args_[arg_by].string() : "HASH";
        const key_source by = source_named(word);
        if (call_.given(arg_by)) {
            to.by = by;
        }
        if (by == key_source::key) {
            return check_number(to, word);
        }
        if (by == key_source::blob) {
            return check_blob(to, word);
        }
        if (call_.given(arg_key) || call_.given(arg_key_blob)) {
            return refuse(fmt::format("key and key_blob arguments are invalid with by={}", word));
        }
        return true;
    }

    bool check_rest(shard_values& to) {
        if (call_.given(arg_alt)) {
            if (args_[arg_alt].integer < 0) {
                return refuse(fmt::format("invalid alt argument {}", args_[arg_alt].integer));
            }
            to.alternative = args_[arg_alt].integer;
        }
        if (call_.given(arg_warmup)) {
            const double warmup = args_[arg_warmup].real;
            if ((warmup < 0 && warmup != -1) || warmup > 1) {
                return refuse(fmt::format("invalid warmup argument {:f}", warmup));
            }
            to.warmup = warmup;
        }
        if (call_.given(arg_rampup)) {
            to.rampup = args_[arg_rampup].boolean;
        }
        if (call_.given(arg_healthy)) {
            to.healthy = health_named(args_[arg_healthy].string());
        }
        return true;
    }

  private:
    bool refuse(const std::string& why) {
        shard_fail(call_, owner_, fmt::format("{} {}", function_, why));
        return false;
    }

    bool check_number(shard_values& to, std::string_view word) {
        if (!call_.given(arg_key)) {
            return refuse(fmt::format("missing key argument with by={}", word));
        }
        const std::int64_t key = args_[arg_key].integer;
        if (key < 0 || key > std::numeric_limits<std::uint32_t>::max()) {
            return refuse(fmt::format("invalid key argument {} with by={}", key, word));
        }
        to.key = static_cast<std::uint32_t>(key);
        return true;
    }

    bool check_blob(shard_values& to, std::string_view word) {
        if (!call_.given(arg_key_blob)) {
            return refuse(fmt::format("missing key_blob argument with by={}", word));
        }
        const vcl::blob* b = args_[arg_key_blob].blob;
        if (b == nullptr || b->bytes.empty()) {
            call_.task().log().print(log_tag::Error,
                                     "vmod_directors: shard {}: {} by=BLOB but no or empty key_blob - using key 0",
                                     owner_, function_);
            to.key = 0;
        } else {
            to.key = key_in(*b);
        }
        return true;
    }

    vcl::call& call_;
    arguments args_;
    const std::string& owner_;
    std::string_view function_;
};

} // namespace

std::optional<shard_values> shard_arguments(vcl::call& c, arguments args, const std::string& owner,
                                            std::string_view function) {
    shard_values values;
    argument_checker check(c, args, owner, function);
    return check.check_key(values) && check.check_rest(values) ? std::optional(values) : std::nullopt;
}

void shard_fail(const vcl::call& c, const std::string& owner, std::string_view text) {
    c.fail(fmt::format("vmod_directors: shard {}: {}", owner, text));
}

const shard_param* param_in(const vcl::blob* b) noexcept {
    return b != nullptr && b->kind == param_blob_kind ? reinterpret_cast<const shard_param*>(b->bytes.data()) : nullptr;
}

const vcl::blob* blob_of(const vcl::call& c, const shard_param& param) noexcept {
    auto* b = c.workspace().make<vcl::blob>();
    if (b != nullptr) {
        b->kind = param_blob_kind;
        b->bytes = std::as_bytes(std::span(&param, 1));
    }
    return b;
}

bool is_fetch_side(vcl::sub_id where) noexcept {
    return vcl::backend_subs.contains(where) || where == vcl::sub_id::pipe;
}

} // namespace clearcoat::vmod::directors
