#include "manager/work_folder.hpp"

#include "manager/option_error.hpp"
#include "sys/fd.hpp"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

constexpr char state_folder[] = "/var/lib/varnish/";
constexpr char test_file[] = "_.testfile";

} // namespace

std::string work_folder_path(std::string_view argument) {
    if (argument.starts_with('/')) {
        return std::string(argument);
    }
    return state_folder + std::string(argument.empty() ? "varnishd" : argument);
}

void enter_work_folder(const std::string& path, const sys::jail& jail) {
    const sys::raised privileges(jail);
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) {
        option_fails("Cannot create working directory '{}': {}", path, sys::error_text(errno));
    }
    if (jail.changes_ids() && ::chown(path.c_str(), static_cast<uid_t>(-1), jail.manager_gid()) != 0) {
        option_fails("Cannot give working directory '{}' to its group: {}", path, sys::error_text(errno));
    }
    if (::chdir(path.c_str()) != 0) {
        option_fails("Cannot change to working directory '{}': {}", path, sys::error_text(errno));
    }
    if (!sys::open_file(test_file, O_RDWR | O_CREAT | O_EXCL, 0600)) {
        option_fails("Cannot create test-file in {} ({})\nCheck permissions (or delete old directory)", path,
                     sys::error_text(errno));
    }
    ::unlink(test_file);
}

bool lies_on_tmpfs(const std::string& path) {
    struct statfs info {};
    return ::statfs(path.c_str(), &info) == 0 && info.f_type == TMPFS_MAGIC;
}

std::string absolute_path(const std::string& path) {
    char here[PATH_MAX];
    if (path.starts_with('/') || ::getcwd(here, sizeof here) == nullptr) {
        return path;
    }
    return std::string(here) + "/" + path;
}

std::optional<std::string> read_along_path(std::string_view folders, const std::string& name, std::string& tried) {
    tried = name;
    if (name.starts_with('/')) {
        return sys::read_file(name);
    }
    for (;;) {
        const std::size_t end = folders.find(':');
        const std::string path = std::string(folders.substr(0, end)) + "/" + name;
        if (::access(path.c_str(), F_OK) == 0) {
            tried = path;
            return sys::read_file(path);
        }
        if (end == std::string_view::npos) {
            errno = ENOENT;
            return std::nullopt;
        }
        folders.remove_prefix(end + 1);
    }
}

} // namespace clearcoat::manager
