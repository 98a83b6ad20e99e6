// What an ESI include is as a request, and how its answer becomes part of the page. Decides only; server/esi_include
// performs.
#pragma once

#include "body/esi/program.hpp"
#include "flow/delivery_plan.hpp"
#include "flow/request.hpp"

namespace clearcoat::flow {

/// How a fragment's bytes join the page that includes it.
enum class embedding : std::uint8_t {
    nothing,  // it has no body to show
    straight, // as they are: neither is gzip, or the fragment is an ESI page in the same coding
    stored,   // plain text into a gzip stream
    spliced,  // a whole gzip stream into a gzip stream; the object must be finished first
    refused   // the feature esi_include_onerror does not want this answer
};

/// False when `page` stands at max_esi_depth already: its log has the reason, and the include is left out.
bool may_include(request& page) noexcept;

/// Writes the records that tell of each other in both logs.
void link_include(request& fragment, request& page) noexcept;

/// Makes `fragment`, a fresh request below page.top, the request that `what` asks for: a GET without conditions, range
/// or body. `gzipped`: the page goes out as a gzip stream. Views of `page` and `what` are kept.
void set_up_include(request& fragment, const request& page, const body::esi::instruction& what, bool gzipped) noexcept;

/// For an answer that is about to be delivered as `plan` says.
embedding embedding_of(const request& fragment, const delivery_plan& plan, bool page_gzipped) noexcept;

} // namespace clearcoat::flow
