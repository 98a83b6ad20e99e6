// The log of one task: records are collected in a borrowed buffer and go to the ring as one batch, at the end of the
// transaction or when the buffer is full. Owned by one task on one loop; nothing here locks or allocates.
#pragma once

#include "base/log.hpp"
#include "shm/record_layout.hpp"
#include "tables/log_tags.hpp"

#include <cstdint>
#include <span>

namespace clearcoat::tables {
class param_block;
struct main_counters;
} // namespace clearcoat::tables

namespace clearcoat::shm {

class log_ring;

class task_log : public base::task_log {
  public:
    /// Without a buffer nothing may be written; attach() lends one. `delta` is the loop's own counters, for the shm_*
    /// ones; nullptr counts in the shared ones.
    explicit task_log(log_ring& ring, tables::main_counters* delta = nullptr) noexcept;
    task_log(log_ring& ring, base::vxid_number vxid, vxid_kind kind, std::span<std::uint32_t> buffer,
             tables::main_counters* delta = nullptr) noexcept;
    task_log(const task_log&) = delete;
    task_log& operator=(const task_log&) = delete;
    ~task_log() override { flush(); }

    /// Lends a buffer: parameter vsl_buffer bytes, at least 64.
    void attach(std::span<std::uint32_t> buffer) noexcept;
    /// Flushes and gives the buffer back.
    std::span<std::uint32_t> detach() noexcept;
    bool attached() const noexcept { return !buffer_.empty(); }

    /// Flushes, and goes on as another transaction. vsl_reclen and debug=+syncvsl are looked at here.
    void reset(base::vxid_number vxid, vxid_kind kind) noexcept;
    void reset(base::vxid_number vxid, base::log_side side) noexcept override {
        reset(vxid, side == base::log_side::client ? vxid_kind::client : vxid_kind::backend);
    }
    base::vxid_number vxid() const noexcept override { return vxid_; }

    bool wants(log_tag tag) const noexcept override;
    void write(log_tag tag, std::string_view text) noexcept override;
    std::span<char> begin(log_tag tag) noexcept override;
    void end(std::size_t size) noexcept override;
    void flush() noexcept override;

    /// A record of bytes, without a NUL behind (the H2 frame tags).
    void write_binary(log_tag tag, std::span<const std::byte> bytes) noexcept;

  private:
    void look_at_parameters() noexcept;
    char* make_room(std::uint32_t bytes) noexcept;
    void finish(log_tag tag, std::uint32_t bytes) noexcept;
    void flush_as(bool overflow) noexcept;

    log_ring& ring_;
    const tables::param_block& params_;
    tables::main_counters* delta_;
    std::span<std::uint32_t> buffer_;
    base::vxid_number vxid_ = 0;
    std::uint32_t used_ = 0; // words
    std::uint32_t records_ = 0;
    std::uint32_t id_ = 0;      // the second word of each record
    std::uint32_t largest_ = 0; // bytes of a record's text with its NUL
    bool flush_each_ = false;
    log_tag open_ = log_tag::bogus; // between begin() and end()
};

} // namespace clearcoat::shm
