// What a loaded VCL's declarations become in tests: backends whose health the test sets, and a list of what was added.
#pragma once

#include "vcl/vm/environment.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace clearcoat::test {

class scripted_backend : public vcl::director {
  public:
    explicit scripted_backend(std::string name, bool is_healthy = true)
        : vcl::director(std::move(name)), now{is_healthy, 0} {}

    health now; // what state() answers

    health state(vcl::host*) noexcept override { return now; }
    vcl::director* resolve(vcl::host&) noexcept override { return this; }
    bool concrete() const noexcept override { return true; }
    std::string list(listing) override { return {}; }
    std::string_view kind() const noexcept override { return "backend"; }
};

class scripted_environment : public vcl::environment {
  public:
    std::vector<vcl::backend_spec> specs;
    std::vector<std::unique_ptr<scripted_backend>> backends;
    std::vector<vcl::director*> directors; // backends too, in the order of their making
    std::vector<std::string> records;

    vcl::director& add_backend(const vcl::backend_spec& spec) override {
        specs.push_back(spec);
        return make(spec.name);
    }
    void add_director(vcl::director& d) override { directors.push_back(&d); }
    void remove_director(vcl::director& d) noexcept override { std::erase(directors, &d); }
    vcl::director* find_director(std::string_view name) noexcept override {
        const auto found =
            std::find_if(directors.begin(), directors.end(), [name](vcl::director* d) { return d->name() == name; });
        return found == directors.end() ? nullptr : *found;
    }
    const vcl::storage_handle* storage(std::string_view) const noexcept override { return nullptr; }
    void log(std::string_view text) noexcept override { records.emplace_back(text); }

    scripted_backend& make(std::string name, bool healthy = true) {
        backends.push_back(std::make_unique<scripted_backend>(std::move(name), healthy));
        directors.push_back(backends.back().get());
        return *backends.back();
    }
};

} // namespace clearcoat::test
