// The file behind a file storage: found or made, sized, and given to the user that the worker runs as. Start-up only.
#pragma once

#include "sys/fd.hpp"
#include "sys/jail.hpp"

#include <cstdint>
#include <string>

namespace clearcoat::manager {

/// "256m"; `what` ("-smalloc") is for the messages. Throws option_error, also for less than 1 MB.
std::uint64_t parse_storage_size(const std::string& what, const std::string& text);

struct opened_storage {
    sys::unique_fd fd;
    std::string path;
    std::uint64_t size = 0; // a multiple of granularity
    std::uint64_t granularity = 0;
};

/// `path` is a file (made when missing) or a folder, where a nameless file is made. An empty size takes that of the
/// file there is. Throws option_error.
opened_storage open_storage_file(const sys::jail& jail, const std::string& path, const std::string& size,
                                 std::uint64_t granularity);

} // namespace clearcoat::manager
