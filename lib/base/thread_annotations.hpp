// Mutexes that clang's -Wthread-safety can check, and the attributes that tell it which member a mutex guards. g++ sees
// plain code.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#if defined(__clang__)
#define CLEARCOAT_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define CLEARCOAT_THREAD_ATTRIBUTE(x)
#endif

#define CAPABILITY(name) CLEARCOAT_THREAD_ATTRIBUTE(capability(name))
#define SCOPED_CAPABILITY CLEARCOAT_THREAD_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(mutex) CLEARCOAT_THREAD_ATTRIBUTE(guarded_by(mutex))
#define PT_GUARDED_BY(mutex) CLEARCOAT_THREAD_ATTRIBUTE(pt_guarded_by(mutex))
#define REQUIRES(...) CLEARCOAT_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) CLEARCOAT_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) CLEARCOAT_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) CLEARCOAT_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) CLEARCOAT_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS CLEARCOAT_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace clearcoat::base {

/// std::mutex with the attributes.
class CAPABILITY("mutex") mutex {
  public:
    void lock() ACQUIRE() { impl_.lock(); }
    void unlock() RELEASE() { impl_.unlock(); }
    bool try_lock() TRY_ACQUIRE(true) { return impl_.try_lock(); }

  private:
    std::mutex impl_;
};

/// Four bytes, for objects that exist by the million and whose lock is held for a few instructions.
class CAPABILITY("mutex") small_mutex {
  public:
    void lock() noexcept ACQUIRE() {
        std::uint32_t expected = 0;
        if (!word_.compare_exchange_strong(expected, 1, std::memory_order_acquire)) {
            lock_slow();
        }
    }
    void unlock() noexcept RELEASE() {
        if (word_.exchange(0, std::memory_order_release) == 2) {
            word_.notify_one();
        }
    }

  private:
    void lock_slow() noexcept {
        while (word_.exchange(2, std::memory_order_acquire) != 0) {
            word_.wait(2, std::memory_order_relaxed);
        }
    }
    std::atomic<std::uint32_t> word_{0}; // 0 free, 1 held, 2 held and somebody waits
};

/// Holds `Mutex` for a scope; may be let go and taken again within it.
template<class Mutex = mutex>
class SCOPED_CAPABILITY lock_guard {
  public:
    explicit lock_guard(Mutex& m) ACQUIRE(m) : mutex_(&m) { mutex_->lock(); }
    ~lock_guard() RELEASE() {
        if (held_) {
            mutex_->unlock();
        }
    }
    lock_guard(const lock_guard&) = delete;
    lock_guard& operator=(const lock_guard&) = delete;

    void unlock() RELEASE() {
        held_ = false;
        mutex_->unlock();
    }
    void lock() ACQUIRE() {
        mutex_->lock();
        held_ = true;
    }

  private:
    Mutex* mutex_;
    bool held_ = true;
};

} // namespace clearcoat::base
