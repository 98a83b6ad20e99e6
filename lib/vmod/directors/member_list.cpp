#include "vmod/directors/member_list.hpp"

#include <algorithm>
#include <mutex>

#include <fmt/core.h>

namespace clearcoat::vmod::directors {

void member_list::add(vcl::director& backend, double weight) {
    std::lock_guard hold(mutex_);
    members_.push_back({&backend, weight});
}

std::size_t member_list::remove(const vcl::director& backend) {
    std::lock_guard hold(mutex_);
    const auto found =
        std::find_if(members_.begin(), members_.end(), [&backend](const member& m) { return m.backend == &backend; });
    if (found == members_.end()) {
        return absent;
    }
    const auto index = static_cast<std::size_t>(found - members_.begin());
    members_.erase(found);
    return index;
}

vcl::director::health member_list::any_healthy(vcl::host* task) const {
    std::shared_lock hold(mutex_);
    vcl::director::health result{false, 0};
    for (const member& m : members_) {
        const vcl::director::health one = m.backend->effective_state(task);
        result.changed = std::max(result.changed, one.changed);
        result.healthy = one.healthy;
        if (one.healthy) {
            break;
        }
    }
    return result;
}

vcl::director* member_list::pick(vcl::host& task, double point) const {
    constexpr std::size_t at_once = 64;
    std::shared_lock hold(mutex_);
    // Health is asked once a member: it may change between two questions.
    unsigned char few[at_once];
    std::vector<unsigned char> many(members_.size() > at_once ? members_.size() : 0);
    unsigned char* healthy = many.empty() ? few : many.data();
    double total = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        healthy[i] = members_[i].backend->effective_state(&task).healthy ? 1 : 0;
        total += healthy[i] != 0 ? members_[i].weight : 0;
    }
    vcl::director* last = nullptr;
    double reached = 0;
    for (std::size_t i = 0; i < members_.size() && total > 0; ++i) {
        if (healthy[i] == 0 || members_[i].weight <= 0) {
            continue;
        }
        reached += members_[i].weight;
        last = members_[i].backend;
        if (point * total < reached) {
            break;
        }
    }
    return last;
}

std::string health_summary(std::size_t healthy, std::size_t all, bool json) {
    const char* word = healthy > 0 ? "healthy" : "sick";
    return json ? fmt::format("[{}, {}, \"{}\"]", healthy, all, word) : fmt::format("{}/{}\t{}", healthy, all, word);
}

namespace {

struct picture {
    std::vector<member> members;
    std::vector<char> healthy;
    std::size_t healthy_count = 0;
    double total = 0; // weight of the healthy ones
    base::seconds changed = 0;
};

picture picture_of(const member_list& list) {
    return list.with([](const std::vector<member>& members) {
        picture p;
        p.members = members;
        for (const member& m : members) {
            const vcl::director::health one = m.backend->effective_state(nullptr);
            p.healthy.push_back(one.healthy ? 1 : 0);
            p.healthy_count += one.healthy ? 1 : 0;
            p.total += one.healthy ? m.weight : 0;
            p.changed = std::max(p.changed, one.changed);
        }
        return p;
    });
}

const char* health_word(bool healthy) noexcept {
    return healthy ? "healthy" : "sick";
}

std::string details(const picture& p, const member_listing::style& s) {
    std::string text = fmt::format("\n\n\tBackend\t{}\tHealth\n", s.column);
    for (std::size_t i = 0; i < p.members.size(); ++i) {
        const bool healthy = p.healthy[i] != 0;
        text += "\t" + p.members[i].backend->name() + s.cell(i, p.members[i], healthy, p.total);
        text += health_word(healthy);
        text += "\n";
    }
    return text;
}

std::string json_details(const picture& p, const member_listing::style& s) {
    std::string text = "{\n" + (s.head ? s.head(p.total) : std::string()) + "  \"backends\": {\n";
    for (std::size_t i = 0; i < p.members.size(); ++i) {
        const bool healthy = p.healthy[i] != 0;
        text += fmt::format("{}    \"{}\": {{\n", i > 0 ? ",\n" : "", p.members[i].backend->name());
        text += s.field ? s.field(i, p.members[i], healthy) : std::string();
        text += fmt::format("      \"health\": \"{}\"\n    }}", health_word(healthy));
    }
    return text + "\n  }\n},\n";
}

} // namespace

std::string member_listing::list(vcl::director& self, const member_list& members, vcl::director::listing form,
                                 const style& s) {
    const picture p = picture_of(members);
    self.note_change(p.changed);
    switch (form) {
    case vcl::director::listing::details:
        return details(p, s);
    case vcl::director::listing::json_details:
        return json_details(p, s);
    case vcl::director::listing::json:
        return health_summary(p.healthy_count, p.members.size(), true);
    case vcl::director::listing::row:
        break;
    }
    return health_summary(p.healthy_count, p.members.size(), false);
}

} // namespace clearcoat::vmod::directors
