#include "net/loop.hpp"

#include "base/panic.hpp"
#include "tables/counters.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <utility>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace clearcoat::net {

namespace {

thread_local loop* running_loop = nullptr;

constexpr int event_batch = 64;    // what is in flight at once should fit a core's second cache
constexpr int resume_batch = 1024; // waiters a turn resumes before it lets other handlers run
constexpr base::seconds merge_interval = 0.050;
constexpr double longest_wait = 60000; // milliseconds

} // namespace

/// What other threads ring to end a wait. Edge-triggered, so it is never read: each write is an event of its own.
struct loop::bell final : descriptor_watcher {
    bell() : fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) { CLEARCOAT_ASSERT(fd >= 0); }
    ~bell() override { ::close(fd); }

    void on_events(std::uint32_t) noexcept override {}
    void ring() noexcept {
        const std::uint64_t one = 1;
        [[maybe_unused]] ssize_t written = ::write(fd, &one, sizeof one);
    }

    int fd;
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
    : index_(index), epoll_(::epoll_create1(EPOLL_CLOEXEC)), context_(std::in_place, 1),
      work_(context_->get_executor()), now_(base::system_clock().monotonic()), real_(base::system_clock().real()),
      wheel_(now_), ring_(options.use_io_uring ? call_ring::open() : nullptr),
      chunks_(options.arena_chunk_size, options.arena_chunks_kept), buffers_(options.buffer_size, options.buffers_kept),
      counters_(options.counters), merge_(std::move(options.merge_counters)), sessions_(*this),
      bell_(std::make_unique<bell>()), merge_timer_(std::make_unique<merge_timer>(*this)) {
    CLEARCOAT_ASSERT(epoll_);
    watch(bell_->fd, *bell_, EPOLLIN | EPOLLET);
}

loop::~loop() {
    end();
    drop_mail(); // what came since
}

void loop::end() noexcept {
    if (!context_) {
        return;
    }
    abandon_waiters();
    drop_mail();
    work_.reset();
    context_.reset(); // unwinds what was abandoned
}

// A waiter's frame owns the signal it waits for, which owns the waiter's handler: only the loop can break the circle.
void loop::abandon_waiters() noexcept {
    const auto next = [this]() -> timer_entry* {
        for (signal_list* list : {&resumable_, &yielded_, &endless_}) {
            if (timer_entry* entry = list->pop_front()) {
                return entry;
            }
        }
        return wheel_.take_any();
    };
    while (timer_entry* entry = next()) {
        entry->abandoned();
    }
}

void loop::drop_mail() noexcept {
    mail* letter = mail_.take_all();
    while (letter != nullptr) {
        std::exchange(letter, letter->next_)->dropped();
    }
}

loop* loop::current() noexcept {
    return running_loop;
}

void loop::begin_running() noexcept {
    CLEARCOAT_ASSERT(running_loop == nullptr);
    running_loop = this;
    refresh_clock();
}

void loop::run_ready() {
    begin_running();
    asio::post(*context_, [this] { ready_turn(); });
    context_->poll();
    running_loop = nullptr;
}

void loop::ready_turn() noexcept {
    spawned_ = false;
    if (turn(0) || must_not_wait()) {
        asio::post(*context_, [this] { ready_turn(); });
    }
}

void loop::run() {
    begin_running();
    asio::post(*context_, [this] { go_on(); });
    context_->run();
    if (merge_) {
        merge_();
    }
    running_loop = nullptr;
}

void loop::go_on() noexcept {
    turn(std::exchange(spawned_, false) || must_not_wait() ? 0 : wait_time());
    if (stopping_.load(std::memory_order_acquire)) {
        context_->stop();
    } else {
        asio::post(*context_, [this] { go_on(); });
    }
}

void loop::stop() noexcept {
    stopping_.store(true, std::memory_order_release);
    if (running_loop != this) {
        bell_->ring();
    }
}

void loop::refresh_clock() noexcept {
    now_ = base::system_clock().monotonic();
    real_ = base::system_clock().real();
}

void loop::post(mail& letter) noexcept {
    const bool first = mail_.push(letter);
    if (first && running_loop != this) {
        bell_->ring();
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
    spawned_ = true;
    expect_merge(); // what it counts before its first wait is outside of any turn
}

void loop::expect_merge() noexcept {
    if (merge_ && !merge_timer_->armed()) {
        arm(*merge_timer_, now_ + merge_interval);
    }
}

int loop::wait_time() const noexcept {
    const base::seconds next = wheel_.next();
    if (next == no_deadline) {
        return -1;
    }
    const base::seconds left = next - base::system_clock().monotonic();
    return left > 0 ? static_cast<int>(std::min(std::ceil(left * 1000), longest_wait)) : 0;
}

int loop::collect_events(int wait_milliseconds) noexcept {
    epoll_event events[event_batch];
    const int count = std::max(::epoll_wait(epoll_.get(), events, event_batch, wait_milliseconds), 0);
    refresh_clock();
    for (int i = 0; i < count; ++i) {
        static_cast<descriptor_watcher*>(events[i].data.ptr)->on_events(events[i].events);
    }
    return count;
}

/// True when there was something to do.
bool loop::turn(int wait_milliseconds) noexcept {
    const bool events = collect_events(wait_milliseconds) > 0;
    make_all(receives_);
    wheel_.advance(now_);
    deliver_mail();
    while (timer_entry* entry = yielded_.pop_front()) {
        resumable_.push_back(*entry);
    }
    const bool worked = resume_and_send() || events;
    if (worked) {
        expect_merge();
    }
    return worked;
}

void loop::make_all(call_list& calls) noexcept {
    if (ring_ != nullptr) {
        ring_->make_all(calls);
        return;
    }
    while (batched_call* call = calls.pop_front()) {
        call->make();
    }
}

/// True when anybody was resumed.
bool loop::resume_and_send() noexcept {
    bool resumed = resume_waiters();
    while (!sends_.empty()) {
        make_all(sends_);
        resumed = resume_waiters() || resumed;
    }
    return resumed;
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
}

void loop::resume_next_turn(signal& s) noexcept {
    yielded_.push_back(s);
}

void loop::wait_without_deadline(signal& s) noexcept {
    endless_.push_back(s);
}

int loop::watch(int fd, descriptor_watcher& watcher, std::uint32_t epoll_events) noexcept {
    epoll_event event{};
    event.events = epoll_events;
    event.data.ptr = &watcher;
    return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

int loop::rewatch(int fd, descriptor_watcher& watcher, std::uint32_t epoll_events) noexcept {
    epoll_event event{};
    event.events = epoll_events;
    event.data.ptr = &watcher;
    return ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event) == 0 ? 0 : errno;
}

void loop::unwatch(int fd) noexcept {
    epoll_event event{};
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, &event);
}

} // namespace clearcoat::net
