// Module re: matching with captures that are asked for afterwards. What a match captured belongs to the object and the
// task; the expression of an object is compiled once and shared.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "tables/log_tags.hpp"

#include <algorithm>
#include <string>

#include <fmt/core.h>

namespace clearcoat::vmod {

namespace {

class expression final : public vcl::module_object {
  public:
    expression(std::string_view pattern, base::regex_limits limits) : limits_(limits) {
        base::regex::compile_error problem;
        compiled_ = base::regex::compile(pattern, false, problem);
        if (compiled_ == nullptr) {
            error_ = fmt::format("{} (at offset {})", problem.message, problem.offset);
        }
    }
    const base::regex* compiled() const noexcept { return compiled_.get(); }
    const std::string& error() const noexcept { return error_; }
    base::regex_limits limits() const noexcept { return limits_; }

  private:
    std::shared_ptr<const base::regex> compiled_;
    std::string error_;
    base::regex_limits limits_; // 0: the parameter's
};

/// The last match of an object in this task; the texts lie in the workspace.
struct captures : vcl::task_private {
    base::regex_groups groups;
    bool asked = false;
};

bool run_match(vcl::call& c, const base::regex& re, const vcl::value& subject, base::regex_limits limits) {
    auto& kept = task_data<captures>(c, &c.self<expression>());
    kept.asked = true;
    kept.groups = {};
    if (undefined(subject)) {
        return false;
    }
    const std::string_view text = c.workspace().copy(subject.string());
    if (text.data() == nullptr) {
        c.task().log().write(log_tag::VCL_Error, "re: out of workspace");
        return false;
    }
    switch (re.match(text, &kept.groups, limits)) {
    case base::regex_verdict::match:
        return true;
    case base::regex_verdict::error:
        c.task().log().write(log_tag::VCL_Error, "re: the match was given up (limits)");
        break;
    case base::regex_verdict::no_match:
        break;
    }
    kept.groups = {};
    return false;
}

/// What the VCL wrote, 0 for nothing.
base::regex_limits written(const vcl::value& match, const vcl::value& depth) noexcept {
    return {static_cast<std::uint32_t>(std::clamp<std::int64_t>(match.integer, 0, UINT32_MAX)),
            static_cast<std::uint32_t>(std::clamp<std::int64_t>(depth.integer, 0, UINT32_MAX))};
}

/// Those of the call, else of the object, else of the parameters.
base::regex_limits limits_of(const vcl::call& c, const vcl::value& match, const vcl::value& depth) {
    const base::regex_limits call = written(match, depth);
    const base::regex_limits object = c.self<expression>().limits();
    const base::regex_limits process = c.task().regex_limits();
    const auto first = [](std::uint32_t a, std::uint32_t b, std::uint32_t rest) {
        return a != 0 ? a : b != 0 ? b : rest;
    };
    return {first(call.match, object.match, process.match), first(call.depth, object.depth, process.depth)};
}

std::unique_ptr<vcl::module_object> new_regex(vcl::call& c, std::string_view name, arguments args) {
    auto made = std::make_unique<expression>(args[0].string(), written(args[1], args[2]));
    if (made->compiled() == nullptr) {
        c.task().log().print(log_tag::VCL_Error, "re: {}: {}", name, made->error());
    }
    return made;
}

vcl::value failed(vcl::call& c, arguments) {
    return vcl::value::of(c.self<expression>().compiled() == nullptr);
}

vcl::value error(vcl::call& c, arguments) {
    return text_value(c.self<expression>().error());
}

// match(STRING subject, INT limit=0, INT limit_recursion=0)
vcl::value match(vcl::call& c, arguments args) {
    const base::regex* re = c.self<expression>().compiled();
    return vcl::value::of(re != nullptr && run_match(c, *re, args[0], limits_of(c, args[1], args[2])));
}

// match_dyn(STRING regex, STRING subject, INT limit=0, INT limit_recursion=0)
vcl::value match_dyn(vcl::call& c, arguments args) {
    base::regex::compile_error problem;
    const auto re = base::regex::compile(args[0].string(), false, problem, false);
    if (re == nullptr) {
        task_data<captures>(c, &c.self<expression>()).groups = {};
        c.task().log().print(log_tag::VCL_Error, "re: {} (at offset {})", problem.message, problem.offset);
        return vcl::value::of(false);
    }
    return vcl::value::of(run_match(c, *re, args[1], limits_of(c, args[2], args[3])));
}

// backref(INT refnum, STRING fallback)
vcl::value backref(vcl::call& c, arguments args) {
    const auto& kept = task_data<captures>(c, &c.self<expression>());
    if (!kept.asked) {
        c.task().log().write(log_tag::VCL_Error, "re: backref() without a match before");
    }
    const std::int64_t number = args[0].integer;
    if (number < 0 || number >= static_cast<std::int64_t>(kept.groups.group.size())) {
        c.task().log().print(log_tag::VCL_Error, "re: backref {} is not in 0 to 9", number);
        return args[1];
    }
    const std::string_view group = kept.groups.group[static_cast<std::size_t>(number)];
    return group.data() == nullptr ? args[1] : workspace_text(c, group);
}

vcl::value version(vcl::call&, arguments) {
    return text_value("clearcoat");
}

constexpr vcl::function_row functions[] = {{"STRING version()", version}};

constexpr vcl::function_row regex_methods[] = {
    {"BOOL failed()", failed},
    {"STRING error()", error},
    {"BOOL match(STRING subject, INT limit=0, INT limit_recursion=0)", match},
    {"BOOL match_dyn(STRING regex, STRING subject, INT limit=0, INT limit_recursion=0)", match_dyn},
    {"STRING backref(INT refnum, STRING fallback=\"**BACKREF METHOD FAILED**\")", backref},
};

constexpr vcl::object_row objects[] = {
    {"regex(STRING regex, INT limit=0, INT limit_recursion=0)", new_regex, regex_methods}};

} // namespace

const vcl::module_row re_module{"re", "regular expressions with captures", functions, objects};

} // namespace clearcoat::vmod
