// A system call that a loop makes together with others of its kind: a turn receives for all that can, then resumes its
// coroutines, then sends for all that want to. Between two calls of one kind the code and data of a request are not
// touched, and between two requests the kernel is not entered: caches, translations and branch histories stay warm,
// which costs less than the calls and the code of one request after the other.
#pragma once

#include "base/intrusive_list.hpp"

namespace clearcoat::net {

struct batch_tag;

class batched_call : public base::list_hook<batch_tag> {
  public:
    virtual ~batched_call() = default;
    /// Makes the call; resumes nobody, but may set signals.
    virtual void make() noexcept = 0;
};

using call_list = base::intrusive_list<batched_call, batch_tag>;

} // namespace clearcoat::net
