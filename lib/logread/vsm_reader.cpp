#include "logread/vsm_reader.hpp"

#include "shm/segment_directory.hpp"
#include "sys/fd.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace clearcoat::logread {
namespace {

constexpr std::string_view state_folder = "/var/lib/varnish/";
constexpr std::string_view default_name = "varnishd";

std::string_view take_word(std::string_view& line) noexcept {
    std::size_t space = std::min(line.find(' '), line.size());
    std::string_view word = line.substr(0, space);
    line.remove_prefix(std::min(space + 1, line.size()));
    return word;
}

bool to_number(std::string_view word, std::size_t& number) noexcept {
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size();
}

std::optional<segment_entry> parse_entry(std::string_view line) {
    segment_entry entry;
    entry.file = take_word(line);
    if (!to_number(take_word(line), entry.offset) || !to_number(take_word(line), entry.size)) {
        return std::nullopt;
    }
    entry.kind = take_word(line);
    entry.ident = line;
    return entry;
}

bool same(const segment_entry& a, const segment_entry& b) noexcept {
    return a.file == b.file && a.offset == b.offset && a.kind == b.kind && a.ident == b.ident;
}

void apply(char action, const segment_entry& entry, std::vector<segment_entry>& entries) {
    if (action == '+') {
        entries.push_back(entry);
    } else {
        std::erase_if(entries, [&entry](const segment_entry& e) { return same(e, entry); });
    }
}

} // namespace

std::string work_folder(std::string_view name) {
    if (name.starts_with('/')) {
        return std::string(name);
    }
    return std::string(state_folder) + std::string(name.empty() ? default_name : name);
}

std::string chosen_work_folder(const std::optional<std::string>& name) {
    const char* otherwise = std::getenv("VARNISH_DEFAULT_N");
    return work_folder(name ? std::string_view(*name) : otherwise == nullptr ? "" : otherwise);
}

std::optional<std::vector<segment_entry>> parse_index(std::string_view text) {
    if (!text.starts_with("# ")) {
        return std::nullopt;
    }
    std::vector<segment_entry> entries;
    while (!text.empty()) {
        std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            break; // still being written
        }
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (line.size() > 2 && (line[0] == '+' || line[0] == '-')) {
            std::optional<segment_entry> entry = parse_entry(line.substr(2));
            if (entry) {
                apply(line[0], *entry, entries);
            }
        }
    }
    return entries;
}

vsm_reader::vsm_reader(std::string folder, bool worker)
    : folder_(std::move(folder) + "/" + (worker ? shm::worker_folder : shm::manager_folder)) {}

bool vsm_reader::running() const {
    std::optional<std::string> index = sys::read_file(folder_ + "/_.index");
    return index && parse_index(*index).has_value();
}

std::vector<segment_entry> vsm_reader::segments() const {
    std::optional<std::string> index = sys::read_file(folder_ + "/_.index");
    std::optional<std::vector<segment_entry>> entries;
    if (index) {
        entries = parse_index(*index);
    }
    return entries ? std::move(*entries) : std::vector<segment_entry>();
}

std::optional<std::string> vsm_reader::text(std::string_view kind, std::string_view ident) const {
    for (const segment_entry& entry : segments()) {
        if (entry.kind == kind && entry.ident == ident) {
            std::optional<std::string> bytes = sys::read_file(folder_ + "/" + entry.file);
            if (!bytes || entry.offset + entry.size > bytes->size()) {
                return std::nullopt;
            }
            std::string text = bytes->substr(entry.offset, entry.size);
            text.resize(std::min(text.find('\0'), text.size()));
            return text;
        }
    }
    return std::nullopt;
}

} // namespace clearcoat::logread
