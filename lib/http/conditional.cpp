#include "http/conditional.hpp"

#include "http/date.hpp"
#include "http/tokens.hpp"

namespace clearcoat::http {

namespace {

bool is_weak(std::string_view tag) noexcept {
    return tag.substr(0, 2) == "W/";
}

bool tags_match(std::string_view a, std::string_view b, bool strong) noexcept {
    if (strong && (is_weak(a) || is_weak(b))) {
        return false;
    }
    a.remove_prefix(is_weak(a) ? 2 : 0);
    b.remove_prefix(is_weak(b) ? 2 : 0);
    return a == b;
}

bool not_modified_since(std::string_view since, const head& response, base::seconds request_time,
                        base::seconds object_last_modified) noexcept {
    base::seconds limit = parse_date(since);
    if (limit == 0 || limit > request_time) {
        return false;
    }
    std::string_view modified_text = response.get(field_id::last_modified);
    if (modified_text.data() == nullptr) {
        return object_last_modified <= limit;
    }
    base::seconds modified = parse_date(modified_text);
    return modified != 0 && modified <= limit;
}

/// Replaces the field by "<name>: <before><value><after>".
bool replace_around(head& h, field_id name, std::string_view before, std::string_view value,
                    std::string_view after) noexcept {
    std::size_t size = before.size() + value.size() + after.size();
    auto* text = static_cast<char*>(h.memory().allocate(size, 1));
    if (text == nullptr) {
        if (h.listener() != nullptr) {
            h.listener()->head_changed(head_part::lost, name_of(name));
        }
        return false;
    }
    char* at = text + before.copy(text, before.size());
    at += value.copy(at, value.size());
    after.copy(at, after.size());
    return h.replace(name, {text, size});
}

} // namespace

bool answers_not_modified(const head& request, const head& response, base::seconds request_time,
                          base::seconds object_last_modified) noexcept {
    if (response.status() % 1000 != 200) {
        return false;
    }
    std::string_view wanted = request.get(field_id::if_none_match);
    if (wanted.data() != nullptr) {
        std::string_view tag = response.get(field_id::etag);
        return tag.data() != nullptr && tags_match(wanted, tag, request.has(field_id::range));
    }
    std::string_view since = request.get(field_id::if_modified_since);
    return since.data() != nullptr && not_modified_since(since, response, request_time, object_last_modified);
}

bool has_strong_last_modified(const head& h) noexcept {
    base::seconds modified = parse_date(h.get(field_id::last_modified));
    base::seconds date = parse_date(h.get(field_id::date));
    return modified != 0 && date != 0 && modified + 1 <= date;
}

bool weaken_etag(head& response) noexcept {
    std::string_view tag = response.get(field_id::etag);
    if (tag.data() == nullptr || is_weak(tag)) {
        return true;
    }
    return replace_around(response, field_id::etag, "W/", tag, {});
}

bool vary_on_accept_encoding(head& response) noexcept {
    if (has_token(response, field_id::vary, "Accept-Encoding")) {
        return true;
    }
    std::string_view vary = response.get(field_id::vary);
    if (vary.data() == nullptr) {
        return response.add_line("Vary: Accept-Encoding");
    }
    return replace_around(response, field_id::vary, {}, vary, ", Accept-Encoding");
}

bool accepts_gzip(const head& request) noexcept {
    return has_token(request, field_id::accept_encoding, "x-gzip") ||
           quality_of(request, field_id::accept_encoding, "gzip") > 0;
}

} // namespace clearcoat::http
