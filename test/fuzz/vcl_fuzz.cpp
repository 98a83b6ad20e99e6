// Any text as a VCL: the front end must judge it without crashing, and what it accepts must lower and list. Files it
// includes are the text itself and a small one.
#include "support/vcl_world.hpp"
#include "vmod/registry.hpp"

#include <cstddef>
#include <cstdint>

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
    request.builtin = std::string(vcl::builtin_vcl());
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
