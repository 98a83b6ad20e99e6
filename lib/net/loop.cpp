#include "net/loop.hpp"

#include "base/panic.hpp"
#include "tables/counters.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace clearcoat::net {

namespace {

thread_local loop* running_loop = nullptr;

constexpr int event_batch = 128;
constexpr int resume_batch = 1024; // waiters a turn resumes before it lets other handlers run
constexpr base::seconds merge_interval = 0.050;

} // namespace

/// The loop's epoll set, seen by Asio as one descriptor, and the bell other threads ring.
struct loop::epoll_hub final : descriptor_watcher {
    explicit epoll_hub(asio::io_context& context)
        : set(::epoll_create1(EPOLL_CLOEXEC)), bell(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          in_asio(std::in_place, context), timer(std::in_place, context) {
        CLEARCOAT_ASSERT(set >= 0 && bell >= 0);
        in_asio->assign(set);
    }
    ~epoll_hub() override {
        ::close(bell);
        ::close(set);
    }
    /// Before the context goes. Descriptors may still be unwatched afterwards.
    void leave_asio() noexcept {
        in_asio->release();
        in_asio.reset();
        timer.reset();
    }

    // Edge-triggered, so the bell is never read: each write is an event of its own.
    void on_events(std::uint32_t) noexcept override {}
    void ring() noexcept {
        const std::uint64_t one = 1;
        [[maybe_unused]] ssize_t written = ::write(bell, &one, sizeof one);
    }

    int set;
    int bell;
    std::optional<asio::posix::stream_descriptor> in_asio; // `set`
    std::optional<asio::steady_timer> timer;
    base::seconds timer_at = no_deadline;
    int event_count = 0;
    epoll_event events[event_batch];
};

/// Merges the loop's counters some time after work was done.
class loop::merge_timer final : public timer_entry {
  public:
    explicit merge_timer(loop& owner) noexcept : loop_(owner) {}

  private:
    void expired() noexcept override { loop_.merge_(); }
    loop& loop_;
};

loop::loop(unsigned index, loop_options options)
    : index_(index), context_(std::in_place, 1), work_(context_->get_executor()),
      now_(base::system_clock().monotonic()), real_(base::system_clock().real()), wheel_(now_),
      chunks_(options.arena_chunk_size, options.arena_chunks_kept), buffers_(options.buffer_size, options.buffers_kept),
      counters_(options.counters), merge_(std::move(options.merge_counters)), sessions_(*this),
      hub_(std::make_unique<epoll_hub>(*context_)), merge_timer_(std::make_unique<merge_timer>(*this)) {
    watch(hub_->bell, *hub_, EPOLLIN | EPOLLET);
}

loop::~loop() {
    ended_ = true;
    abandon_all();
    hub_->leave_asio();
    work_.reset();
    context_.reset(); // unwinds what was abandoned
}

// A waiter's frame owns the signal it waits for, which owns the waiter's handler: only the loop can break the circle.
void loop::abandon_all() noexcept {
    const auto next = [this]() -> timer_entry* {
        for (signal_list* list : {&resumable_, &endless_}) {
            if (timer_entry* entry = list->pop_front()) {
                return entry;
            }
        }
        return wheel_.take_any();
    };
    while (timer_entry* entry = next()) {
        entry->abandoned();
    }
    mail* letter = mail_.take_all();
    while (letter != nullptr) {
        std::exchange(letter, letter->next_)->dropped();
    }
}

loop* loop::current() noexcept {
    return running_loop;
}

void loop::run() {
    CLEARCOAT_ASSERT(running_loop == nullptr);
    running_loop = this;
    refresh_clock();
    await_descriptors();
    kick(); // for what was posted, armed or set before
    context_->run();
    if (merge_) {
        merge_();
    }
    running_loop = nullptr;
}

void loop::stop() noexcept {
    context_->stop();
}

void loop::refresh_clock() noexcept {
    now_ = base::system_clock().monotonic();
    real_ = base::system_clock().real();
}

void loop::post(mail& letter) noexcept {
    const bool first = mail_.push(letter);
    if (!first) {
        return;
    }
    if (running_loop == this) {
        kick();
    } else {
        hub_->ring();
    }
}

void loop::spawn(task<> root) {
    struct completion {
        void operator()(std::exception_ptr error) const noexcept {
            if (error) {
                try {
                    std::rethrow_exception(error);
                } catch (const std::exception& e) {
                    base::panic(__FILE__, __LINE__, "spawn", e.what());
                } catch (...) {
                    base::panic(__FILE__, __LINE__, "spawn", "an exception left a coroutine");
                }
            }
        }
    };
    asio::co_spawn(context_->get_executor(), std::move(root), completion());
    expect_merge(); // what it counts before its first wait is outside of any turn
}

// Waiting for the nested set's readiness is the one operation Asio sees. It asks the kernel anew each time, so an event
// that came while a turn ran is not lost.
void loop::await_descriptors() noexcept {
    hub_->in_asio->async_wait(asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code error) {
        if (!error) {
            turn(true);
            await_descriptors();
        }
    });
}

void loop::kick() noexcept {
    if (in_turn_ || kicked_ || ended_) {
        return;
    }
    kicked_ = true;
    asio::post(*context_, [this] {
        kicked_ = false;
        turn(false);
    });
}

void loop::expect_merge() noexcept {
    if (merge_ && !merge_timer_->armed()) {
        arm(*merge_timer_, now_ + merge_interval);
    }
}

void loop::collect_events() noexcept {
    hub_->event_count = ::epoll_wait(hub_->set, hub_->events, event_batch, 0);
    for (int i = 0; i < hub_->event_count; ++i) {
        const epoll_event& event = hub_->events[i];
        static_cast<descriptor_watcher*>(event.data.ptr)->on_events(event.events);
    }
}

void loop::turn(bool from_descriptors) noexcept {
    in_turn_ = true;
    refresh_clock();
    if (from_descriptors) {
        collect_events();
    }
    wheel_.advance(now_);
    deliver_mail();
    const bool worked = resume_waiters() || from_descriptors;
    if (worked) {
        expect_merge();
    }
    in_turn_ = false;
    set_timer();
    if (!resumable_.empty() || !mail_.empty()) {
        kick();
    }
}

void loop::deliver_mail() noexcept {
    if (mail_.empty()) {
        return;
    }
    mail* letter = mail_.take_all();
    while (letter != nullptr) {
        mail* next = std::exchange(letter->next_, nullptr);
        letter->delivered();
        letter = next;
    }
}

bool loop::resume_waiters() noexcept {
    int resumed = 0;
    while (resumed < resume_batch && !resumable_.empty()) {
        timer_entry* front = resumable_.pop_front();
        static_cast<signal*>(front)->resume();
        ++resumed;
        if (!mail_.empty()) {
            deliver_mail();
        }
    }
    return resumed > 0;
}

void loop::resume_later(signal& s) noexcept {
    resumable_.push_back(s);
    kick();
}

void loop::wait_without_deadline(signal& s) noexcept {
    endless_.push_back(s);
}

void loop::arm(timer_entry& entry, base::seconds deadline) noexcept {
    wheel_.arm(entry, deadline);
    if (!in_turn_ && !ended_) {
        set_timer();
    }
}

void loop::set_timer() noexcept {
    const base::seconds next = wheel_.next();
    if (next >= hub_->timer_at) {
        return;
    }
    hub_->timer_at = next;
    const auto wait = std::chrono::duration<double>(std::max(0.0, next - base::system_clock().monotonic()));
    hub_->timer->expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(wait));
    hub_->timer->async_wait([this](boost::system::error_code error) {
        if (!error) {
            hub_->timer_at = no_deadline;
            turn(false);
        }
    });
}

int loop::watch(int fd, descriptor_watcher& watcher, std::uint32_t epoll_events) noexcept {
    epoll_event event{};
    event.events = epoll_events;
    event.data.ptr = &watcher;
    return ::epoll_ctl(hub_->set, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

int loop::rewatch(int fd, descriptor_watcher& watcher, std::uint32_t epoll_events) noexcept {
    epoll_event event{};
    event.events = epoll_events;
    event.data.ptr = &watcher;
    return ::epoll_ctl(hub_->set, EPOLL_CTL_MOD, fd, &event) == 0 ? 0 : errno;
}

void loop::unwatch(int fd) noexcept {
    epoll_event event{};
    ::epoll_ctl(hub_->set, EPOLL_CTL_DEL, fd, &event);
}

} // namespace clearcoat::net
