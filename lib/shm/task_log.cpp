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

/// As memcpy(), without a call for the short texts that most records have.
void copy_text(char* to, const char* from, std::size_t size) noexcept {
    if (size > 32) {
        std::memcpy(to, from, size);
    } else if (size >= 16) {
        std::memcpy(to, from, 16);
        std::memcpy(to + size - 16, from + size - 16, 16);
    } else if (size >= 8) {
        std::memcpy(to, from, 8);
        std::memcpy(to + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
        std::memcpy(to, from, 4);
        std::memcpy(to + size - 4, from + size - 4, 4);
    } else {
        for (std::size_t i = 0; i < size; ++i) {
            to[i] = from[i];
        }
    }
}

} // namespace

task_log::task_log(log_ring& ring, tables::main_counters* delta) noexcept
    : ring_(ring), params_(ring.params()), delta_(delta) {}

task_log::task_log(log_ring& ring, base::vxid_number vxid, vxid_kind kind, std::span<std::uint32_t> buffer,
                   tables::main_counters* delta) noexcept
    : ring_(ring), params_(ring.params()), delta_(delta), vxid_(vxid), id_(layout::id_word(vxid, kind)) {
    attach(buffer);
}

void task_log::attach(std::span<std::uint32_t> buffer) noexcept {
    flush();
    CLEARCOAT_ASSERT(buffer.size_bytes() >= least_buffer);
    buffer_ = buffer.first(std::min(buffer.size(), ring_.largest_batch()));
    look_at_parameters();
}

std::span<std::uint32_t> task_log::detach() noexcept {
    flush();
    return std::exchange(buffer_, {});
}

void task_log::reset(base::vxid_number vxid, vxid_kind kind) noexcept {
    flush();
    vxid_ = vxid;
    id_ = layout::id_word(vxid, kind);
    look_at_parameters();
}

void task_log::look_at_parameters() noexcept {
    // The buffer may have been lent before vsl_reclen was raised.
    std::uint32_t room = static_cast<std::uint32_t>(buffer_.size() - layout::overhead) * sizeof(std::uint32_t);
    largest_ = std::min(std::max(params_.vsl_reclen(), least_record), room);
    flush_each_ = params_.debug(tables::debug::syncvsl);
}

inline char* task_log::make_room(std::uint32_t bytes) noexcept {
    if (used_ + layout::record_words(bytes) > buffer_.size()) {
        flush_as(true);
    }
    return reinterpret_cast<char*>(buffer_.data() + used_ + layout::overhead);
}

inline void task_log::finish(log_tag tag, std::uint32_t bytes) noexcept {
    buffer_[used_] = layout::header(tag, bytes);
    buffer_[used_ + 1] = id_;
    used_ += layout::record_words(bytes);
    ++records_;
    if (flush_each_) {
        flush();
    }
}

bool task_log::wants(log_tag tag) const noexcept {
    return !params_.masked(tag);
}

void task_log::write(log_tag tag, std::string_view text) noexcept {
    if (params_.masked(tag)) {
        return;
    }
    std::uint32_t size = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), largest_ - 1));
    char* to = make_room(size + 1);
    copy_text(to, text.data(), size);
    to[size] = '\0';
    finish(tag, size + 1);
}

void task_log::write_binary(log_tag tag, std::span<const std::byte> bytes) noexcept {
    if (params_.masked(tag)) {
        return;
    }
    std::uint32_t size = static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), largest_));
    std::memcpy(make_room(size), bytes.data(), size);
    finish(tag, size);
}

std::span<char> task_log::begin(log_tag tag) noexcept {
    if (params_.masked(tag)) {
        return {};
    }
    char* to = make_room(largest_);
    open_ = tag;
    return {to, largest_ - 1};
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
    write_tally tally = ring_.write_batch(buffer_.first(used_), vxid_);
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
