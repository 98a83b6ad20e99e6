#include "manager/complaints.hpp"

#include "tables/param_block.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <syslog.h>

namespace clearcoat::manager {

namespace {

constexpr std::size_t longest_queue = 10000;

struct look {
    const char* word;
    int priority;
};

look look_of(level l) noexcept {
    switch (l) {
    case level::error:
        return {"Error:", LOG_ERR};
    case level::info:
        return {"Info:", LOG_INFO};
    case level::debug:
        return {"Debug:", LOG_DEBUG};
    case level::security:
        return {"Security:", LOG_WARNING | LOG_AUTHPRIV};
    case level::cli:
        break;
    }
    return {"Cli:", LOG_INFO};
}

} // namespace

complaints::~complaints() {
    if (!thread_.joinable()) {
        return;
    }
    std::unique_lock lock(outbox_->mutex);
    outbox_->ending = true;
    outbox_->changed.notify_all();
    const bool done = outbox_->changed.wait_for(lock, std::chrono::seconds(1), [this] { return outbox_->ended; });
    lock.unlock();
    if (done) {
        thread_.join();
    } else {
        thread_.detach();
    }
}

void complaints::say(level l, std::string_view text) {
    if (l == level::cli && !params_.syslog_cli_traffic()) {
        return;
    }
    const look as = look_of(l);
    if (to_stderr_ && l != level::cli) {
        std::fprintf(stderr, "%s %.*s\n", as.word, static_cast<int>(text.size()), text.data());
    }
    if (!params_.debug(tables::debug::vtc_mode)) {
        enqueue(as.priority, text);
    }
}

void complaints::enqueue(int priority, std::string_view text) {
    const std::lock_guard lock(outbox_->mutex);
    if (outbox_->queue.size() >= longest_queue) {
        return;
    }
    outbox_->queue.emplace_back(priority, text);
    if (!thread_.joinable()) {
        // The manager's signals are read on its own thread.
        sigset_t all;
        sigset_t before;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread([box = outbox_] { run(*box); });
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    outbox_->changed.notify_all();
}

void complaints::run(outbox& box) {
    ::openlog("varnishd", LOG_PID, LOG_LOCAL0);
    std::unique_lock lock(box.mutex);
    for (;;) {
        box.changed.wait(lock, [&box] { return !box.queue.empty() || box.ending; });
        if (box.queue.empty()) {
            break;
        }
        const auto [priority, text] = std::move(box.queue.front());
        box.queue.pop_front();
        lock.unlock();
        ::syslog(priority, "%s", text.c_str());
        lock.lock();
    }
    box.ended = true;
    box.changed.notify_all();
}

} // namespace clearcoat::manager
