// Objects of module debug: enumerations, defaults and optional arguments of constructors and methods.
#include "vmod/debug/functions.hpp"

#include "tables/log_tags.hpp"

#include <string>

#include <fmt/core.h>

namespace clearcoat::vmod::debug {

namespace {

class test_object final : public vcl::module_object {
  public:
    test_object(std::string_view name, std::string_view string, std::string_view number)
        : name_(name), string_(string), number_(number) {}
    const std::string& name() const noexcept { return name_; }
    const std::string& string() const noexcept { return string_; }
    const std::string& number() const noexcept { return number_; }

  private:
    std::string name_;
    std::string string_;
    std::string number_;
};

struct kept_text : vcl::task_private {
    std::string text;
    const char* end_record = "";
    void task_ends(vcl::host& task) noexcept override {
        task.log().print(log_tag::Debug, "{}({})", end_record, static_cast<const void*>(text.c_str()));
    }
};

/// Sets the object's text of that scope, or tells it when `s` is empty; each with a record.
vcl::value kept(vcl::call& c, std::string_view s, vcl::private_scope scope, std::string_view what) {
    const test_object& self = c.self<test_object>();
    // Task and top have different places in the object as their owners.
    const void* owner = scope == vcl::private_scope::top ? static_cast<const void*>(&self.number()) : &self;
    std::unique_ptr<vcl::task_private>& slot = c.task().private_data(scope, owner);
    if (s.empty() && slot == nullptr) {
        c.task().log().print(log_tag::Debug, "{}.{}() = NULL", self.name(), what);
        return text_value("");
    }
    const char* step = s.empty() ? "" : slot == nullptr ? " [new]" : " [update]";
    auto& data = task_data<kept_text>(c, owner, scope);
    data.end_record = scope == vcl::private_scope::top ? "obj_priv_top_fini" : "obj_priv_task_fini";
    if (!s.empty()) {
        data.text = s;
    }
    c.task().log().print(log_tag::Debug, "{}.{}() = {} .priv = {} (\"{}\"){}", self.name(), what,
                         static_cast<const void*>(&slot), static_cast<const void*>(&data), data.text, step);
    return text_value(data.text);
}

struct optional_arguments {
    std::string text = "*undef*";
    std::string flag = "*undef*";
};

optional_arguments optional_of(const vcl::call& c, arguments args) {
    optional_arguments o;
    if (c.given(0)) {
        o.text = args[0].string();
    }
    if (c.given(1)) {
        o.flag = args[1].boolean ? "true" : "false";
    }
    return o;
}

class optional_object final : public vcl::module_object {
  public:
    optional_object(std::string_view name, optional_arguments given) : name_(name), given_(std::move(given)) {}
    std::string described(const optional_arguments& now) const {
        return fmt::format("obj {} obj_s {} obj_b {} met_s {} met_b {}", name_, given_.text, given_.flag, now.text,
                           now.flag);
    }

  private:
    std::string name_;
    optional_arguments given_;
};

} // namespace

// obj(STRING string="default", ENUM number=one)
made new_obj(vcl::call&, std::string_view name, arguments args) {
    return std::make_unique<test_object>(name, args[0].string(), args[1].string());
}

vcl::value obj_string(vcl::call& c, arguments) {
    return text_value(c.self<test_object>().string());
}

vcl::value obj_number(vcl::call& c, arguments) {
    return text_value(c.self<test_object>().number());
}

vcl::value obj_foo(vcl::call&, arguments) {
    return text_value("BOO");
}

vcl::value obj_date(vcl::call&, arguments) {
    return vcl::value::of_real(21.4);
}

// test_priv_task(STRING s="")
vcl::value obj_test_priv_task(vcl::call& c, arguments args) {
    return kept(c, args[0].string(), vcl::private_scope::task, "priv_task");
}

// test_priv_top(STRING s="")
vcl::value obj_test_priv_top(vcl::call& c, arguments args) {
    if (!vcl::client_subs.contains(c.where())) {
        c.fail(fmt::format("{}.priv_top() can only be used in client VCL context", c.self<test_object>().name()));
        return text_value("");
    }
    return kept(c, args[0].string(), vcl::private_scope::top, "priv_top");
}

// obj_opt([STRING s], [BOOL b])
made new_obj_opt(vcl::call& c, std::string_view name, arguments args) {
    return std::make_unique<optional_object>(name, optional_of(c, args));
}

// meth_opt([STRING s], [BOOL b])
vcl::value obj_opt_meth_opt(vcl::call& c, arguments args) {
    return workspace_text(c, c.self<optional_object>().described(optional_of(c, args)));
}

} // namespace clearcoat::vmod::debug
