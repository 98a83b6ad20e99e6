// Real VCL for tests of the machines in flow/: text in, an instance out, with backends that are only names.
#pragma once

#include "flow/task_host.hpp"
#include "vcl/builtin.hpp"
#include "vcl/compile.hpp"
#include "vcl/module.hpp"
#include "vcl/vm/director.hpp"
#include "vcl/vm/environment.hpp"
#include "vcl/vm/instance.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace clearcoat::test {

class named_backend final : public vcl::director {
  public:
    explicit named_backend(const vcl::backend_spec& s) : director(s.name), spec(s) {}
    health state(vcl::host*) noexcept override { return {}; }
    vcl::director* resolve(vcl::host&) noexcept override { return this; }
    bool concrete() const noexcept override { return true; }
    std::string list(listing) override { return {}; }
    std::string_view kind() const noexcept override { return "backend"; }
    vcl::backend_spec spec;
};

class small_vcl final : private vcl::environment, private vcl::file_reader, private vcl::resolver {
  public:
    /// Throws with the compiler's message.
    explicit small_vcl(const std::string& text) {
        vcl::compile_request request;
        request.name = "test";
        request.text = "vcl 4.1;\nbackend b { .host = \"192.0.2.1\"; }\n" + text;
        request.header_number = &flow::header_number;
        request.builtin = std::string(vcl::builtin_vcl());
        vcl::compile_result compiled = vcl::compile(request, *this, *this, modules_);
        std::string error = compiled.messages;
        if (compiled.code != nullptr) {
            program_ = vcl::instance::create("vcl1", compiled.code, *this, error);
        }
        if (program_ == nullptr) {
            throw std::runtime_error(error);
        }
    }
    const std::shared_ptr<vcl::instance>& program() const noexcept { return program_; }

  private:
    vcl::director& add_backend(const vcl::backend_spec& spec) override {
        return *backends_.emplace_back(std::make_unique<named_backend>(spec));
    }
    void add_director(vcl::director&) override {}
    void remove_director(vcl::director&) noexcept override {}
    vcl::director* find_director(std::string_view) noexcept override { return nullptr; }
    const vcl::storage_handle* storage(std::string_view) const noexcept override { return nullptr; }
    void log(std::string_view) noexcept override {}
    std::optional<std::string> read(const std::string&, std::string&) override { return std::nullopt; }
    std::vector<std::string> glob(const std::string&) override { return {}; }
    std::string check_socket(const std::string&, bool&) override { return {}; }
    std::vector<base::ip_address> lookup(const std::string& host, const std::string&, std::string&) override {
        return {*base::parse_ip(host, 80)};
    }

    vcl::module_catalog modules_;
    std::vector<std::unique_ptr<named_backend>> backends_;
    std::shared_ptr<vcl::instance> program_;
};

} // namespace clearcoat::test
