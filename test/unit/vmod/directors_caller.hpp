// Directors in tests: an environment, some backends, and the name of what a director chooses.
#pragma once

#include "module_caller.hpp"
#include "support/scripted_environment.hpp"

#include <string>

namespace clearcoat::test {

struct directors_caller : module_caller {
    directors_caller() : module_caller("directors") {
        place.surroundings = &env;
        place.where = vcl::sub_id::init;
    }
    scripted_environment env;
    scripted_backend& a = env.make("a");
    scripted_backend& b = env.make("b");
    scripted_backend& c = env.make("c");

    /// What a director chooses for the task now; "-" for none.
    std::string chosen(vcl::module_object& object) {
        vcl::director* d = dynamic_cast<vcl::director*>(&object)->resolve(task);
        return d == nullptr ? "-" : d->name();
    }
    std::string chosen(vcl::module_object& object, int times) {
        std::string all;
        for (int i = 0; i < times; ++i) {
            all += chosen(object);
        }
        return all;
    }
    std::string listed(vcl::module_object& object, vcl::director::listing form) {
        return dynamic_cast<vcl::director*>(&object)->list(form);
    }
};

} // namespace clearcoat::test
