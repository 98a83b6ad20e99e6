// The counters of a running instance: found through its segments of class "Stat" and their descriptions ("StatDoc"),
// chosen by globs, read where they lie. One thread.
#pragma once

#include "logread/instance.hpp"
#include "logread/json_value.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::logread {

enum class counter_level : std::uint8_t { info, diag, debug };

struct counter {
    std::string name;     // "MAIN.cache_hit"
    char semantics = '?'; // c: counter, g: gauge, b: bitmap
    char format = '?';    // i: integer, B: bytes, b: bitmap, d: duration
    counter_level level = counter_level::info;
    std::string oneliner;
    std::string docs;
    const std::uint64_t* place = nullptr;

    /// The value now. A gauge that fell below nothing counts as nothing, unless `raw`.
    std::uint64_t value(bool raw) const noexcept;
};

/// Which counters are wanted: the first glob that matches decides. Without a match, those that no -I asked for are.
class counter_filter {
  public:
    /// -I or -X, or -f: a glob that begins with '^' excludes.
    void take(char letter, std::string_view glob);
    /// Wanted whatever the others say.
    void require(std::string_view glob);
    bool empty() const noexcept { return globs_.empty(); }
    bool wants(const std::string& name) const;

  private:
    struct glob {
        std::string pattern;
        bool include;
        bool excludes_others;
    };
    std::vector<glob> globs_;
};

class counter_list {
  public:
    /// Both outlive the list.
    counter_list(instance& from, const counter_filter& filter) : instance_(from), filter_(filter) {}

    /// Looks for segments that came, went, hid or showed up; true when the list is another one. Counters that stay keep
    /// their address.
    bool refresh();
    /// As the instance orders its segments.
    const std::vector<const counter*>& all() const noexcept { return visible_; }
    const counter* find(std::string_view name) const noexcept;

  private:
    struct set {
        mapped_segment memory;
        std::vector<counter> counters;
        int ready = -1;
    };
    int ready_state(const set& s) const noexcept;
    std::unique_ptr<set> load(const segment_entry& entry, bool worker) const;
    void load_all(const std::vector<segment_entry>& entries, bool worker, std::vector<std::unique_ptr<set>>& to);
    void describe(set& s) const;
    std::optional<json_value> description_of(const set& s) const;

    instance& instance_;
    const counter_filter& filter_;
    std::uint64_t seen_changes_ = 0;
    std::vector<std::unique_ptr<set>> sets_;
    std::vector<const counter*> visible_;
};

} // namespace clearcoat::logread
