// Files in module std. A file is read once, on a helper thread while the task waits, and kept while a loaded VCL uses
// it: each call in a VCL keeps the file it read last, and calls that name the same file share one copy. A file that
// changes is not read again, as the manual says.
#include "vmod/std/functions.hpp"
#include "vmod/support/aside.hpp"

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace clearcoat::vmod::standard {

namespace {

struct file_content {
    std::string name;
    std::string text;
    vcl::blob blob;
};

using file_ref = std::shared_ptr<const file_content>;

/// Every file in use, whichever VCL uses it.
class shared_files {
  public:
    file_ref find(const std::string& name) {
        std::lock_guard hold(mutex_);
        auto found = files_.find(name);
        return found == files_.end() ? nullptr : found->second.lock();
    }

    /// The copy that was there first wins.
    file_ref add(std::shared_ptr<file_content> file) {
        std::lock_guard hold(mutex_);
        std::erase_if(files_, [](const auto& entry) { return entry.second.expired(); });
        std::weak_ptr<const file_content>& slot = files_[file->name];
        if (file_ref there = slot.lock()) {
            return there;
        }
        slot = file;
        return file;
    }

  private:
    std::mutex mutex_;
    std::map<std::string, std::weak_ptr<const file_content>> files_; // guarded by mutex_
};

shared_files& all_files() {
    static auto* files = new shared_files;
    return *files;
}

/// What the calls of one loaded VCL read last.
class call_files : public vcl::module_object {
  public:
    file_ref find(std::uint32_t site, std::string_view name) {
        std::lock_guard hold(mutex_);
        auto found = last_.find(site);
        return found != last_.end() && found->second->name == name ? found->second : nullptr;
    }
    void keep(std::uint32_t site, file_ref file) {
        std::lock_guard hold(mutex_);
        last_[site] = std::move(file);
    }

  private:
    std::mutex mutex_;
    std::map<std::uint32_t, file_ref> last_; // guarded by mutex_
};

/// What a task holds, so that a text stays while it is used.
struct task_files : vcl::task_private {
    std::vector<file_ref> used;
};

const char task_key = 0;
const char reading_key = 0;

bool read_all(int fd, std::string& text) {
    struct stat about;
    if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        return false;
    }
    text.resize(static_cast<std::size_t>(about.st_size));
    std::size_t got = 0;
    while (got < text.size()) {
        const ssize_t n = ::read(fd, text.data() + got, text.size() - got);
        if (n <= 0) {
            return false;
        }
        got += static_cast<std::size_t>(n);
    }
    return true;
}

file_ref read_file(const std::string& name) {
    const int fd = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return nullptr;
    }
    auto file = std::make_shared<file_content>();
    file->name = name;
    const bool good = read_all(fd, file->text);
    ::close(fd);
    if (!good) {
        return nullptr;
    }
    file->blob.bytes = std::as_bytes(std::span(file->text));
    return all_files().add(std::move(file));
}

/// nullptr: the file cannot be read, or the task waits for it (then the call is made again).
file_ref find_or_read(vcl::call& c, const std::string& name) {
    if (file_ref known = all_files().find(name)) {
        return known;
    }
    auto work = [name] { return read_file(name); };
    return do_aside<file_ref>(c, blocking_lane(), &reading_key, name, work, nullptr).value_or(nullptr);
}

/// The file for this call, held by the task and by the call's place in the VCL.
const file_content* file_for(vcl::call& c, const vcl::value& name) {
    if (undefined(name)) {
        return nullptr;
    }
    auto* places = static_cast<call_files*>(c.module_state());
    auto& mine = task_data<task_files>(c, &task_key);
    file_ref file = places != nullptr ? places->find(c.site(), name.string()) : nullptr;
    if (file == nullptr) {
        file = find_or_read(c, std::string(name.string()));
        if (file == nullptr) {
            return nullptr;
        }
        if (places != nullptr) {
            places->keep(c.site(), file);
        }
    }
    mine.used.push_back(file);
    return file.get();
}

} // namespace

bool files_event(vcl::event_call& e) {
    if (e.event == vcl::module_event::load) {
        e.state = std::make_unique<call_files>();
    }
    return true;
}

// fileread(PRIV_CALL, STRING)
vcl::value fileread(vcl::call& c, arguments args) {
    const file_content* file = file_for(c, args[0]);
    // A text ends at its first zero byte; blobread() gives all.
    return file == nullptr ? no_value() : text_value(file->text.c_str());
}

// blobread(PRIV_CALL, STRING)
vcl::value blobread(vcl::call& c, arguments args) {
    const file_content* file = file_for(c, args[0]);
    return file == nullptr ? no_value() : vcl::value::of(&file->blob);
}

// file_exists(STRING path)
vcl::value file_exists(vcl::call& c, arguments args) {
    // Not handed to a helper: asking the directory cache takes less than the way there, and people ask on each request.
    const std::string_view path = c.workspace().copy(args[0].string());
    struct stat about;
    return vcl::value::of(path.data() != nullptr && ::stat(path.data(), &about) == 0);
}

} // namespace clearcoat::vmod::standard
