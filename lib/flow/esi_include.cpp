#include "flow/esi_include.hpp"

#include "base/ascii.hpp"
#include "tables/bits.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

namespace clearcoat::flow {

bool may_include(request& page) noexcept {
    const unsigned limit = page.svc.params.max_esi_depth();
    if (page.esi_level < limit) {
        return true;
    }
    page.log.print(log_tag::VCL_Error, "ESI depth limit reach (param max_esi_depth = {})", limit);
    return false;
}

void link_include(request& fragment, request& page) noexcept {
    if (page.svc.logs.tells_levels()) {
        const unsigned level = page.esi_level + 1;
        fragment.log.join(log_tag::Begin, "req ", page.log.vxid(), " esi ", level);
        page.log.join(log_tag::Link, "req ", fragment.log.vxid(), " esi ", level);
    } else {
        fragment.log.join(log_tag::Begin, "req ", page.log.vxid(), " esi");
        page.log.join(log_tag::Link, "req ", fragment.log.vxid(), " esi");
    }
}

void set_up_include(request& fragment, const request& page, const body::esi::instruction& what, bool gzipped) noexcept {
    http::head& req = fragment.head;
    req.copy(page.original);
    req.set_url(what.url);
    if (!what.host.empty()) {
        req.replace(http::field_id::host, what.host);
    }
    if (req.method() != "GET") {
        req.set_method("GET");
    }
    if (req.protocol() != "HTTP/1.1") {
        req.set_protocol("HTTP/1.1");
    }
    // 304 and 206 are no parts of a page.
    for (http::field_id id :
         {http::field_id::if_modified_since, http::field_id::if_none_match, http::field_id::range}) {
        req.unset(id);
    }
    if (gzipped) {
        req.force(http::field_id::accept_encoding, "gzip");
    } else {
        req.unset(http::field_id::accept_encoding);
    }
    req.unset(http::field_id::content_length);
    fragment.original.copy(req);

    const request& top = *page.top;
    fragment.vcl = top.first_vcl ? top.first_vcl : page.vcl;
    fragment.esi_level = page.esi_level + 1;
    fragment.received = page.received;
}

embedding embedding_of(const request& fragment, const delivery_plan& plan, bool page_gzipped) noexcept {
    const unsigned status = fragment.response.status() % 1000;
    if (fragment.svc.params.feature(tables::feature::esi_include_onerror) && status != 200 && status != 204) {
        return embedding::refused;
    }
    if (!plan.send_body) {
        return embedding::nothing;
    }
    if (!page_gzipped) {
        return embedding::straight;
    }
    const bool says_gzip = base::equal_nocase(fragment.response.get(http::field_id::content_encoding), "gzip");
    if (!says_gzip || !fragment.object->has(cache::object_flag::gzipped)) {
        return embedding::stored;
    }
    return plan.esi ? embedding::straight : embedding::spliced;
}

} // namespace clearcoat::flow
