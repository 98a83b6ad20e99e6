// Where records come from: a live ring or a saved file.
#pragma once

#include "logread/assembler.hpp"

namespace clearcoat::logread {

enum class source_status : std::uint8_t {
    more,      // `run` holds records
    idle,      // nothing new now
    eof,       // nothing more will come
    abandoned, // the writer is gone
    overrun,   // the writer was faster than we
    io_error
};

class record_source {
  public:
    virtual ~record_source() = default;

    /// The next records; they are valid until the next call, or longer where the run says `stable`.
    virtual source_status next(record_run& run) = 0;
    virtual shm::record_width width() const noexcept = 0;
};

} // namespace clearcoat::logread
