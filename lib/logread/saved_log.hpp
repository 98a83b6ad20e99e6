// Reads the files that `varnishlog -w` writes: the bytes "VSL" and a NUL, then records as they lie in the ring. A
// regular file is mapped, anything else is read as it comes. What is in it is not trusted: a record that its file does
// not hold whole ends the reading with an error. One thread.
#pragma once

#include "logread/source.hpp"
#include "sys/fd.hpp"
#include "sys/memory.hpp"

#include <memory>
#include <string>

namespace clearcoat::logread {

inline constexpr std::string_view saved_log_mark{"VSL\0", 4};

/// A whole file in memory, the mark included, 4-byte aligned.
class saved_log_memory : public record_source {
  public:
    /// `bytes` outlives the source and begins with the mark.
    explicit saved_log_memory(std::span<const std::byte> bytes) noexcept;

    source_status next(record_run& run) override;

  private:
    std::span<const std::uint32_t> words_;
    bool odd_end_; // bytes behind the last whole word
    std::size_t at_ = 0;
};

/// Opens `path`, or standard input for "-". nullptr with the reference's message in `error` when it cannot be read or
/// is no such file.
std::unique_ptr<record_source> open_saved_log(const std::string& path, std::string& error);

} // namespace clearcoat::logread
