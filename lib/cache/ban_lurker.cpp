#include "cache/ban_lurker.hpp"

#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <limits>

#include <fmt/core.h>

namespace clearcoat::cache {

namespace {

constexpr double idle_sleep = 49.62; // seconds between passes when no ban waits to come of age

} // namespace

// A ban that looks at requests is a barrier: the lurker cannot test it, so objects older than it move up to just below
// it. Still, every object is tested against all younger object bans, which are done with at the end of the pass.
std::unique_ptr<ban_list::pass> ban_list::plan_pass(double now, double& next) const {
    auto plan = std::make_unique<pass>();
    const std::uint64_t limit = params_.ban_cutoff();
    const std::uint64_t cutoff = limit != 0 ? limit : std::numeric_limits<std::uint64_t>::max();
    const double mature = now - params_.ban_lurker_age();
    ban* target = nullptr;
    std::uint64_t count = 0;
    for (ban* b = newest_.load(std::memory_order_acquire); b != nullptr; b = b->older_, ++count) {
        if (target != nullptr) {
            plan->steps.push_back({b, target, plan->bans.size(), count > cutoff});
        }
        if (b->completed()) {
            continue;
        }
        if (b->spec_.looks_at_request() && count <= cutoff) {
            target = target != nullptr ? b->older_ : nullptr;
            continue;
        }
        const double wait = b->spec_.time() - mature;
        if (wait < 0) {
            plan->bans.push_back(b);
            target = target != nullptr ? target : b;
        } else if (wait < next) {
            next = wait;
        }
    }
    plan->next_pass = next;
    return plan;
}

// The marks of this pass come to the end of the list, so the first unmarked object is in front or there is none.
object_ref ban_list::next_object(ban& at) {
    base::lock_guard lock(mutex_);
    if (at.objects_.empty() || at.objects_.front().lurker_pass_ == pass_number_) {
        return {};
    }
    object& o = at.objects_.front();
    at.objects_.erase(o);
    at.objects_.push_back(o);
    o.lurker_pass_ = pass_number_;
    return object_ref(o);
}

void ban_list::judge(object& o, object_killer& killer, ban_log* log) {
    const pass::step& step = pass_->steps[pass_->next_step];
    bool banned = step.kill;
    std::uint64_t tested = 0;
    std::uint64_t tests = 0;
    for (std::size_t i = step.bans; !banned && i-- != 0;) {
        const ban& b = *pass_->bans[i];
        if (!b.completed()) {
            ++tested;
            banned = b.spec_.matches(o, reader_, nullptr, tests);
        }
    }
    tables::bump(counters_.bans_lurker_tested, tested);
    tables::bump(counters_.bans_lurker_tests_tested, tests);
    if (banned) {
        tables::bump(step.kill ? counters_.bans_lurker_obj_killed_cutoff : counters_.bans_lurker_obj_killed);
        if (log != nullptr) {
            log->banned(fmt::format("{} {}", o.vxid(), step.kill ? "killed for lurker cutoff" : "banned by lurker"));
        }
        killer.kill(o);
        return;
    }
    base::lock_guard lock(mutex_);
    // A lookup may have taken it further in the meantime, or out of the cache.
    if (step.at != step.target && o.ban_.load(std::memory_order_relaxed) == step.at) {
        move(o, *step.target);
    }
}

bool ban_list::run_pass(object_killer& killer, ban_log* log) {
    std::uint64_t batch = params_.ban_lurker_batch();
    while (pass_->next_step != pass_->steps.size()) {
        const object_ref o = next_object(*pass_->steps[pass_->next_step].at);
        if (!o) {
            ++pass_->next_step;
            continue;
        }
        judge(*o, killer, log);
        if (--batch == 0) {
            return false;
        }
    }
    return true;
}

void ban_list::end_pass() {
    {
        base::lock_guard lock(mutex_);
        for (ban* b : pass_->bans) {
            mark_completed(*b);
        }
    }
    pass_.reset();
    clean_tail();
}

void ban_list::clean_tail() {
    ban* dead = nullptr; // chained by newer_
    {
        base::lock_guard lock(mutex_);
        while (oldest_ != newest_.load(std::memory_order_relaxed) && oldest_->refs_ == 0) {
            ban* b = oldest_;
            oldest_ = b->newer_;
            oldest_->older_ = nullptr;
            account(*b, false);
            b->newer_ = dead;
            dead = b;
        }
    }
    while (dead != nullptr) {
        ban* next = dead->newer_;
        delete dead;
        dead = next;
    }
}

double ban_list::lurker_step(double now, object_killer& killer, ban_log* log) {
    const double pause = params_.ban_lurker_sleep();
    if (pause == 0) {
        pass_.reset();
        clean_tail();
        return idle_sleep;
    }
    double next = idle_sleep;
    if (pass_ == nullptr) {
        pass_ = plan_pass(now, next);
        ++pass_number_;
    }
    next = pass_->next_pass;
    if (!run_pass(killer, log)) {
        return pause;
    }
    end_pass();
    return next;
}

} // namespace clearcoat::cache
