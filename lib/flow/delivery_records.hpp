// What a delivery's log tells of the filters that the body passed: VdpAcct records, and the Gzip record of gunzip. They
// are written also where the filters were set up and no body went through, as in the answer to HEAD.
#pragma once

#include "flow/delivery_plan.hpp"

#include <cstdint>

namespace clearcoat::body {
class gunzip_stage;
class pipeline;
} // namespace clearcoat::body

namespace clearcoat::flow {

struct delivery_tally {
    bool ran = false;                           // a body was sent
    const body::gunzip_stage* gunzip = nullptr; // where it ran
    const body::pipeline* pipeline = nullptr;   // of gunzip and modules' filters, where there is one
    std::uint64_t read = 0;                     // pieces of the body that gunzip got
    std::uint64_t writes = 0;                   // pieces behind all filters
    std::uint64_t written = 0;                  // bytes of them
};

/// The records of the filters in `plan`, first to last.
void write_filter_records(request& r, const delivery_plan& plan, const delivery_tally& tally) noexcept;

} // namespace clearcoat::flow
