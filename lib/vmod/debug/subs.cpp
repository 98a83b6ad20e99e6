// Subroutines as values.
#include "vmod/debug/functions.hpp"

#include "vcl/code/image.hpp"
#include "vcl/vm/machine.hpp"

#include <atomic>

#include <fmt/core.h>

namespace clearcoat::vmod::debug {

namespace {

class caller final : public vcl::module_object {
  public:
    explicit caller(const vcl::subroutine* sub) noexcept : sub_(sub) {}
    const vcl::subroutine* sub() const noexcept { return sub_; }

  private:
    const vcl::subroutine* sub_;
};

vcl::value value_of(const vcl::subroutine* sub) noexcept {
    vcl::value v;
    v.sub = sub;
    return v;
}

std::atomic<const vcl::subroutine*> remembered{nullptr};

} // namespace

// call(SUB)
vcl::value call_sub(vcl::call& c, arguments args) {
    c.run_afterwards(args[0].sub);
    return no_value();
}

// check_call(SUB): undefined when it may be called, else the reason.
vcl::value check_call(vcl::call& c, arguments args) {
    using verdict = vcl::machine::call_verdict;
    const vcl::subroutine& sub = *args[0].sub;
    switch (c.running() == nullptr ? verdict::good : c.running()->may_call(sub)) {
    case verdict::wrong_place:
        return workspace_text(c, fmt::format("Dynamic call to \"sub {}{{}}\" not allowed from here", sub.name));
    case verdict::recursive:
        return workspace_text(c, fmt::format("Recursive dynamic call to \"sub {}{{}}\"", sub.name));
    case verdict::foreign:
        return text_value("Dynamic call to a subroutine of another VCL");
    case verdict::good:
        break;
    }
    return no_value();
}

// bad_memory(SUB)
vcl::value bad_memory(vcl::call&, arguments args) {
    remembered = args[0].sub;
    return no_value();
}

vcl::value total_recall(vcl::call&, arguments) {
    return value_of(remembered);
}

// caller(SUB)
made new_caller(vcl::call&, std::string_view, arguments args) {
    return std::make_unique<caller>(args[0].sub);
}

vcl::value caller_call(vcl::call& c, arguments) {
    c.run_afterwards(c.self<caller>().sub());
    return no_value();
}

vcl::value caller_xsub(vcl::call& c, arguments) {
    return value_of(c.self<caller>().sub());
}

} // namespace clearcoat::vmod::debug
