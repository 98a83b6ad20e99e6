#include "vcl/vm/regsub.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace clearcoat::vcl {

namespace {

/// Builds the result at the end of the workspace, or only counts when the room does not suffice.
class output {
  public:
    explicit output(std::span<char> room) noexcept : room_(room) {}
    void add(std::string_view text) noexcept {
        if (text.size() <= room_.size() - size_) {
            std::copy(text.begin(), text.end(), room_.begin() + static_cast<std::ptrdiff_t>(size_));
            size_ += text.size();
        } else {
            full_ = true;
        }
    }
    std::size_t size() const noexcept { return size_; }
    bool full() const noexcept { return full_; }

  private:
    std::span<char> room_;
    std::size_t size_ = 0;
    bool full_ = false;
};

void expand(output& out, std::string_view replacement, const base::regex_groups& groups) noexcept {
    for (std::size_t i = 0; i < replacement.size(); ++i) {
        if (replacement[i] != '\\' || i + 1 == replacement.size()) {
            out.add(replacement.substr(i, 1));
            continue;
        }
        char c = replacement[++i];
        if (!base::is_digit(c)) {
            out.add(replacement.substr(i, 1));
        } else if (c - '0' < groups.count) {
            out.add(groups.group[static_cast<std::size_t>(c - '0')]);
        }
    }
}

} // namespace

regsub_result regsub(base::arena& workspace, const base::regex& re, std::string_view subject,
                     std::string_view replacement, bool all, base::regex_limits limits) noexcept {
    base::regex_groups groups;
    base::regex_verdict verdict = re.match(subject, &groups, limits);
    if (verdict == base::regex_verdict::no_match) {
        return {subject};
    }
    // Most replacements fit into a little more than their subject; a long one tries again with all there is.
    std::size_t want = subject.size() + replacement.size() + 256;
    for (std::size_t tried = 0;;) {
        want = std::min(want, workspace.available());
        std::span<char> room = want > tried ? workspace.reserve(want) : std::span<char>();
        if (room.empty()) {
            workspace.set_overflowed(true);
            return {{}, "regsub: Out of workspace"};
        }
        tried = room.size();
        output out(room);
        std::size_t from = 0;
        base::regex_verdict v = verdict;
        base::regex_groups g = groups;
        while (v == base::regex_verdict::match && !out.full()) {
            auto begin = static_cast<std::size_t>(g.group[0].data() - subject.data());
            out.add(subject.substr(from, begin - from));
            expand(out, replacement, g);
            from = begin + g.group[0].size();
            v = all ? re.match(subject, &g, limits, from, true) : base::regex_verdict::no_match;
        }
        if (v == base::regex_verdict::error) {
            return {{}, "regsub: Regexp matching failed"};
        }
        out.add(subject.substr(from));
        out.add({"", 1});
        if (!out.full()) {
            workspace.commit(out.size());
            return {{room.data(), out.size() - 1}};
        }
        want = 2 * tried;
    }
}

} // namespace clearcoat::vcl
