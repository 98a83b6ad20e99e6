// Module querystring: parameters of URLs filtered, sorted and made unique. A filter is filled in vcl_init and then only
// read, by all loops at once.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fnmatch.h>

namespace clearcoat::vmod {

namespace {

/// What is done with the parameters of one URL.
struct treatment {
    bool sort = false;
    bool unique = false;
    bool by_name = true; // parameters are compared and matched by their names, else as a whole
};

std::string_view key_of(std::string_view parameter, bool by_name) noexcept {
    return by_name ? parameter.substr(0, parameter.find('=')) : parameter;
}

/// Empty ones, and those without a name, are left out.
std::vector<std::string_view> parameters_of(std::string_view query) {
    std::vector<std::string_view> out;
    while (!query.empty()) {
        const std::string_view one = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), one.size() + 1));
        if (!one.empty() && one.front() != '=') {
            out.push_back(one);
        }
    }
    return out;
}

class filter final : public vcl::module_object {
  public:
    explicit filter(const treatment& how) noexcept : how_(how) {}

    const treatment& how() const noexcept { return how_; }
    void add(std::function<bool(std::string_view)> criterion) { criteria_.push_back(std::move(criterion)); }
    bool matches(std::string_view parameter) const {
        const std::string_view key = key_of(parameter, how_.by_name);
        return std::any_of(criteria_.begin(), criteria_.end(), [key](const auto& one) { return one(key); });
    }

  private:
    treatment how_;
    std::vector<std::function<bool(std::string_view)>> criteria_;
};

void arrange(std::vector<std::string_view>& parameters, const treatment& how) {
    const auto key = [&how](std::string_view p) { return key_of(p, how.by_name); };
    if (how.sort) {
        std::stable_sort(parameters.begin(), parameters.end(), [&](auto a, auto b) { return key(a) < key(b); });
    }
    if (how.unique) {
        const auto same = [&](auto a, auto b) { return key(a) == key(b); };
        parameters.erase(std::unique(parameters.begin(), parameters.end(), same), parameters.end());
    }
}

std::string joined(const std::vector<std::string_view>& parameters) {
    std::string out;
    for (const std::string_view one : parameters) {
        out.append(out.empty() ? "" : "&").append(one);
    }
    return out;
}

/// The URL with the parameters that `keep` says, arranged. One without a query stays as it is.
vcl::value treated(vcl::call& c, const vcl::value& url, const treatment& how, bool whole,
                   const std::function<bool(std::string_view)>& keep) {
    const std::string_view text = url.string();
    const std::size_t mark = text.find('?');
    if (mark == std::string_view::npos) {
        return whole ? url : no_value();
    }
    std::vector<std::string_view> parameters = parameters_of(text.substr(mark + 1));
    std::erase_if(parameters, [&](std::string_view p) { return !keep(p); });
    arrange(parameters, how);
    const std::string query = joined(parameters);
    if (!whole) {
        return query.empty() ? no_value() : workspace_text(c, query);
    }
    return workspace_text(c, query.empty() ? std::string(text.substr(0, mark))
                                           : std::string(text.substr(0, mark + 1)).append(query));
}

constexpr auto all = [](std::string_view) { return true; };

std::unique_ptr<vcl::module_object> new_filter(vcl::call&, std::string_view, arguments args) {
    return std::make_unique<filter>(treatment{args[0].boolean, args[1].boolean, args[2].string() == "name"});
}

bool in_init(vcl::call& c, const vcl::value& criterion) {
    if (c.where() != vcl::sub_id::init) {
        c.fail("querystring: filters are filled in vcl_init");
    } else if (criterion.string().empty()) {
        c.fail("querystring: a criterion is empty");
    } else {
        return true;
    }
    return false;
}

// add_string(STRING)
vcl::value add_string(vcl::call& c, arguments args) {
    if (in_init(c, args[0])) {
        c.self<filter>().add([name = std::string(args[0].string())](std::string_view key) { return key == name; });
    }
    return no_value();
}

// add_glob(STRING)
vcl::value add_glob(vcl::call& c, arguments args) {
    if (in_init(c, args[0])) {
        c.self<filter>().add([pattern = std::string(args[0].string())](std::string_view key) {
            return ::fnmatch(pattern.c_str(), std::string(key).c_str(), 0) == 0;
        });
    }
    return no_value();
}

// add_regex(STRING)
vcl::value add_regex(vcl::call& c, arguments args) {
    if (!in_init(c, args[0])) {
        return no_value();
    }
    base::regex::compile_error error;
    const auto re = base::regex::compile(args[0].string(), false, error);
    if (re == nullptr) {
        c.fail("querystring: wrong expression: " + error.message);
    } else {
        c.self<filter>().add([re](std::string_view key) { return re->match(key) == base::regex_verdict::match; });
    }
    return no_value();
}

template<bool Whole>
vcl::value apply(vcl::call& c, arguments args) {
    const filter& self = c.self<filter>();
    const bool keep_matching = args[1].string() == "keep";
    return treated(c, args[0], self.how(), Whole, [&](std::string_view p) { return self.matches(p) == keep_matching; });
}

vcl::value clean(vcl::call& c, arguments args) {
    return treated(c, args[0], {}, true, all);
}

// sort(STRING url, BOOL uniq=0)
vcl::value sort(vcl::call& c, arguments args) {
    return treated(c, args[0], {true, args[1].boolean, false}, true, all);
}

vcl::value remove(vcl::call&, arguments args) {
    return undefined(args[0]) ? no_value() : text_value(args[0].string().substr(0, args[0].string().find('?')));
}

constexpr vcl::function_row functions[] = {
    {"STRING clean(STRING url)", clean},
    {"STRING sort(STRING url, BOOL uniq=0)", sort},
    {"STRING remove(STRING url)", remove},
};

constexpr vcl::function_row filter_methods[] = {
    {"VOID add_string(STRING string)", add_string},
    {"VOID add_glob(STRING glob)", add_glob},
    {"VOID add_regex(STRING regex)", add_regex},
    {"STRING apply(STRING url, ENUM {keep, drop} mode=\"drop\")", apply<true>},
    {"STRING extract(STRING url, ENUM {keep, drop} mode=\"drop\")", apply<false>},
};

constexpr vcl::object_row objects[] = {
    {"filter(BOOL sort=0, BOOL uniq=0, ENUM {name, param} match=\"name\")", new_filter, filter_methods}};

} // namespace

const vcl::module_row querystring_module{"querystring", "parameters of URLs", functions, objects};

} // namespace clearcoat::vmod
