// A system call that a loop makes together with others of its kind: a turn receives for all that can, then resumes its
// coroutines, then sends for all that want to. Between two calls of one kind the code and data of a request are not
// touched, and between two requests the kernel is not entered: caches, translations and branch histories stay warm,
// which costs less than the calls and the code of one request after the other. Where there is a call_ring, all of one
// kind take a single entry into the kernel.
#pragma once

#include "base/intrusive_list.hpp"

#include <sys/uio.h>

#include <cstdint>
#include <span>

namespace clearcoat::net {

struct batch_tag;

/// A call that somebody else may make: recv(2) or sendmsg(2) on a non-blocking socket.
struct call_description {
    enum class kind : std::uint8_t {
        none, // nobody but the owner can make it
        receive,
        send
    };
    kind what = kind::none;
    int fd = -1;
    std::span<char> into;      // receive: at least 1 byte
    std::span<::iovec> pieces; // send: at least 1; not changed
};

class batched_call : public base::list_hook<batch_tag> {
  public:
    virtual ~batched_call() = default;
    /// Makes the call, wholly; resumes nobody, but may set signals.
    virtual void make() noexcept = 0;
    /// What to do in its place. made() follows unless it is `none`, in which case make() does.
    virtual call_description describe() noexcept { return {}; }
    /// The described call was made: what it returned, or its errno as a negative number. As make() otherwise.
    virtual void made(int result) noexcept { static_cast<void>(result); }
};

using call_list = base::intrusive_list<batched_call, batch_tag>;

} // namespace clearcoat::net
