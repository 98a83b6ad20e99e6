// Calls a module's functions as the machine does, without VCL: arguments by position or name, defaults filled in, calls
// that wait made again.
#pragma once

#include "support/scripted_host.hpp"
#include "vcl/module.hpp"
#include "vmod/registry.hpp"

#include <string>
#include <vector>

namespace clearcoat::test {

/// An argument as a test writes it.
struct given {
    std::string name; // empty: by position
    vcl::value value;
};

inline given text(std::string_view v) {
    return {"", vcl::value::of(v)};
}
inline given number(std::int64_t v) {
    return {"", vcl::value::of_integer(v)};
}
inline given real(double v) {
    return {"", vcl::value::of_real(v)};
}
inline given flag(bool v) {
    return {"", vcl::value::of(v)};
}
inline given undefined_text() {
    return {"", vcl::value()};
}
inline given backend(vcl::director& d) {
    return {"", vcl::value::of(&d)};
}
inline given blob(const vcl::blob* b) {
    return {"", vcl::value::of(b)};
}
inline given named(std::string name, given g) {
    g.name = std::move(name);
    return g;
}

class module_caller {
  public:
    explicit module_caller(std::string_view module) : module_(vmod::bundled_modules().find(module)) {
        CLEARCOAT_ASSERT(module_ != nullptr);
    }

    scripted_host task;
    vcl::call::place place;

    const vcl::module_info& module() const { return *module_; }

    /// Strands live as long as the caller.
    given strands(std::initializer_list<std::string_view> parts) {
        kept_.emplace_back(parts);
        vcl::value v;
        v.strands = {kept_.back().data(), kept_.back().size()};
        return {"", v};
    }

    vcl::value run(std::string_view function, std::vector<given> arguments = {}) {
        const vcl::function_info* f = module_->find_function(function);
        CLEARCOAT_ASSERT(f != nullptr);
        return run(*f, nullptr, arguments);
    }

    vcl::value run(vcl::module_object& self, std::string_view type, std::string_view method,
                   std::vector<given> arguments = {}) {
        const vcl::object_info* o = module_->find_object(type);
        CLEARCOAT_ASSERT(o != nullptr);
        const vcl::function_info* f = o->find_method(method);
        CLEARCOAT_ASSERT(f != nullptr);
        return run(*f, &self, arguments);
    }

    std::unique_ptr<vcl::module_object> make(std::string_view type, std::string_view name,
                                             std::vector<given> arguments = {}) {
        const vcl::object_info* o = module_->find_object(type);
        CLEARCOAT_ASSERT(o != nullptr);
        const placed p = put_in_place(o->constructor, arguments);
        vcl::call c(task, place, nullptr, p.written);
        return o->native(c, name, p.values);
    }

    std::string text_of(std::string_view function, std::vector<given> arguments = {}) {
        const vcl::value v = run(function, std::move(arguments));
        return v.text.data == nullptr ? "(undefined)" : std::string(v.string());
    }

    /// The reason of the failure the last calls caused; forgets it.
    std::string failure() {
        std::string reason = task.failure;
        task.forget_failure();
        return reason;
    }

  private:
    struct placed {
        std::vector<vcl::value> values;
        std::uint64_t written = 0;
    };

    static placed put_in_place(const vcl::function_info& f, const std::vector<given>& arguments) {
        placed p;
        for (const vcl::argument_info& a : f.arguments) {
            p.values.push_back(a.default_value);
        }
        std::size_t position = 0;
        for (const given& g : arguments) {
            const int named_index = f.argument_index(g.name);
            const std::size_t at = g.name.empty() ? position++ : static_cast<std::size_t>(named_index);
            CLEARCOAT_ASSERT(at < p.values.size());
            p.values[at] = g.value;
            p.written |= std::uint64_t(1) << at;
        }
        for (std::size_t i = 0; i < p.values.size(); ++i) {
            const vcl::argument_info& a = f.arguments[i];
            CLEARCOAT_ASSERT(a.optional || a.has_default || (p.written >> i & 1) != 0);
        }
        return p;
    }

    vcl::value run(const vcl::function_info& f, vcl::module_object* self, const std::vector<given>& arguments) {
        const placed p = put_in_place(f, arguments);
        for (;;) {
            vcl::call c(task, place, self, p.written);
            const vcl::value result = f.native(c, p.values);
            if (!c.pending()) {
                return result;
            }
            ++waits;
            task.waiting->wait();
        }
    }

    const vcl::module_info* module_;
    std::vector<std::vector<std::string_view>> kept_;

  public:
    int waits = 0;
};

} // namespace clearcoat::test
