// Module var: variables by name. Those of a task live in it and hold one value of one type; asked for as another type,
// they are as if never set. Global ones are strings, shared by all VCLs of the worker and gone with it.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace clearcoat::vmod {

namespace {

struct variable {
    std::string_view name; // in the workspace
    vcl::type kind;
    vcl::value value;
};

struct variables : vcl::task_private {
    std::vector<variable> all;
};

const char variables_key = 0;

void keep(vcl::call& c, std::string_view name, vcl::type kind, const vcl::value& value) {
    if (name.data() == nullptr) {
        return;
    }
    std::vector<variable>& all = task_data<variables>(c, &variables_key).all;
    for (variable& v : all) {
        if (v.name == name) {
            v.kind = kind;
            v.value = value;
            return;
        }
    }
    const std::string_view kept = c.workspace().copy(name);
    if (kept.data() == nullptr) {
        return c.fail("var: out of workspace");
    }
    all.push_back({kept, kind, value});
}

template<vcl::type Kind>
vcl::value set(vcl::call& c, arguments args) {
    keep(c, args[0].string(), Kind, args[1]);
    return no_value();
}

vcl::value set_string(vcl::call& c, arguments args) {
    const std::string_view text = c.workspace().copy(undefined(args[1]) ? std::string_view("") : args[1].string());
    if (text.data() == nullptr) {
        c.fail("var: out of workspace");
    } else {
        keep(c, args[0].string(), vcl::type::string, text_value(text));
    }
    return no_value();
}

/// The value, or what a value of no bits is: undefined, 0, no backend.
template<vcl::type Kind>
vcl::value get(vcl::call& c, arguments args) {
    for (const variable& v : task_data<variables>(c, &variables_key).all) {
        if (v.kind == Kind && v.name == args[0].string()) {
            return v.value;
        }
    }
    return no_value();
}

vcl::value clear(vcl::call& c, arguments) {
    task_data<variables>(c, &variables_key).all.clear();
    return no_value();
}

struct global_table {
    std::mutex mutex;
    std::map<std::string, std::string, std::less<>> all; // guarded by mutex
};

global_table& globals() {
    static global_table& table = *new global_table; // outlives every loop
    return table;
}

vcl::value global_set(vcl::call&, arguments args) {
    if (undefined(args[0])) {
        return no_value();
    }
    std::lock_guard hold(globals().mutex);
    if (undefined(args[1])) {
        globals().all.erase(std::string(args[0].string()));
    } else {
        globals().all.insert_or_assign(std::string(args[0].string()), std::string(args[1].string()));
    }
    return no_value();
}

vcl::value global_get(vcl::call& c, arguments args) {
    std::lock_guard hold(globals().mutex);
    const auto found = globals().all.find(args[0].string());
    return found == globals().all.end() ? no_value() : workspace_text(c, found->second);
}

using enum vcl::type;

constexpr vcl::function_row functions[] = {
    {"VOID set(PRIV_TASK, STRING key, STRING value)", set_string},
    {"STRING get(PRIV_TASK, STRING key)", get<string>},
    {"VOID global_set(STRING key, STRING value)", global_set},
    {"STRING global_get(STRING key)", global_get},
    {"VOID set_int(PRIV_TASK, STRING key, INT value)", set<integer>},
    {"INT get_int(PRIV_TASK, STRING key)", get<integer>},
    {"VOID set_string(PRIV_TASK, STRING key, STRING value)", set_string},
    {"STRING get_string(PRIV_TASK, STRING key)", get<string>},
    {"VOID set_real(PRIV_TASK, STRING key, REAL value)", set<real>},
    {"REAL get_real(PRIV_TASK, STRING key)", get<real>},
    {"VOID set_duration(PRIV_TASK, STRING key, DURATION value)", set<duration>},
    {"DURATION get_duration(PRIV_TASK, STRING key)", get<duration>},
    {"VOID set_ip(PRIV_TASK, STRING key, IP value)", set<ip>},
    {"IP get_ip(PRIV_TASK, STRING key)", get<ip>},
    {"VOID set_backend(PRIV_TASK, STRING key, BACKEND value)", set<backend>},
    {"BACKEND get_backend(PRIV_TASK, STRING key)", get<backend>},
    {"VOID clear(PRIV_TASK)", clear},
};

} // namespace

const vcl::module_row var_module{"var", "variables", functions};

} // namespace clearcoat::vmod
