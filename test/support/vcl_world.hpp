// What compiling and running a VCL needs around it, without a network or a worker: files from memory, addresses that
// are numbers (and localhost), backends that are names, and a call to compile with the real builtin VCL.
#pragma once

#include "vcl/builtin.hpp"
#include "vcl/compile.hpp"
#include "vcl/module.hpp"
#include "vcl/vm/instance.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clearcoat::test {

class memory_files : public vcl::file_reader {
  public:
    std::map<std::string, std::string> files;

    std::optional<std::string> read(const std::string& path, std::string& error) override {
        auto found = files.find(path);
        if (found == files.end()) {
            error = "No such file or directory";
            return std::nullopt;
        }
        return found->second;
    }
    /// Patterns of the form PREFIX*SUFFIX.
    std::vector<std::string> glob(const std::string& pattern) override {
        std::vector<std::string> paths;
        std::size_t star = pattern.find('*');
        for (const auto& [path, text] : files) {
            if (star == std::string::npos
                    ? path == pattern
                    : path.starts_with(pattern.substr(0, star)) && path.ends_with(pattern.substr(star + 1))) {
                paths.push_back(path);
            }
        }
        return paths;
    }
    std::string check_socket(const std::string&, bool& fatal) override {
        fatal = false;
        return "No such file or directory";
    }
};

class numeric_resolver : public vcl::resolver {
  public:
    std::vector<base::ip_address> lookup(const std::string& host, const std::string& service,
                                         std::string& error) override {
        auto port = static_cast<std::uint16_t>(std::atoi(service.c_str()));
        std::optional<base::ip_address> a = base::parse_ip(host == "localhost" ? "127.0.0.1" : host, port);
        if (!a) {
            error = "Name or service not known";
            return {};
        }
        return {*a};
    }
};

class named_director : public vcl::director {
  public:
    using director::director;
    health state(vcl::host*) noexcept override { return {}; }
    vcl::director* resolve(vcl::host&) noexcept override { return this; }
    bool concrete() const noexcept override { return true; }
    std::string list(listing) override { return {}; }
    std::string_view kind() const noexcept override { return "backend"; }
};

class memory_environment : public vcl::environment {
  public:
    std::vector<vcl::backend_spec> specs;
    std::vector<std::unique_ptr<named_director>> directors;
    std::vector<std::string> logged;
    const tables::param_block* parameters = nullptr;

    vcl::director& add_backend(const vcl::backend_spec& spec) override {
        specs.push_back(spec);
        directors.push_back(std::make_unique<named_director>(spec.name));
        return *directors.back();
    }
    void add_director(vcl::director&) override {}
    void remove_director(vcl::director&) noexcept override {}
    vcl::director* find_director(std::string_view name) noexcept override {
        for (const auto& d : directors) {
            if (d->name() == name) {
                return d.get();
            }
        }
        return nullptr;
    }
    const vcl::storage_handle* storage(std::string_view) const noexcept override { return nullptr; }
    void log(std::string_view text) noexcept override { logged.emplace_back(text); }
    std::string_view identity() const noexcept override { return "test identity"; }
    std::string_view hostname() const noexcept override { return "test.host"; }
    const tables::param_block* params() const noexcept override { return parameters; }
};

/// Compiles as vcl.inline does, with the builtin VCL, a storage "s0" and a label "lab".
struct vcl_world {
    memory_files files;
    numeric_resolver names;
    vcl::module_catalog modules;
    vcl::compile_options options;
    memory_environment around;
    std::string origin = "<vcl.inline>";

    vcl::compile_result compile(std::string text) {
        vcl::compile_request r;
        r.name = "test";
        r.text = std::move(text);
        r.origin = origin;
        r.vcl_path = "/etc/vcl";
        r.builtin = std::string(vcl::builtin_vcl());
        r.storages = {"s0"};
        r.labels = {"lab"};
        r.options = options;
        return vcl::compile(r, files, names, modules);
    }
    /// nullptr, and `error`, when it does not compile or load.
    std::shared_ptr<vcl::instance> load(std::string text) {
        vcl::compile_result r = compile(std::move(text));
        error = r.messages;
        return r.code == nullptr ? nullptr : vcl::instance::create("test", r.code, around, error);
    }
    std::string error;
};

} // namespace clearcoat::test
