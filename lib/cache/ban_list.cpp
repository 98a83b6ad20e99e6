#include "cache/ban_list.hpp"

#include "cache/ban_lurker.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <utility>

namespace clearcoat::cache {

ban_list::ban_list(const tables::param_block& params, tables::main_counters& counters, const object_reader& reader,
                   double now)
    : params_(params), counters_(counters), reader_(reader) {
    base::lock_guard lock(mutex_);
    insert(ban_spec(now, {}));
    mark_completed(*oldest_);
}

ban_list::~ban_list() {
    base::lock_guard lock(mutex_);
    for (ban* b = newest_.load(std::memory_order_relaxed); b != nullptr;) {
        ban* older = b->older_;
        delete b;
        b = older;
    }
}

void ban_list::kick() noexcept {
    if (housekeeper_ != nullptr) {
        housekeeper_->kick();
    }
}

void ban_list::account(const ban& b, bool added) noexcept {
    const auto change = [added](std::uint64_t& gauge) { added ? tables::bump(gauge) : tables::drop(gauge); };
    change(counters_.bans);
    if (b.spec_.looks_at_object()) {
        change(counters_.bans_obj);
    }
    if (b.spec_.looks_at_request()) {
        change(counters_.bans_req);
    }
    if (added) {
        tables::bump(counters_.bans_added);
        tables::bump(counters_.bans_persisted_bytes, b.spec_.serialised_size());
        return;
    }
    tables::bump(counters_.bans_deleted);
    tables::bump(counters_.bans_persisted_fragmentation, b.spec_.serialised_size(b.completed()));
    if (b.completed()) {
        tables::drop(counters_.bans_completed);
    }
}

void ban_list::insert(ban_spec spec) {
    auto* b = new ban(std::move(spec), ++sequence_);
    ban* before = newest_.load(std::memory_order_relaxed);
    b->older_ = before;
    if (before != nullptr) {
        before->newer_ = b;
    } else {
        oldest_ = b;
    }
    account(*b, true);
    newest_.store(b, std::memory_order_release);
}

void ban_list::mark_completed(ban& b) noexcept {
    if (!b.completed_.exchange(true, std::memory_order_acq_rel)) {
        tables::bump(counters_.bans_completed);
        tables::bump(counters_.bans_persisted_fragmentation, b.spec_.serialised_size() - b.spec_.serialised_size(true));
    }
}

void ban_list::drop_duplicates(ban& newer) {
    if (!newer.spec_.can_be_duplicate()) {
        return;
    }
    for (ban* b = newer.older_; b != nullptr; b = b->older_) {
        if (!b->completed() && b->spec_.same_tests(newer.spec_)) {
            mark_completed(*b);
            tables::bump(counters_.bans_dups);
        }
    }
}

std::string ban_list::add(ban_spec::outcome parsed, double now) {
    if (!parsed.tests) {
        return std::move(parsed.error);
    }
    ban_spec spec(now, std::move(*parsed.tests));
    const bool for_lurker = !spec.looks_at_request();
    {
        base::lock_guard lock(mutex_);
        insert(std::move(spec));
        if (params_.ban_dups()) {
            drop_duplicates(*newest_.load(std::memory_order_relaxed));
        }
    }
    if (for_lurker) {
        kick();
    }
    return {};
}

std::string ban_list::add_words(std::span<const std::string_view> words, double now) {
    return add(ban_spec::parse_words(words), now);
}

std::string ban_list::add_text(std::string_view text, double now) {
    return add(ban_spec::parse_text(text), now);
}

void ban_list::attach(object& o) noexcept {
    base::lock_guard lock(mutex_);
    ban* b = newest_.load(std::memory_order_relaxed);
    b->objects_.push_back(o);
    ++b->refs_;
    o.ban_.store(b, std::memory_order_release);
}

void ban_list::detach(object& o) noexcept {
    base::lock_guard lock(mutex_);
    if (ban* b = o.ban_.load(std::memory_order_relaxed)) {
        b->objects_.erase(o);
        --b->refs_;
        o.ban_.store(nullptr, std::memory_order_release);
    }
}

void ban_list::move(object& o, ban& to) noexcept {
    ban* from = o.ban_.load(std::memory_order_relaxed);
    from->objects_.erase(o);
    --from->refs_;
    to.objects_.push_back(o);
    ++to.refs_;
    o.ban_.store(&to, std::memory_order_release);
}

bool ban_list::check(object& o, const ban_subject& subject) noexcept {
    ban* newest = nullptr;
    ban* passed = nullptr;
    {
        base::lock_guard lock(mutex_);
        newest = newest_.load(std::memory_order_relaxed);
        passed = o.ban_.load(std::memory_order_relaxed);
        if (passed == nullptr || passed == newest) {
            return false; // out of the index, or tested by another in the meantime
        }
        ++passed->refs_; // keeps it, and all newer ones, in the list
    }
    std::uint64_t tests = 0;
    ban* b = newest;
    while (b != passed && (b->completed() || !b->spec_.matches(o, reader_, &subject, tests))) {
        b = b->older_;
    }
    const bool banned = b != passed;
    bool tail_is_free = false;
    {
        base::lock_guard lock(mutex_);
        --passed->refs_;
        const ban* now = o.ban_.load(std::memory_order_relaxed);
        if (!banned && now != nullptr && now->sequence_ < newest->sequence_) {
            move(o, *newest);
        }
        tail_is_free = oldest_->refs_ == 0 && oldest_ != newest_.load(std::memory_order_relaxed);
    }
    tables::bump(counters_.bans_tested);
    tables::bump(counters_.bans_tests_tested, tests);
    if (banned) {
        tables::bump(counters_.bans_obj_killed);
    }
    if (tail_is_free) {
        kick();
    }
    return banned;
}

std::string ban_list::export_all() {
    base::lock_guard lock(mutex_);
    std::string out;
    for (const ban* b = oldest_; b != nullptr; b = b->newer_) {
        out += b->spec_.serialise(b->completed());
    }
    return out;
}

} // namespace clearcoat::cache
