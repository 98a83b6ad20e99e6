#include "manager/storage_file.hpp"

#include "base/numbers.hpp"
#include "manager/option_error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

constexpr std::uint64_t least_size = 1024 * 1024;

void open_existing(opened_storage& out, const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) {
        option_fails("(-sfile) \"{}\" does not exist and could not be created", path);
    }
    if (S_ISDIR(info.st_mode)) {
        out.path = path + "/varnish.XXXXXX";
        out.fd.reset(::mkostemp(out.path.data(), O_CLOEXEC));
        if (!out.fd) {
            option_fails("(-sfile) \"{}\" mkstemp({}) failed ({})", path, out.path, sys::error_text(errno));
        }
        ::unlink(out.path.c_str());
    } else if (S_ISREG(info.st_mode)) {
        out.fd = sys::open_file(path, O_RDWR);
        if (!out.fd) {
            option_fails("(-sfile) \"{}\" could not open ({})", path, sys::error_text(errno));
        }
    } else {
        option_fails("(-sfile) \"{}\" is neither file nor directory", path);
    }
}

void choose_size(opened_storage& out, const std::string& size) {
    struct stat info {};
    struct statfs system {};
    if (::fstat(out.fd.get(), &info) != 0 || ::fstatfs(out.fd.get(), &system) != 0) {
        option_fails("(-sfile) \"{}\": {}", out.path, sys::error_text(errno));
    }
    out.granularity = std::max<std::uint64_t>(out.granularity, static_cast<std::uint64_t>(system.f_bsize));
    if (size.empty() && info.st_size == 0) {
        option_fails("(-sfile) no size specified");
    }
    out.size = size.empty() ? static_cast<std::uint64_t>(info.st_size) : parse_storage_size("-sfile", size);
    const std::uint64_t block = static_cast<std::uint64_t>(system.f_bsize);
    if (!size.empty() && out.size > block * system.f_blocks) {
        option_fails("(-sfile) size \"{}\": larger than file system", size);
    }
    out.size -= out.size % out.granularity;
    const std::uint64_t there = static_cast<std::uint64_t>(info.st_blocks) * 512 + block * system.f_bavail;
    if (there < out.size) {
        option_fails("(-sfile) allocation error: {}", sys::error_text(ENOSPC));
    }
}

void allocate(const opened_storage& out) {
    if (::ftruncate(out.fd.get(), static_cast<off_t>(out.size)) != 0) {
        option_fails("(-sfile) allocation error: {}", sys::error_text(errno));
    }
    // A worker that writes to a page for which the disk has no room dies, so the room is taken now. Elsewhere than on
    // ext4 an allocation may count blocks twice that the file has already; a file system that cannot reserve is left at
    // that.
    struct stat info {};
    struct statfs system {};
    const bool empty = ::fstat(out.fd.get(), &info) == 0 && info.st_blocks == 0;
    const bool exact = ::fstatfs(out.fd.get(), &system) == 0 && system.f_type == EXT4_SUPER_MAGIC;
    if ((empty || exact) && ::fallocate(out.fd.get(), 0, 0, static_cast<off_t>(out.size)) != 0 && errno == ENOSPC) {
        option_fails("(-sfile) allocation error: {}", sys::error_text(ENOSPC));
    }
}

} // namespace

std::uint64_t parse_storage_size(const std::string& what, const std::string& text) {
    const base::parsed_bytes parsed = base::parse_bytes(text);
    if (parsed.error != nullptr) {
        option_fails("({}) size \"{}\": {}", what, text, parsed.error);
    }
    if (parsed.value < least_size) {
        option_fails("({}) size \"{}\": too small, did you forget to specify M or G?", what, text);
    }
    return parsed.value;
}

opened_storage open_storage_file(const sys::jail& jail, const std::string& path, const std::string& size,
                                 std::uint64_t granularity) {
    const sys::raised privileges(jail);
    opened_storage out;
    out.path = path;
    out.granularity = granularity;
    out.fd = sys::open_file(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (!out.fd) {
        open_existing(out, path);
    }
    if (jail.changes_ids() &&
        (::fchown(out.fd.get(), jail.worker_uid(), jail.worker_gid()) != 0 || ::fchmod(out.fd.get(), 0750) != 0)) {
        option_fails("(-sfile) \"{}\": {}", path, sys::error_text(errno));
    }
    choose_size(out, size);
    allocate(out);
    return out;
}

} // namespace clearcoat::manager
