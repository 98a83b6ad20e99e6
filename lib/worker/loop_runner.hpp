// One event loop with its thread and everything its tasks use: logs, numbers, counters, the active VCL, listeners. The
// control thread makes, starts and stops it; the rest happens on its own thread.
#pragma once

#include "flow/services.hpp"
#include "net/acceptor.hpp"
#include "net/loop.hpp"
#include "server/listener.hpp"
#include "server/loop_context.hpp"
#include "worker/loop_logs.hpp"
#include "worker/shared_state.hpp"
#include "worker/vcl_slots.hpp"
#include "worker/vxids.hpp"

#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace clearcoat::worker {

class loop_runner {
  public:
    loop_runner(unsigned index, shared_state& shared, vcl_slots& vcls);
    ~loop_runner();
    loop_runner(const loop_runner&) = delete;
    loop_runner& operator=(const loop_runner&) = delete;

    net::loop& loop() noexcept { return loop_; }
    /// Accepts on `fd` from the loop's start on. Before start().
    void add_listener(const clearcoat::server::listener& from, int fd);
    void start();
    /// Begins to end: accepts no more, shuts connections. wait() follows.
    void begin_stop() noexcept { loop_.post(stop_mail_); }
    /// False when tasks are left that did not end in time.
    bool wait();
    /// After wait(), before any loop is destroyed: gives back what still waits on this one.
    void end() noexcept { loop_.end(); }

  private:
    /// Brings stop_serving() to the loop's thread; posted once.
    class stop_mail final : public net::mail {
      public:
        explicit stop_mail(loop_runner& owner) noexcept : owner_(owner) {}

      private:
        void delivered() noexcept override { owner_.stop_serving(); }
        loop_runner& owner_;
    };
    class listening;
    class loop_vxids final : public flow::vxid_source {
      public:
        explicit loop_vxids(vxid_supply& supply) noexcept : cache_(supply) {}
        base::vxid_number next_vxid() noexcept override { return cache_.next(); }

      private:
        vxid_cache cache_;
    };

    net::loop_options options();
    void run();
    void stop_serving();
    net::task<> drain();
    void merge();
    void show_memory() noexcept;

    shared_state& shared_;
    tables::main_counters delta_;
    net::loop loop_;
    loop_logs logs_;
    loop_vxids vxids_;
    loop_vcl vcls_;
    clearcoat::server::slot_pool session_memory_;
    clearcoat::server::slot_pool request_memory_;
    shm::counter_segment<tables::mempool_counters> session_memory_shown_;
    shm::counter_segment<tables::mempool_counters> request_memory_shown_;
    flow::services services_;
    clearcoat::server::loop_context context_;
    std::vector<std::unique_ptr<listening>> listeners_;
    stop_mail stop_mail_;
    std::thread thread_;
};

} // namespace clearcoat::worker
