#include "flow/timestamps.hpp"

#include "base/text_pieces.hpp"
#include "tables/log_tags.hpp"

namespace clearcoat::flow {

void timestamps::mark(base::log_writer& log, std::string_view event, base::seconds now) noexcept {
    if (first_ < 0) {
        first_ = previous_ = now;
    }
    log.join(log_tag::Timestamp, event, ": ", base::fixed6(now), ' ', base::fixed6(now - first_), ' ',
             base::fixed6(now - previous_));
    previous_ = now;
}

} // namespace clearcoat::flow
