#include "manager/vcl_compiler.hpp"

#include "sys/fd.hpp"
#include "sys/socket_address.hpp"
#include "tables/param_block.hpp"
#include "tables/params.hpp"
#include "vcl/builtin.hpp"
#include "vcl/compile.hpp"
#include "vmod/registry.hpp"
#include "vmod/shared_modules.hpp"

#include <cerrno>
#include <fmt/core.h>
#include <glob.h>
#include <sys/stat.h>

namespace clearcoat::manager {

namespace {

class system_files final : public vcl::file_reader {
  public:
    std::optional<std::string> read(const std::string& path, std::string& error) override {
        auto text = sys::read_file(path);
        if (!text) {
            error = sys::error_text(errno);
        }
        return text;
    }
    std::vector<std::string> glob(const std::string& pattern) override {
        std::vector<std::string> out;
        glob_t found{};
        if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
            out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
        }
        ::globfree(&found);
        return out;
    }
    std::string check_socket(const std::string& path, bool& fatal) override {
        struct stat info {};
        fatal = false;
        if (::stat(path.c_str(), &info) != 0) {
            // One that is not there yet, or that only the worker may see, is no error.
            fatal = errno != ENOENT && errno != EACCES;
            return sys::error_text(errno);
        }
        fatal = !S_ISSOCK(info.st_mode);
        return fatal ? "Not a socket" : "";
    }
};

class system_resolver final : public vcl::resolver {
  public:
    std::vector<base::ip_address> lookup(const std::string& host, const std::string& service,
                                         std::string& error) override {
        return sys::resolve_host(host, service, error);
    }
};

cli::vcl_bundle bundle_of(const vcl::compile_request& request, const vcl::program& program) {
    cli::vcl_bundle out;
    out.name = request.name;
    out.origin = request.origin;
    out.vcl_path = request.vcl_path;
    out.labels = request.labels;
    out.err_unref = request.options.err_unref;
    out.unsafe_path = request.options.unsafe_path;
    out.trace = request.options.trace;
    out.legacy = request.options.legacy;
    for (const vcl::source_text& source : program.sources()) {
        out.sources.push_back({source.name, source.kind, source.text});
    }
    return out;
}

// What the parameters say at this moment.
vcl::compile_options options_from(const tables::param_block& values, bool legacy) {
    vcl::compile_options out;
    out.legacy = legacy || values.vcl_legacy();
    // A file of declarations alone uses none of them.
    out.err_unref = values.vcc_feature(tables::vcc_feature::err_unref) && !out.legacy;
    out.allow_inline_c = values.vcc_feature(tables::vcc_feature::allow_inline_c);
    out.unsafe_path = values.vcc_feature(tables::vcc_feature::unsafe_path);
    out.trace = true; // a task may ask for it (req.trace)
    return out;
}

vcl_verdict refusal(std::string messages) {
    vcl::compile_result failed;
    failed.messages = std::move(messages);
    vcl_verdict out;
    out.message = vcl::cli_message(failed);
    return out;
}

} // namespace

vcl_verdict vcl_compiler::compile(const std::string& name, const std::optional<std::string>& text,
                                  const std::string& origin, std::vector<std::string> labels) const {
    system_files files;
    vcl::compile_request request;
    request.name = name;
    request.origin = origin;
    request.vcl_path = params_.vcl_path();
    request.builtin = vcl::builtin_vcl();
    request.storages = storage_names_;
    request.labels = std::move(labels);
    request.options = options_from(params_.values(), legacy_);
    std::string messages;
    std::optional<std::string> found = text;
    if (!found) {
        found =
            vcl::read_main_file(origin, request.vcl_path, files, request.options.unsafe_path, request.origin, messages);
    }
    if (!found) {
        return refusal(std::move(messages));
    }
    request.text = std::move(*found);
    system_resolver names;
    vmod::shared_modules others(params_.vmod_path());
    vcl_verdict verdict = judge(request, vcl::compile(request, files, names, vmod::bundled_modules(), &others));
    verdict.bundle.vmod_path = params_.vmod_path();
    return verdict;
}

vcl_verdict vcl_compiler::judge(const vcl::compile_request& request, const vcl::compile_result& result) const {
    vcl_verdict out;
    out.message = vcl::cli_message(result);
    if (result.code == nullptr) {
        return out;
    }
    const int version = result.code->version();
    if (version < least_version_) {
        out.message += fmt::format("Compiled VCL version ({}.{}) not supported.\nVCL compilation failed", version / 10,
                                   version % 10);
        return out;
    }
    out.ok = true;
    out.listing = result.code->listing();
    out.labels = result.code->labels();
    out.bundle = bundle_of(request, *result.code);
    return out;
}

} // namespace clearcoat::manager
