// An example of a module of one's own: a function, an object, data kept for a task and a filter of bodies. README.md
// beside it says how such a module is built and found.
#include "vcl/module.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>

using namespace clearcoat;

namespace {

using arguments = std::span<const vcl::value>;

// STRING hello(STRING name): what a function makes while a task runs goes into the task's workspace, where it lives as
// long as the task.
vcl::value hello(vcl::call& c, arguments args) {
    if (args[0].string().empty()) {
        c.fail("greeting.hello(): who is it for?");
        return {};
    }
    return vcl::value::of(c.workspace().copy("Hello, " + std::string(args[0].string()) + "!"));
}

/// How often the module was asked in this task. Made when it is first asked for, destroyed when the task ends.
struct questions : vcl::task_private {
    std::int64_t count = 0;
};

const char questions_key = 0; // its address is the module's own name for that data

// INT asked()
vcl::value asked(vcl::call& c, arguments) {
    std::unique_ptr<vcl::task_private>& kept = c.task().private_data(vcl::private_scope::task, &questions_key);
    if (kept == nullptr) {
        kept = std::make_unique<questions>();
    }
    return vcl::value::of_integer(++static_cast<questions&>(*kept).count);
}

/// What `new x = greeting.phrase(...)` makes. All loops use it at once, so it does not change.
class phrase final : public vcl::module_object {
  public:
    phrase(std::string_view before, std::string_view after) : before_(before), after_(after) {}
    std::string around(std::string_view text) const { return before_ + std::string(text) + after_; }

  private:
    std::string before_;
    std::string after_;
};

std::unique_ptr<vcl::module_object> new_phrase(vcl::call&, std::string_view, arguments args) {
    return std::make_unique<phrase>(args[0].string(), args[1].string());
}

// STRING .say(STRANDS text)
vcl::value say(vcl::call& c, arguments args) {
    return vcl::value::of(c.workspace().copy(c.self<phrase>().around(c.join(args[0].strands))));
}

/// beresp.filters = "loud": the body in capital letters.
class loud final : public vcl::body_filter {
  public:
    bool push(std::string_view in, bool, std::string& out) noexcept override {
        std::transform(in.begin(), in.end(), std::back_inserter(out),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        return true;
    }
};

std::unique_ptr<vcl::body_filter> make_loud(vcl::host&) {
    return std::make_unique<loud>();
}

constexpr vcl::function_row functions[] = {
    {"STRING hello(STRING name)", hello},
    {"INT asked()", asked},
};
constexpr vcl::function_row phrase_methods[] = {
    {"STRING say(STRANDS text)", say},
};
constexpr vcl::object_row objects[] = {
    {"phrase(STRING before, STRING after=\"\")", new_phrase, phrase_methods},
};
constexpr vcl::filter_row filters[] = {
    {"loud", make_loud},
};

const vcl::module_row greeting{"greeting", "an example", functions, objects, nullptr, false, filters};

} // namespace

CLEARCOAT_MODULE(greeting);
