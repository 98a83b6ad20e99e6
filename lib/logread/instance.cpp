#include "logread/instance.hpp"

#include "base/clock.hpp"
#include "shm/segment_directory.hpp"
#include "sys/fd.hpp"

#include <algorithm>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

namespace clearcoat::logread {
namespace {

bool same(const segment_entry& a, const segment_entry& b) noexcept {
    return a.file == b.file && a.offset == b.offset && a.size == b.size && a.kind == b.kind && a.ident == b.ident;
}

const segment_entry* find_kind(const std::vector<segment_entry>& entries, std::string_view kind) noexcept {
    const auto found = std::find_if(entries.begin(), entries.end(), [kind](const auto& e) { return e.kind == kind; });
    return found == entries.end() ? nullptr : &*found;
}

} // namespace

instance::instance(const std::string& folder) {
    manager_.folder = folder + "/" + shm::manager_folder;
    worker_.folder = folder + "/" + shm::worker_folder;
    refresh();
}

void instance::refresh() {
    refresh(manager_);
    if (manager_.runs) {
        refresh(worker_);
    } else {
        lose(worker_);
    }
}

void instance::lose(side& s) {
    if (s.runs) {
        s.runs = false;
        ++s.generation;
        ++s.changes;
        s.entries.clear();
        s.head.clear();
    }
    std::fill(std::begin(s.seen), std::end(s.seen), 0);
}

void instance::refresh(side& s) {
    const std::string path = s.folder + "/_.index";
    struct stat now {};
    if (::stat(path.c_str(), &now) != 0) {
        return lose(s);
    }
    const std::uint64_t seen[4] = {now.st_dev, now.st_ino, static_cast<std::uint64_t>(now.st_size),
                                   static_cast<std::uint64_t>(now.st_mtim.tv_sec) * 1000000000U +
                                       static_cast<std::uint64_t>(now.st_mtim.tv_nsec)};
    if (std::equal(std::begin(seen), std::end(seen), std::begin(s.seen))) {
        return;
    }
    const std::optional<std::string> text = sys::read_file(path);
    std::optional<std::vector<segment_entry>> entries;
    if (text) {
        entries = parse_index(*text);
    }
    if (!entries) {
        return lose(s); // not written yet
    }
    std::string head = text->substr(0, text->find('\n'));
    if (!s.runs || head != s.head) {
        ++s.generation;
    }
    std::copy(std::begin(seen), std::end(seen), std::begin(s.seen));
    s.runs = true;
    s.head = std::move(head);
    s.entries = std::move(*entries);
    ++s.changes;
}

bool instance::wait_for_manager(double patience, const volatile int& stop) {
    const base::clock& time = base::system_clock();
    const base::seconds deadline = time.monotonic() + patience;
    bool dots = false;
    bool found = manager_.runs;
    for (int tries = 1; !found && stop == 0; ++tries) {
        if (patience >= 0 && time.monotonic() > deadline) {
            break;
        }
        if (tries % 4 == 0) {
            std::fputc('.', stderr);
            dots = true;
        }
        const timespec quarter{0, 250000000};
        nanosleep(&quarter, nullptr);
        refresh();
        found = manager_.runs;
    }
    if (dots) {
        std::fputc('\n', stderr);
    }
    return found;
}

std::optional<mapped_segment> instance::map(const segment_entry& entry, bool worker) const {
    const side& s = worker ? worker_ : manager_;
    const sys::unique_fd fd = sys::open_file(s.folder + "/" + entry.file, O_RDONLY);
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0 || entry.size == 0 ||
        entry.offset + entry.size > static_cast<std::uint64_t>(status.st_size)) {
        return std::nullopt;
    }
    mapped_segment made{entry, s.generation, worker, sys::mapping::shared(fd.get(), entry.offset + entry.size, false)};
    if (!made.memory) {
        return std::nullopt;
    }
    return made;
}

std::optional<mapped_segment> instance::map(std::string_view kind) const {
    for (const bool worker : {false, true}) {
        if (const segment_entry* entry = find_kind(worker ? worker_.entries : manager_.entries, kind)) {
            return map(*entry, worker);
        }
    }
    return std::nullopt;
}

bool instance::still_there(const mapped_segment& segment) const {
    const side& s = segment.worker ? worker_ : manager_;
    return s.runs && s.generation == segment.generation &&
           std::any_of(s.entries.begin(), s.entries.end(),
                       [&segment](const segment_entry& e) { return same(e, segment.entry); });
}

std::optional<std::string> instance::text(std::string_view kind, std::string_view ident) const {
    for (const segment_entry& entry : manager_.entries) {
        if (entry.kind == kind && entry.ident == ident) {
            const std::optional<mapped_segment> segment = map(entry, false);
            if (!segment) {
                return std::nullopt;
            }
            const std::span<const std::byte> bytes = segment->bytes();
            const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            return std::string(all.substr(0, all.find('\0')));
        }
    }
    return std::nullopt;
}

} // namespace clearcoat::logread
