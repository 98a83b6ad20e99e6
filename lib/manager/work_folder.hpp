// Where a running instance keeps its files, and how paths in options are understood. Start-up only.
#pragma once

#include "sys/jail.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::manager {

/// The folder of a -n argument: absolute as it is, a name under /var/lib/varnish, "varnishd" where empty.
std::string work_folder_path(std::string_view argument);

/// Makes the folder where it is missing, gives it to the jail's group, makes it the current folder and checks that
/// files can be made in it. Throws option_error.
void enter_work_folder(const std::string& path, const sys::jail& jail);

/// Whether the folder's files live in memory.
bool lies_on_tmpfs(const std::string& path);

/// `path` from the root, seen from the current folder.
std::string absolute_path(const std::string& path);

/// The text of a file that is looked for in the folders of `folders` (joined by ':') unless it is absolute. `tried` is
/// the path found, or `name`. Empty with errno set on failure.
std::optional<std::string> read_along_path(std::string_view folders, const std::string& name, std::string& tried);

} // namespace clearcoat::manager
