// What modules keep for a task, tried out.
#include "vmod/debug/functions.hpp"

#include "tables/log_tags.hpp"

#include <chrono>
#include <string>

#include <fmt/core.h>

namespace clearcoat::vmod::debug {

namespace {

struct kept_text : vcl::task_private {
    explicit kept_text(const char* end_record = nullptr) noexcept : end_record_(end_record) {}
    std::string text;
    bool set = false;

    void task_ends(vcl::host& task) noexcept override {
        if (set && end_record_ != nullptr) {
            task.log().print(log_tag::Debug, "{}({})", end_record_, static_cast<const void*>(text.c_str()));
        }
    }

  private:
    const char* end_record_;
};

struct priv_task_text : kept_text {
    priv_task_text() noexcept : kept_text("priv_task_fini") {}
};

struct priv_top_text : kept_text {
    priv_top_text() noexcept : kept_text("priv_top_fini") {}
};

/// Fails the task that it ends with.
struct spoiler : vcl::task_private {
    bool armed = false;
    void task_ends(vcl::host& task) noexcept override {
        if (armed) {
            task.fail("thou shalt not fini");
        }
    }
};

struct kept_address : vcl::task_private {
    const base::ip_address* address = nullptr;
};

const char task_key = 0;
const char top_key = 0;
const char option_key = 0;
const char address_key = 0;
const char spoiler_key = 0;

} // namespace

// test_priv_task(STRING s="")
vcl::value test_priv_task(vcl::call& c, arguments args) {
    auto& kept = task_data<priv_task_text>(c, &task_key);
    const char* what = "exists";
    if (!args[0].string().empty()) {
        what = kept.set ? "update" : "new";
        kept.text += (kept.set ? " " : "") + std::string(args[0].string());
        kept.set = true;
    }
    c.task().log().print(log_tag::Debug, "test_priv_task({}) = {} ({})", static_cast<const void*>(&kept),
                         static_cast<const void*>(kept.text.c_str()), what);
    return kept.set ? text_value(kept.text) : no_value();
}

// test_priv_top(STRING)
vcl::value test_priv_top(vcl::call& c, arguments args) {
    if (!vcl::client_subs.contains(c.where())) {
        c.fail("priv_top can only be used in client VCL context");
        return no_value();
    }
    auto& kept = task_data<priv_top_text>(c, &top_key, vcl::private_scope::top);
    if (!kept.set) {
        kept.text = args[0].string();
        kept.set = true;
    }
    return text_value(kept.text);
}

// priv_task_with_option([STRING opt])
vcl::value priv_task_with_option(vcl::call& c, arguments args) {
    auto& kept = task_data<kept_text>(c, &option_key);
    if (!kept.set && c.given(0)) {
        kept.text = args[0].string();
        kept.set = true;
    }
    return kept.set ? text_value(kept.text) : no_value();
}

// priv_perf(INT size, INT rounds=10000): nanoseconds an access, told as seconds.
vcl::value priv_perf(vcl::call& c, arguments args) {
    const std::int64_t size = args[0].integer;
    const std::int64_t rounds = args[1].integer;
    for (std::int64_t i = 1; i <= size; ++i) {
        task_data<kept_text>(c, reinterpret_cast<const void*>(i));
    }
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < size * rounds; ++i) {
        task_data<kept_text>(c, reinterpret_cast<const void*>(i % size + 1)).set = true;
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    const double each = size * rounds > 0 ? took.count() / static_cast<double>(size * rounds) : 0;
    c.task().log().print(log_tag::Debug, "perf size {} rounds {} time {:.1f}ns", size, rounds, each);
    return vcl::value::of_real(each);
}

// store_ip(IP)
vcl::value store_ip(vcl::call& c, arguments args) {
    task_data<kept_address>(c, &address_key).address = args[0].ip;
    return no_value();
}

vcl::value get_ip(vcl::call& c, arguments) {
    return vcl::value::of(task_data<kept_address>(c, &address_key).address);
}

vcl::value fail_task_fini(vcl::call& c, arguments) {
    task_data<spoiler>(c, &spoiler_key).armed = true;
    return no_value();
}

vcl::value ok_task_fini(vcl::call& c, arguments) {
    task_data<spoiler>(c, &spoiler_key).armed = false;
    return no_value();
}

} // namespace clearcoat::vmod::debug
