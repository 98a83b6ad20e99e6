#include "shm/task_log.hpp"

#include "base/panic.hpp"
#include "shm/log_ring.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace clearcoat::shm {
namespace {

constexpr std::uint32_t least_record = 16; // bytes; what vsl_reclen is at least
constexpr std::size_t least_buffer = 64;   // bytes

} // namespace

void task_log::attach(std::span<std::uint32_t> buffer) noexcept {
    flush();
    CLEARCOAT_ASSERT(buffer.size_bytes() >= least_buffer);
    buffer_ = buffer.first(std::min(buffer.size(), ring_.largest_batch()));
}

std::span<std::uint32_t> task_log::detach() noexcept {
    flush();
    return std::exchange(buffer_, {});
}

void task_log::reset(base::vxid_number vxid, vxid_kind kind) noexcept {
    flush();
    id_ = layout::id_word(vxid, kind);
}

std::uint32_t task_log::largest_record() const noexcept {
    // The buffer may have been lent before vsl_reclen was raised.
    std::uint32_t room = static_cast<std::uint32_t>(buffer_.size() - layout::overhead) * sizeof(std::uint32_t);
    return std::min(std::max(ring_.params().vsl_reclen(), least_record), room);
}

char* task_log::make_room(std::uint32_t bytes) noexcept {
    if (used_ + layout::record_words(bytes) > buffer_.size()) {
        flush_as(true);
    }
    return reinterpret_cast<char*>(buffer_.data() + used_ + layout::overhead);
}

void task_log::finish(log_tag tag, std::uint32_t bytes) noexcept {
    buffer_[used_] = layout::header(tag, bytes);
    buffer_[used_ + 1] = id_;
    used_ += layout::record_words(bytes);
    ++records_;
    if (ring_.params().debug(tables::debug::syncvsl)) {
        flush();
    }
}

void task_log::write(log_tag tag, std::string_view text) noexcept {
    if (ring_.params().masked(tag)) {
        return;
    }
    std::uint32_t most = largest_record() - 1;
    std::uint32_t size = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), most));
    char* to = make_room(size + 1);
    std::memcpy(to, text.data(), size);
    to[size] = '\0';
    finish(tag, size + 1);
}

void task_log::write_binary(log_tag tag, std::span<const std::byte> bytes) noexcept {
    if (ring_.params().masked(tag)) {
        return;
    }
    std::uint32_t most = largest_record();
    std::uint32_t size = static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), most));
    std::memcpy(make_room(size), bytes.data(), size);
    finish(tag, size);
}

std::span<char> task_log::begin(log_tag tag) noexcept {
    if (ring_.params().masked(tag)) {
        return {};
    }
    std::uint32_t room = largest_record();
    char* to = make_room(room);
    open_ = tag;
    return {to, room - 1};
}

void task_log::end(std::size_t size) noexcept {
    char* text = reinterpret_cast<char*>(buffer_.data() + used_ + layout::overhead);
    text[size] = '\0';
    finish(open_, static_cast<std::uint32_t>(size) + 1);
}

void task_log::flush() noexcept {
    flush_as(false);
}

void task_log::flush_as(bool overflow) noexcept {
    if (used_ == 0) {
        return;
    }
    write_tally tally = ring_.write_batch(buffer_.first(used_));
    if (delta_ != nullptr) {
        delta_->shm_records += records_;
        delta_->shm_writes += 1;
        delta_->shm_flushes += overflow ? 1 : 0;
        delta_->shm_cont += tally.contention;
        delta_->shm_cycles += tally.cycles;
    } else {
        tables::main_counters& shared = ring_.counters();
        tables::bump(shared.shm_records, records_);
        tables::bump(shared.shm_writes);
        tables::bump(shared.shm_flushes, overflow ? 1 : 0);
        tables::bump(shared.shm_cont, tally.contention);
        tables::bump(shared.shm_cycles, tally.cycles);
    }
    used_ = 0;
    records_ = 0;
}

} // namespace clearcoat::shm
