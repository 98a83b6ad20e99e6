#include "flow/timestamps.hpp"

#include "base/fixed6.hpp"
#include "tables/log_tags.hpp"

namespace clearcoat::flow {

void timestamps::mark(base::log_writer& log, std::string_view event, base::seconds now) noexcept {
    if (first_ < 0) {
        first_ = previous_ = now;
    }
    log.write(log_tag::Timestamp, base::timestamp_text(event, now, now - first_, now - previous_).view());
    previous_ = now;
}

} // namespace clearcoat::flow
