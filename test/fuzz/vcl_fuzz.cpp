// Any text as a VCL: the front end must judge it without crashing, and what it accepts must lower and list. Files it
// includes are the text itself and a small one. Three texts of four have a policy behind them that only ends each
// subroutine, since reading the built-in one takes longer than reading them.
#include "support/vcl_world.hpp"
#include "vmod/registry.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view short_policy =
    "vcl 4.0;"
    "sub vcl_recv { return (hash); } sub vcl_hash { return (lookup); }"
    "sub vcl_hit { return (deliver); } sub vcl_miss { return (fetch); }"
    "sub vcl_pass { return (fetch); } sub vcl_pipe { return (pipe); }"
    "sub vcl_purge { return (synth(200)); } sub vcl_deliver { return (deliver); }"
    "sub vcl_synth { return (deliver); } sub vcl_backend_fetch { return (fetch); }"
    "sub vcl_backend_response { return (deliver); }"
    "sub vcl_backend_refresh { return (merge); }"
    "sub vcl_backend_error { return (deliver); }"
    "sub vcl_init { return (ok); } sub vcl_fini { return (ok); }";

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace clearcoat;
    std::string text(reinterpret_cast<const char*>(data), size);
    test::memory_files files;
    files.files["/v/self.vcl"] = text;
    files.files["/v/small.vcl"] = "sub vcl_hit { return (pass); }";
    test::numeric_resolver names;
    vcl::compile_request request;
    request.name = "fuzz";
    request.text = std::move(text);
    request.origin = "/v/main.vcl";
    request.builtin = size % 4 == 0 ? vcl::builtin_vcl() : short_policy;
    request.storages = {"s0"};
    request.labels = {"lab"};
    request.options.jit = false;
    request.options.err_unref = size % 2 == 0;
    request.options.legacy = size % 3 == 0;
    vcl::compile_result result = vcl::compile(request, files, names, vmod::bundled_modules());
    if (result.code != nullptr && result.code->listing().empty()) {
        __builtin_trap();
    }
    if (result.code == nullptr && result.messages.empty()) {
        __builtin_trap();
    }
    return 0;
}
