// One way for module functions to do blocking work: a helper thread does it while the task waits, then the call is made
// again and finds the result. Where a task cannot wait (vcl_init, vcl_fini) the work is done at once.
#pragma once

#include "vmod/support/arguments.hpp"
#include "vmod/support/helper_threads.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace clearcoat::vmod {

/// What a task waits for; shared with the helper thread, which may outlive the task.
template<class Result>
struct aside_work {
    std::string key;
    std::mutex mutex;
    std::optional<Result> result; // guarded by mutex
};

template<class Result>
struct aside_slot : vcl::task_private {
    std::shared_ptr<aside_work<Result>> current;
};

/// The result of `work`, or std::nullopt when the call is to be made again. `owner` names the function, `key` the
/// question: a result that was got for another key is dropped. `refused` answers when too much work waits already.
template<class Result, class Work>
std::optional<Result> do_aside(vcl::call& c, helper_lane& lane, const void* owner, std::string key, Work work,
                               Result refused) {
    auto& slot = task_data<aside_slot<Result>>(c, owner);
    if (slot.current != nullptr && slot.current->key == key) {
        std::unique_lock hold(slot.current->mutex);
        if (slot.current->result) {
            std::optional<Result> result = std::move(slot.current->result);
            hold.unlock();
            slot.current = nullptr;
            return result;
        }
    }
    std::shared_ptr<vcl::wakeup> waker = c.suspend();
    if (waker == nullptr) {
        return work();
    }
    auto current = std::make_shared<aside_work<Result>>();
    current->key = std::move(key);
    slot.current = current;
    auto finish = [current, waker](Result result) {
        {
            std::lock_guard hold(current->mutex);
            current->result = std::move(result);
        }
        waker->wake();
    };
    if (!lane.run([work, finish] { finish(work()); })) {
        finish(std::move(refused));
    }
    return std::nullopt;
}

} // namespace clearcoat::vmod
