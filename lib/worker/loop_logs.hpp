// The logs of a loop's tasks with their buffers, reused. Loop thread only.
#pragma once

#include "base/intrusive_list.hpp"
#include "flow/services.hpp"
#include "shm/log_ring.hpp"
#include "shm/task_log.hpp"

#include <memory>

namespace clearcoat::worker {

class loop_logs final : public flow::log_pool {
  public:
    loop_logs(shm::log_ring& ring, tables::main_counters& delta) noexcept : ring_(ring), delta_(delta) {}
    ~loop_logs() override;

    base::task_log& take(base::vxid_number vxid, base::log_side side) noexcept override;
    void give(base::task_log& log) noexcept override;
    void write_one(base::vxid_number vxid, base::log_side side, log_tag tag, std::string_view text) noexcept override;
    bool tells_levels() const noexcept override { return ring_.width() == shm::record_width::wide; }

  private:
    struct pooled_log final : shm::task_log, base::list_hook<> {
        pooled_log(shm::log_ring& ring, tables::main_counters& delta, std::size_t size)
            : task_log(ring, &delta), words(size), buffer(new std::uint32_t[size]) {
            attach({buffer.get(), words});
        }
        ~pooled_log() override { detach(); }
        std::size_t words;
        std::unique_ptr<std::uint32_t[]> buffer;
    };
    static constexpr std::size_t kept = 64;

    shm::log_ring& ring_;
    tables::main_counters& delta_;
    base::intrusive_list<pooled_log> idle_;
    std::size_t idle_count_ = 0;
};

} // namespace clearcoat::worker
