#include "flow/timestamps.hpp"

#include "tables/log_tags.hpp"

namespace clearcoat::flow {

void timestamps::mark(base::log_writer& log, std::string_view event, base::seconds now) noexcept {
    if (first_ < 0) {
        first_ = previous_ = now;
    }
    log.print(log_tag::Timestamp, "{}: {:.6f} {:.6f} {:.6f}", event, now, now - first_, now - previous_);
    previous_ = now;
}

} // namespace clearcoat::flow
