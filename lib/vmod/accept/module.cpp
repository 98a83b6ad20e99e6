// Module accept: the first of a header's choices that a site knows, so that Accept and its kin have few values. Rules
// may change while requests run.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

namespace clearcoat::vmod {

namespace {

class rule final : public vcl::module_object {
  public:
    explicit rule(std::string_view fallback) : fallback_(fallback) {}

    void add(std::string_view choice) {
        std::unique_lock hold(mutex_);
        if (!choice.empty() && std::find(choices_.begin(), choices_.end(), choice) == choices_.end()) {
            choices_.emplace_back(choice);
        }
    }
    void remove(std::string_view choice) {
        std::unique_lock hold(mutex_);
        std::erase(choices_, choice);
    }
    /// A copy: the choice may be removed the next moment.
    std::string choose(std::string_view header) const {
        std::shared_lock hold(mutex_);
        while (!header.empty()) {
            const std::string_view entry = header.substr(0, header.find(','));
            header.remove_prefix(std::min(header.size(), entry.size() + 1));
            const std::string_view name = base::trim_blanks(entry.substr(0, entry.find(';')));
            if (std::find(choices_.begin(), choices_.end(), name) != choices_.end()) {
                return std::string(name);
            }
        }
        return fallback_;
    }

  private:
    const std::string fallback_;
    mutable std::shared_mutex mutex_;
    std::vector<std::string> choices_; // guarded by mutex_
};

std::unique_ptr<vcl::module_object> new_rule(vcl::call&, std::string_view, arguments args) {
    return std::make_unique<rule>(args[0].string());
}

vcl::value add(vcl::call& c, arguments args) {
    c.self<rule>().add(args[0].string());
    return no_value();
}

vcl::value remove(vcl::call& c, arguments args) {
    c.self<rule>().remove(args[0].string());
    return no_value();
}

vcl::value filter(vcl::call& c, arguments args) {
    return workspace_text(c, c.self<rule>().choose(args[0].string()));
}

constexpr vcl::function_row rule_methods[] = {
    {"VOID add(STRING string)", add},
    {"VOID remove(STRING string)", remove},
    {"STRING filter(STRING string)", filter},
};

constexpr vcl::object_row objects[] = {{"rule(STRING string)", new_rule, rule_methods}};

} // namespace

const vcl::module_row accept_module{"accept", "few values for Accept and its kin", {}, objects};

} // namespace clearcoat::vmod
