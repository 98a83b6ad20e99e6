#include "logread/tool.hpp"

#include "logread/ring_cursor.hpp"
#include "logread/signals.hpp"

#include <cerrno>
#include <cstdio>

#include <fmt/core.h>
#include <time.h>

namespace clearcoat::logread {
namespace {

// The reference's pace: readers see a record at most this much later.
constexpr double idle_wait = 0.01;
constexpr double acquire_wait = 0.1;

} // namespace

tool::~tool() {
    if (pid_written_) {
        pid_file_.remove();
    }
}

void tool::stop() noexcept {
    signals::ended = 1;
}

bool tool::stopping() noexcept {
    return signals::ended != 0;
}

void tool::wait(double seconds) const {
    timespec t{};
    t.tv_nsec = static_cast<long>(seconds * 1e9);
    nanosleep(&t, nullptr);
}

void tool::say(const char* message) const {
    if (!quiet) {
        std::fprintf(stderr, "%s\n", message);
    }
}

bool tool::count_down(group g) {
    if (count_ == 0 || !hooks_.on_group(g)) {
        return false;
    }
    if (count_ > 0) {
        --count_;
    }
    return count_ != 0;
}

void tool::run() {
    while (!stopping()) {
        if (signals::hups != seen_hup_) {
            seen_hup_ = signals::hups;
            if (!hooks_.on_hup) {
                return;
            }
            hooks_.on_hup();
        }
        if (signals::usr1s != seen_usr1_) {
            seen_usr1_ = signals::usr1s;
            if (!assembler_->flush()) {
                return;
            }
        }
        if (source_ == nullptr && !acquire()) {
            continue;
        }
        if (!pump()) {
            return;
        }
    }
}

/// Reads until there is nothing new; false when the work is done.
bool tool::pump() {
    record_run run;
    source_status status = source_status::more;
    while (status == source_status::more && !stopping() && signals::hups == seen_hup_ && signals::usr1s == seen_usr1_) {
        status = source_->next(run);
        if (status == source_status::more && !assembler_->feed(run)) {
            return false;
        }
    }
    return after(status);
}

bool tool::after(source_status status) {
    switch (status) {
    case source_status::more:
        return true;
    case source_status::idle:
        if (hooks_.on_idle) {
            hooks_.on_idle();
        }
        wait(idle_wait);
        instance_->refresh();
        return true;
    case source_status::abandoned:
        if (!assembler_->flush()) {
            return false;
        }
        lose("Log abandoned (vsl)");
        return true;
    case source_status::overrun:
        if (!assembler_->flush()) {
            return false;
        }
        lose("Log overrun");
        return true;
    case source_status::io_error:
        say("The saved log ends within a record");
        return false;
    default:
        return false;
    }
}

void tool::lose(const char* why) {
    say(why);
    assembler_->discard();
    source_.reset();
    ring_.reset();
    lost_before_ = true;
    if (hooks_.on_lost) {
        hooks_.on_lost();
    }
}

void tool::open(std::unique_ptr<record_source> source) {
    source_ = std::move(source);
    if (hooks_.on_source) {
        hooks_.on_source(source_->width());
    }
}

/// Attaches to the ring of the worker that runs now; false, after a wait, when there is none.
bool tool::acquire() {
    instance_->refresh();
    const char* trouble = "No VSL chunk found (child not started ?)";
    if ((ring_ = instance_->map("Log"))) {
        const auto start = old_ones ? ring_cursor::start::head_until_tail : ring_cursor::start::tail;
        auto cursor = ring_cursor::open(ring_->bytes(), start, [this] { return instance_->still_there(*ring_); });
        if (cursor) {
            open(std::make_unique<ring_cursor>(std::move(*cursor)));
            if (lost_before_) {
                say("Log reacquired");
            }
            lost_before_ = true;
            return true;
        }
        trouble = "Cursor initialization failure";
    }
    const double now = base::system_clock().monotonic();
    if (now - told_at_ > 1) {
        say(fmt::format("Failed to acquire log: {}", trouble).c_str());
        told_at_ = now;
    }
    wait(acquire_wait);
    return false;
}

} // namespace clearcoat::logread
