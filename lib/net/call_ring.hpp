// Makes a list of system calls by one entry into the kernel, with io_uring. Only the entry is shared: calls never wait
// there, and all of them have ended when make_all() returns, so readiness stays with epoll and nothing outlives a turn.
// Many systems forbid io_uring; then there is no ring, and calls are made one by one.
#pragma once

#include "net/batched_call.hpp"

#include <memory>

namespace clearcoat::net {

class call_ring {
  public:
    /// nullptr where the kernel cannot or may not do it.
    static std::unique_ptr<call_ring> open() noexcept;
    ~call_ring();
    call_ring(const call_ring&) = delete;
    call_ring& operator=(const call_ring&) = delete;

    /// Makes all of `calls` and empties the list.
    void make_all(call_list& calls) noexcept;

  private:
    struct state;
    explicit call_ring(std::unique_ptr<state> s) noexcept;

    void describe_some(call_list& calls) noexcept;
    unsigned submit_all(unsigned count) noexcept;
    void take_results(unsigned count) noexcept;

    std::unique_ptr<state> state_; // nullptr once the kernel has refused a submission
};

} // namespace clearcoat::net
