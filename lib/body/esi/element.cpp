// What the ESI elements mean: the parser's second half, entered when a tag's name, an attribute or the tag's end has
// been read.
#include "body/esi/parser.hpp"

#include "base/ascii.hpp"

#include <utility>

namespace clearcoat::body::esi {

namespace {

struct entity {
    std::string_view text;
    char means;
};
constexpr entity entities[] = {{"&apos;", '\''}, {"&quot;", '"'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};

void append_decoded(std::string& to, std::string_view text) {
    while (!text.empty()) {
        char c = text.front();
        std::size_t size = 1;
        for (const entity& e : entities) {
            if (text.substr(0, e.text.size()) == e.text) {
                c = e.means;
                size = e.text.size();
                break;
            }
        }
        to += c;
        text.remove_prefix(size);
    }
}

constexpr std::string_view http_scheme = "http://";
constexpr std::string_view https_scheme = "https://";

bool begins_with(std::string_view text, std::string_view beginning) noexcept {
    return text.substr(0, beginning.size()) == beginning;
}

} // namespace

bool resolve_include(std::string_view src, std::string_view page_url, std::string& host, std::string& url) {
    host.clear();
    url.clear();
    std::size_t scheme = begins_with(src, http_scheme) ? http_scheme.size() : 0;
    scheme = begins_with(src, https_scheme) ? https_scheme.size() : scheme;
    if (scheme != 0) {
        std::size_t slash = src.find('/', scheme);
        if (slash == std::string_view::npos) {
            return false;
        }
        host = src.substr(scheme, slash - scheme);
        src.remove_prefix(slash);
    } else if (src.empty() || src.front() != '/') {
        std::string_view path = page_url.substr(0, page_url.find('?'));
        std::size_t slash = path.rfind('/');
        url = slash == std::string_view::npos ? path : path.substr(0, slash);
        url += '/';
    }
    append_decoded(url, src);
    return true;
}

parser::piece parser::at_esi_name() {
    for (auto [name, which] : {std::pair(std::string_view("include"), element::include),
                               std::pair(std::string_view("remove"), element::remove),
                               std::pair(std::string_view("comment"), element::comment)}) {
        if (begins_with(rest(), name)) {
            begin_element(which);
            return take_skip(name.size());
        }
        if (!last_ && rest().size() < name.size() && begins_with(name, rest())) {
            return wait_for_more();
        }
    }
    fail("ESI 1.0 <esi:bogus> element");
    return {};
}

void parser::begin_element(element e) noexcept {
    element_ = e;
    is_empty_tag_ = false;
    may_have_attribute_ = false;
    has_src_ = false;
    continue_on_error_ = false;
    state_ = state::in_tag;
    if (e == element::remove) {
        return;
    }
    bool is_include = e == element::include;
    if (removing_) {
        fail(is_include ? "ESI 1.0 <esi:include> element nested in <esi:remove>"
                        : "ESI 1.0 <esi:comment> element nested in <esi:remove>");
    } else if (is_end_tag_) {
        fail(is_include ? "ESI 1.0 </esi:include> illegal end-tag" : "ESI 1.0 </esi:comment> illegal end-tag");
    }
}

void parser::attribute_complete() {
    if (attribute_ == attribute_kind::onerror) {
        continue_on_error_ = value_ == "continue";
        return;
    }
    if (attribute_ != attribute_kind::src) {
        return;
    }
    if (has_src_) {
        fail("ESI 1.0 <esi:include> has multiple src= attributes");
        return;
    }
    if (value_.find_first_of(" \t\r\n") != std::string::npos) {
        fail("ESI 1.0 <esi:include> has whitespace in src= attribute");
        return;
    }
    has_src_ = true;
    src_ = value_;
}

void parser::end_element() {
    if (element_ == element::include) {
        end_include();
    } else if (element_ == element::remove) {
        end_remove();
    } else if (!is_empty_tag_) {
        tell(problem::severity::error, "ESI 1.0 <esi:comment> needs final '/'");
    }
}

void parser::end_include() {
    if (!is_empty_tag_) {
        tell(problem::severity::warning, "ESI 1.0 <esi:include> lacks final '/'");
    }
    if (!has_src_) {
        tell(problem::severity::error, "ESI 1.0 <esi:include> lacks src attr");
        return;
    }
    if (begins_with(src_, https_scheme)) {
        tell(problem::severity::warning, options_.ignore_https ? "ESI 1.0 <esi:include> https:// treated as http://"
                                                               : "ESI 1.0 <esi:include> with https:// ignored");
        if (!options_.ignore_https) {
            return;
        }
    }
    std::string host;
    std::string url;
    if (!resolve_include(src_, page_url_, host, url)) {
        tell(problem::severity::error, "ESI 1.0 <esi:include> invalid src= URL");
        return;
    }
    listener_->esi_include(host, url, continue_on_error_);
}

void parser::end_remove() {
    if (is_empty_tag_) {
        tell(problem::severity::error, "ESI 1.0 <esi:remove/> not legal");
    } else if (removing_ && !is_end_tag_) {
        tell(problem::severity::error, "ESI 1.0 <esi:remove> already open");
    } else if (!removing_ && is_end_tag_) {
        tell(problem::severity::error, "ESI 1.0 <esi:remove> not open");
    } else {
        removing_ = !is_end_tag_;
    }
}

} // namespace clearcoat::body::esi
