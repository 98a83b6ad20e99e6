// What an instance holds while it lives; the machine reads it.
#pragma once

#include "vcl/module.hpp"
#include "vcl/vm/environment.hpp"
#include "vcl/vm/instance.hpp"
#include "vcl/vm/storage.hpp"

#include <memory>
#include <string>
#include <vector>

namespace clearcoat::vcl {

struct instance::state {
    std::string name;
    std::shared_ptr<const vcl::program> code;
    environment* surroundings = nullptr;
    std::vector<director*> backends; // in the order of the text; nullptr: `none`
    director* default_backend = nullptr;
    std::vector<const storage_handle*> storages;
    std::size_t modules_loaded = 0;
    std::unique_ptr<std::unique_ptr<module_object>[]> module_states; // by module
    std::unique_ptr<std::unique_ptr<module_object>[]> objects;       // made by `new`, by declaration
    std::size_t object_count = 0;
    mutable std::vector<std::uint32_t> made; // objects in the order they were made; written in vcl_init only
    bool init_ran = false;
    bool warm = false;
};

} // namespace clearcoat::vcl
