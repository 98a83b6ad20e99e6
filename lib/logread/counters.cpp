#include "logread/counters.hpp"

#include "logread/json_value.hpp"
#include "shm/counter_description.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>

#include <fnmatch.h>

namespace clearcoat::logread {
namespace {

constexpr int hidden = 2; // what a segment's head says where readers are to skip it

char semantics_of(std::string_view type) noexcept {
    return type == "counter" ? 'c' : type == "gauge" ? 'g' : type == "bitmap" ? 'b' : '?';
}

char format_of(std::string_view format) noexcept {
    return format == "integer"    ? 'i'
           : format == "bytes"    ? 'B'
           : format == "bitmap"   ? 'b'
           : format == "duration" ? 'd'
                                  : '?';
}

counter_level level_of(std::string_view level) noexcept {
    return level == "diag" ? counter_level::diag : level == "debug" ? counter_level::debug : counter_level::info;
}

const shm::counter_head* head_of(const mapped_segment& segment) noexcept {
    const std::span<const std::byte> bytes = segment.bytes();
    return bytes.size() < sizeof(shm::counter_head) ? nullptr
                                                    : reinterpret_cast<const shm::counter_head*>(bytes.data());
}

/// What lies behind the head; empty where the head says nonsense.
std::span<const std::byte> body_of(const mapped_segment& segment) noexcept {
    const shm::counter_head* head = head_of(segment);
    const std::span<const std::byte> bytes = segment.bytes();
    return head == nullptr || head->body_offset > bytes.size() || head->body_offset % sizeof(std::uint64_t) != 0
               ? std::span<const std::byte>()
               : bytes.subspan(head->body_offset);
}

} // namespace

std::uint64_t counter::value(bool raw) const noexcept {
    const std::uint64_t now =
        std::atomic_ref<std::uint64_t>(*const_cast<std::uint64_t*>(place)).load(std::memory_order_relaxed);
    return !raw && semantics == 'g' && static_cast<std::int64_t>(now) < 0 ? 0 : now;
}

void counter_filter::take(char letter, std::string_view pattern) {
    const bool exclude = letter == 'X' || (letter == 'f' && pattern.starts_with('^'));
    if (letter == 'f' && exclude) {
        pattern.remove_prefix(1);
    }
    globs_.push_back({std::string(pattern), !exclude, !exclude});
}

void counter_filter::require(std::string_view pattern) {
    globs_.insert(globs_.begin(), {std::string(pattern), true, false});
}

bool counter_filter::wants(const std::string& name) const {
    bool others = true;
    for (const glob& g : globs_) {
        if (::fnmatch(g.pattern.c_str(), name.c_str(), 0) == 0) {
            return g.include;
        }
        others = others && !g.excludes_others;
    }
    return others;
}

int counter_list::ready_state(const set& s) const noexcept {
    const shm::counter_head* head = head_of(s.memory);
    return head == nullptr ? hidden
                           : std::atomic_ref<int>(const_cast<int&>(head->ready)).load(std::memory_order_acquire);
}

std::unique_ptr<counter_list::set> counter_list::load(const segment_entry& entry, bool worker) const {
    std::optional<mapped_segment> memory = instance_.map(entry, worker);
    if (!memory) {
        return nullptr;
    }
    auto made = std::make_unique<set>();
    made->memory = std::move(*memory);
    describe(*made);
    return made;
}

/// The description that a segment's head asks for.
std::optional<json_value> counter_list::description_of(const set& s) const {
    const shm::counter_head* head = head_of(s.memory);
    for (const bool worker : {false, true}) {
        for (const segment_entry& entry : worker ? instance_.worker_segments() : instance_.manager_segments()) {
            if (head == nullptr || entry.kind != "StatDoc") {
                continue;
            }
            const std::optional<mapped_segment> memory = instance_.map(entry, worker);
            if (memory && head_of(*memory) != nullptr && head_of(*memory)->description == head->description) {
                const std::span<const std::byte> bytes = body_of(*memory);
                const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                return parse_json(all.substr(0, all.find('\0')));
            }
        }
    }
    return std::nullopt;
}

void counter_list::describe(set& s) const {
    const std::optional<json_value> doc = description_of(s);
    const json_value* elements = doc ? doc->find("elem") : nullptr;
    if (elements == nullptr) {
        return;
    }
    const std::span<const std::byte> body = body_of(s.memory);
    for (const auto& [key, e] : elements->members) {
        const std::string_view index = e.text_of("index");
        std::size_t at = body.size();
        std::from_chars(index.data(), index.data() + index.size(), at);
        const std::string name = s.memory.entry.ident + '.' + std::string(e.text_of("name"));
        if (at % sizeof(std::uint64_t) == 0 && at + sizeof(std::uint64_t) <= body.size() && filter_.wants(name)) {
            s.counters.push_back({name, semantics_of(e.text_of("type")), format_of(e.text_of("format")),
                                  level_of(e.text_of("level")), std::string(e.text_of("oneliner")),
                                  std::string(e.text_of("docs")),
                                  reinterpret_cast<const std::uint64_t*>(body.data() + at)});
        }
    }
}

void counter_list::load_all(const std::vector<segment_entry>& entries, bool worker,
                            std::vector<std::unique_ptr<set>>& to) {
    for (const segment_entry& entry : entries) {
        if (entry.kind != "Stat") {
            continue;
        }
        const auto same = [&](const std::unique_ptr<set>& s) {
            return s != nullptr && s->memory.worker == worker && s->memory.entry.file == entry.file &&
                   s->memory.entry.ident == entry.ident && instance_.still_there(s->memory);
        };
        const auto known = std::find_if(sets_.begin(), sets_.end(), same);
        if (known != sets_.end()) {
            to.push_back(std::move(*known));
        } else if (std::unique_ptr<set> made = load(entry, worker)) {
            to.push_back(std::move(made));
        }
    }
}

bool counter_list::refresh() {
    instance_.refresh();
    bool changed = false;
    if (instance_.changes() != seen_changes_) {
        seen_changes_ = instance_.changes();
        std::vector<std::unique_ptr<set>> now;
        load_all(instance_.manager_segments(), false, now);
        load_all(instance_.worker_segments(), true, now);
        sets_ = std::move(now);
        changed = true;
    }
    for (const std::unique_ptr<set>& s : sets_) {
        const int ready = ready_state(*s);
        changed = changed || ready != s->ready;
        s->ready = ready;
    }
    if (changed) {
        visible_.clear();
        for (const std::unique_ptr<set>& s : sets_) {
            for (const counter& c : s->counters) {
                if (s->ready < hidden) {
                    visible_.push_back(&c);
                }
            }
        }
    }
    return changed;
}

const counter* counter_list::find(std::string_view name) const noexcept {
    const auto found =
        std::find_if(visible_.begin(), visible_.end(), [name](const counter* c) { return c->name == name; });
    return found == visible_.end() ? nullptr : *found;
}

} // namespace clearcoat::logread
