#include "net/call_ring.hpp"

#include "base/panic.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <new>
#include <utility>

#include <liburing.h>
#include <sys/socket.h>

namespace clearcoat::net {

namespace {

constexpr unsigned ring_size = 64; // calls of one entry: as many as a turn takes events

} // namespace

struct call_ring::state {
    ~state() {
        if (opened) {
            ::io_uring_queue_exit(&ring);
        }
    }

    ::io_uring ring{};
    bool opened = false;
    unsigned described = 0;
    std::array<batched_call*, ring_size> calls{};
    std::array<::msghdr, ring_size> messages{}; // the kernel reads them while it takes a submission
};

std::unique_ptr<call_ring> call_ring::open() noexcept {
    std::unique_ptr<state> made(new (std::nothrow) state);
    if (!made || ::io_uring_queue_init(ring_size, &made->ring, 0) != 0) {
        return nullptr;
    }
    made->opened = true;
    ::io_uring_probe* can = ::io_uring_get_probe_ring(&made->ring);
    const bool enough = can != nullptr && ::io_uring_opcode_supported(can, IORING_OP_RECV) != 0 &&
                        ::io_uring_opcode_supported(can, IORING_OP_SENDMSG) != 0;
    ::io_uring_free_probe(can);
    return std::unique_ptr<call_ring>(enough ? new (std::nothrow) call_ring(std::move(made)) : nullptr);
}

call_ring::call_ring(std::unique_ptr<state> s) noexcept : state_(std::move(s)) {}

call_ring::~call_ring() = default;

void call_ring::make_all(call_list& calls) noexcept {
    while (batched_call* first = calls.pop_front()) {
        if (calls.empty() || state_ == nullptr) {
            first->make(); // the ring saves nothing for one
            continue;
        }
        calls.push_front(*first);
        describe_some(calls);
        const unsigned count = std::exchange(state_->described, 0);
        const unsigned taken = submit_all(count);
        take_results(taken);
        for (unsigned i = taken; i < count; ++i) {
            state_->calls[i]->make();
        }
        if (taken < count) {
            state_.reset();
        }
    }
}

/// Fills the ring from the front of the list; makes what does not describe itself.
void call_ring::describe_some(call_list& calls) noexcept {
    state& s = *state_;
    while (s.described < ring_size && !calls.empty()) {
        batched_call* call = calls.pop_front();
        const call_description d = call->describe();
        ::io_uring_sqe* entry = d.what == call_description::kind::none ? nullptr : ::io_uring_get_sqe(&s.ring);
        if (entry == nullptr) {
            call->make();
            continue;
        }
        if (d.what == call_description::kind::receive) {
            ::io_uring_prep_recv(entry, d.fd, d.into.data(), d.into.size(), MSG_DONTWAIT);
        } else {
            ::msghdr& message = s.messages[s.described];
            message.msg_iov = d.pieces.data();
            message.msg_iovlen = d.pieces.size();
            ::io_uring_prep_sendmsg(entry, d.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        }
        ::io_uring_sqe_set_data64(entry, s.described);
        s.calls[s.described++] = call;
    }
}

/// How many of `count` calls the kernel took. Fewer only when it refuses to go on.
unsigned call_ring::submit_all(unsigned count) noexcept {
    unsigned taken = 0;
    while (taken < count) {
        const int more = ::io_uring_submit(&state_->ring);
        if (more > 0) {
            taken += static_cast<unsigned>(more);
        } else if (more != -EINTR) {
            break;
        }
    }
    return taken;
}

void call_ring::take_results(unsigned count) noexcept {
    state& s = *state_;
    while (count > 0) {
        ::io_uring_cqe* result = nullptr;
        const int error = ::io_uring_wait_cqe(&s.ring, &result); // no system call when it is there, as it should be
        CLEARCOAT_ASSERT(error == 0 || error == -EINTR);
        if (error != 0) {
            continue;
        }
        batched_call* call = s.calls[::io_uring_cqe_get_data64(result)];
        const int value = result->res;
        ::io_uring_cqe_seen(&s.ring, result);
        call->made(value);
        --count;
    }
}

} // namespace clearcoat::net
