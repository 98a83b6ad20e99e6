#include "vmod/shared_modules.hpp"

#include "vcl/module.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>

#include <dlfcn.h>
#include <fmt/core.h>
#include <unistd.h>

namespace clearcoat::vmod {

namespace {

/// A module with the shared object its code is in. Members end in reverse order: the code goes last.
struct opened_module {
    struct closer {
        void operator()(void* handle) const noexcept { ::dlclose(handle); }
    };
    std::unique_ptr<void, closer> code;
    std::shared_ptr<const vcl::module_info> info;
};

/// What is open, by file: a VCL that imports a module twice must find it the same.
struct open_modules {
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<const vcl::module_info>> by_file; // guarded by mutex
};

open_modules& all_open() {
    static open_modules& all = *new open_modules;
    return all;
}

std::shared_ptr<const vcl::module_info> open_module(const std::string& name, const std::string& file,
                                                    std::string& error) {
    auto opened = std::make_shared<opened_module>();
    opened->code.reset(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (opened->code == nullptr) {
        const char* why = ::dlerror();
        error = fmt::format("Could not open VMOD {}\n\tFile name: {}\n\tdlerror: {}\n", name, file,
                            why == nullptr ? "" : why);
        return nullptr;
    }
    const auto* entry = static_cast<const vcl::module_entry*>(::dlsym(opened->code.get(), "clearcoat_module"));
    if (entry == nullptr) {
        error = fmt::format("Malformed VMOD {}\n\tFile name: {}\n\t(no symbol clearcoat_module)\n", name, file);
        return nullptr;
    }
    if (entry->interface != vcl::module_interface) {
        error = fmt::format("Incompatible VMOD {}\n\tFile name: {}\n\tInterface mismatch, expected {}, got {}\n", name,
                            file, vcl::module_interface, entry->interface);
        return nullptr;
    }
    if (entry->row->name != name) {
        error = fmt::format("Wrong file for VMOD {}\n\tFile name: {}\n\tContains vmod \"{}\"\n", name, file,
                            entry->row->name);
        return nullptr;
    }
    opened->info = vcl::make_module(*entry->row, file);
    return {opened, opened->info.get()};
}

} // namespace

/// The file, or an empty text. Files are looked for along the path unless their name says where they are.
std::string shared_modules::locate(const std::string& name, const std::string& from) const {
    std::string file = from.empty() || from.ends_with('/') ? fmt::format("{}libvmod_{}.so", from, name) : from;
    if (file.find('/') != std::string::npos) {
        return ::access(file.c_str(), R_OK) == 0 ? file : std::string();
    }
    std::string_view rest = path_;
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
        std::string candidate = fmt::format("{}/{}", folder, file);
        if (!folder.empty() && ::access(candidate.c_str(), R_OK) == 0) {
            return candidate;
        }
    }
    return {};
}

std::shared_ptr<const vcl::module_info> shared_modules::find(const std::string& name, const std::string& from,
                                                             std::string& error) {
    const std::string file = locate(name, from);
    if (file.empty()) {
        error = fmt::format("Could not find VMOD {}\n", name);
        return nullptr;
    }
    open_modules& open = all_open();
    const std::lock_guard lock(open.mutex);
    std::weak_ptr<const vcl::module_info>& known = open.by_file[file];
    std::shared_ptr<const vcl::module_info> module = known.lock();
    if (module == nullptr || module->name != name) {
        module = open_module(name, file, error);
        known = module;
    }
    return module;
}

} // namespace clearcoat::vmod
