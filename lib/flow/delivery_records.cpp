#include "flow/delivery_records.hpp"

#include "body/gunzip_stage.hpp"
#include "body/pipeline.hpp"
#include "flow/request.hpp"
#include "tables/log_tags.hpp"

namespace clearcoat::flow {
namespace {

void write_gunzip(request& r, const delivery_plan& plan, const delivery_tally& tally) noexcept {
    const bool ran = tally.ran && tally.gunzip != nullptr;
    const std::uint64_t in = ran ? tally.gunzip->total_in() : 0;
    const std::uint64_t out = ran ? tally.gunzip->total_out() : 0;
    // A range takes what it wants of the last piece, and that alone counts.
    const std::uint64_t taken = plan.ranged && plan.modules.empty() ? tally.written : out;
    r.log.join(log_tag::VdpAcct, "gunzip ", ran ? tally.read : 0, ' ', ran ? taken : 0);
    char text[140];
    const body::gzip_bits bits = ran ? tally.gunzip->bits() : body::gzip_bits();
    r.log.write(log_tag::Gzip, body::write_gzip_record("U D -", in, out, bits, text));
}

} // namespace

void write_filter_records(request& r, const delivery_plan& plan, const delivery_tally& tally) noexcept {
    if (plan.esi) {
        // The page's program is followed once, and what goes out is the object's own and the includes': esi makes
        // nothing.
        r.log.join(log_tag::VdpAcct, "esi ", tally.ran ? '1' : '0', " 0");
    }
    std::size_t place = 0; // in the pipeline
    if (plan.gunzip) {
        write_gunzip(r, plan, tally);
        ++place;
    }
    for (const auto& filter : plan.modules) {
        const auto count = tally.pipeline != nullptr ? tally.pipeline->tally_of(place) : body::pipeline::tally();
        r.log.join(log_tag::VdpAcct, filter->name(), ' ', count.calls, ' ', count.made);
        ++place;
    }
    if (plan.ranged) {
        r.log.join(log_tag::VdpAcct, "range ", tally.writes, ' ', tally.written);
    }
}

} // namespace clearcoat::flow
