#include "worker/vcl_loader.hpp"

#include "cli/vcl_bundle.hpp"
#include "flow/task_host.hpp"
#include "sys/socket_address.hpp"
#include "vcl/builtin.hpp"
#include "vcl/compile.hpp"
#include "vmod/registry.hpp"
#include "vmod/shared_modules.hpp"

#include <algorithm>
#include <fnmatch.h>

namespace clearcoat::worker {

namespace {

/// Gives the shipped texts only.
class bundle_reader final : public vcl::file_reader {
  public:
    explicit bundle_reader(const cli::vcl_bundle& bundle) noexcept : bundle_(bundle) {}

    std::optional<std::string> read(const std::string& path, std::string& error) override {
        for (const auto& source : bundle_.sources) {
            if (source.name == path) {
                return source.text;
            }
        }
        error = "No such file or directory";
        return std::nullopt;
    }
    std::vector<std::string> glob(const std::string& pattern) override {
        std::vector<std::string> out;
        for (const auto& source : bundle_.sources) {
            if (::fnmatch(pattern.c_str(), source.name.c_str(), FNM_PATHNAME) == 0) {
                out.push_back(source.name);
            }
        }
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }
    // The manager has looked, with its own rights.
    std::string check_socket(const std::string&, bool&) override { return {}; }

  private:
    const cli::vcl_bundle& bundle_;
};

class system_resolver final : public vcl::resolver {
  public:
    std::vector<base::ip_address> lookup(const std::string& host, const std::string& service,
                                         std::string& error) override {
        return sys::resolve_host(host, service, error);
    }
};

} // namespace

std::shared_ptr<const vcl::program> compile_bundle(std::string_view text, const cli::worker_boot& boot,
                                                   std::string& error) {
    const auto bundle = cli::parse_vcl_bundle(text);
    if (!bundle || bundle->sources.empty()) {
        error = "The VCL came damaged from the manager";
        return nullptr;
    }
    vcl::compile_request request;
    request.name = bundle->name;
    request.text = bundle->sources[0].text;
    request.origin = bundle->origin;
    request.vcl_path = bundle->vcl_path;
    request.builtin = vcl::builtin_vcl();
    request.header_number = &flow::header_number;
    request.labels = bundle->labels;
    request.options.err_unref = bundle->err_unref;
    request.options.unsafe_path = bundle->unsafe_path;
    request.options.trace = bundle->trace;
    request.options.legacy = bundle->legacy;
    for (const cli::storage_spec& storage : boot.storages) {
        request.storages.push_back(storage.name);
    }
    bundle_reader files(*bundle);
    system_resolver names;
    vmod::shared_modules others(bundle->vmod_path);
    vcl::compile_result result = vcl::compile(request, files, names, vmod::bundled_modules(), &others);
    if (result.code == nullptr) {
        error = result.messages;
    }
    return std::move(result.code);
}

} // namespace clearcoat::worker
