#include "worker/loop_logs.hpp"

#include "tables/param_block.hpp"

namespace clearcoat::worker {

loop_logs::~loop_logs() {
    while (pooled_log* log = idle_.pop_front()) {
        delete log;
    }
}

base::task_log& loop_logs::take(base::vxid_number vxid, base::log_side side) noexcept {
    const std::size_t words = ring_.params().vsl_buffer() / sizeof(std::uint32_t);
    pooled_log* log = idle_.pop_front();
    if (log != nullptr) {
        --idle_count_;
    }
    if (log != nullptr && log->words != words) {
        // vsl_buffer was changed since.
        delete log;
        log = nullptr;
    }
    if (log == nullptr) {
        log = new pooled_log(ring_, delta_, words);
    }
    log->reset(vxid, side);
    return *log;
}

void loop_logs::give(base::task_log& log) noexcept {
    auto& mine = static_cast<pooled_log&>(log);
    mine.flush();
    if (idle_count_ >= kept) {
        delete &mine;
        return;
    }
    idle_.push_front(mine);
    ++idle_count_;
}

void loop_logs::write_one(base::vxid_number vxid, base::log_side side, log_tag tag, std::string_view text) noexcept {
    const shm::vxid_kind kind = side == base::log_side::client ? shm::vxid_kind::client : shm::vxid_kind::backend;
    ring_.write_one(vxid, kind, tag, text, delta_);
}

} // namespace clearcoat::worker
