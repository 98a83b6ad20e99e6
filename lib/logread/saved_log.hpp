// Reads the files that `varnishlog -w` writes: a mark, "VSL" and a NUL or "VSL2", then records as they lie in the ring.
// A regular file is mapped, anything else is read as it comes. What is in it is not trusted: a record that its file
// does not hold whole ends the reading with an error. One thread.
#pragma once

#include "logread/source.hpp"
#include "sys/fd.hpp"
#include "sys/memory.hpp"

#include <memory>
#include <optional>
#include <string>

namespace clearcoat::logread {

inline constexpr std::size_t saved_log_mark_size = 4;
/// Which layout the records behind a mark have; empty when it is none.
std::optional<shm::record_width> width_of_mark(std::string_view mark) noexcept;

/// A whole file in memory, the mark included, 4-byte aligned.
class saved_log_memory : public record_source {
  public:
    /// `bytes` outlives the source and begins with the mark.
    explicit saved_log_memory(std::span<const std::byte> bytes) noexcept;

    source_status next(record_run& run) override;
    shm::record_width width() const noexcept override { return width_; }

  private:
    shm::record_width width_;
    std::span<const std::uint32_t> words_;
    bool odd_end_; // bytes behind the last whole word
    std::size_t at_ = 0;
};

/// Opens `path`, or standard input for "-". nullptr with the reference's message in `error` when it cannot be read or
/// is no such file.
std::unique_ptr<record_source> open_saved_log(const std::string& path, std::string& error);

} // namespace clearcoat::logread
