#include "logread/json_story.hpp"

#include "base/ascii.hpp"

namespace clearcoat::logread {
namespace {

void drop_header(std::vector<std::string_view>& headers, std::string_view text) {
    std::erase(headers, text);
}

/// Records of requests and responses, on either side; false for others.
bool take_message_record(record r, std::string_view text, story& s) {
    switch (r.tag()) {
    case log_tag::ReqMethod:
    case log_tag::BereqMethod:
        s.request.method = text;
        return true;
    case log_tag::ReqURL:
    case log_tag::BereqURL:
        s.request.url = text;
        return true;
    case log_tag::ReqProtocol:
    case log_tag::BereqProtocol:
        s.request.protocol = text;
        return true;
    case log_tag::ReqHeader:
    case log_tag::BereqHeader:
        s.request.headers.push_back(text);
        return true;
    case log_tag::ReqUnset:
    case log_tag::BereqUnset:
        drop_header(s.request.headers, text);
        return true;
    case log_tag::RespProtocol:
    case log_tag::BerespProtocol:
        s.response.protocol = text;
        return true;
    case log_tag::RespStatus:
    case log_tag::BerespStatus:
        s.response.status = text;
        return true;
    case log_tag::RespReason:
    case log_tag::BerespReason:
        s.response.reason = text;
        return true;
    case log_tag::RespHeader:
    case log_tag::BerespHeader:
        s.response.headers.push_back(text);
        return true;
    case log_tag::RespUnset:
    case log_tag::BerespUnset:
        drop_header(s.response.headers, text);
        return true;
    default:
        return false;
    }
}

void take_account(std::string_view text, story& s) {
    s.request.header_bytes = word_of(text, 1);
    s.request.body_bytes = word_of(text, 2);
    s.response.header_bytes = word_of(text, 4);
    s.response.body_bytes = word_of(text, 5);
}

bool take_story_record(record r, std::string_view text, story& s) {
    switch (r.tag()) {
    case log_tag::Begin:
        s.begin = text;
        return true;
    case log_tag::End:
        return true;
    case log_tag::ReqStart:
        s.client = text;
        return true;
    case log_tag::SessOpen:
        s.session = text;
        return true;
    case log_tag::BackendOpen:
        s.backend = text;
        return true;
    case log_tag::ReqAcct:
    case log_tag::BereqAcct:
        take_account(text, s);
        return true;
    case log_tag::VCL_use:
        s.vcl = word_of(text, 1);
        return true;
    case log_tag::Storage:
        s.storage = text;
        return true;
    case log_tag::Timestamp:
        s.events.push_back(text);
        return true;
    case log_tag::VCL_Log:
        s.logs.push_back(text);
        return true;
    case log_tag::Link:
        s.links.push_back(text);
        return true;
    case log_tag::Error:
    case log_tag::FetchError:
    case log_tag::VCL_Error:
    case log_tag::SessError:
        s.errors.push_back(text);
        return true;
    default:
        return false;
    }
}

/// How VCL went: the last of these calls tells.
void take_call(record r, std::string_view text, story& s) {
    if (r.tag() == log_tag::VCL_call) {
        for (const std::string_view call : {"hit", "miss", "pass", "synth", "pipe"}) {
            if (base::equal_nocase(text, call)) {
                s.handling = call;
            }
        }
    }
}

} // namespace

std::string_view text_of(record r) noexcept {
    const std::string_view bytes = r.bytes();
    return bytes.substr(0, bytes.find('\0'));
}

std::string_view word_of(std::string_view text, int wanted) noexcept {
    for (int word = 1;; ++word) {
        while (!text.empty() && base::is_space(text.front())) {
            text.remove_prefix(1);
        }
        std::size_t size = 0;
        while (size < text.size() && !base::is_space(text[size])) {
            ++size;
        }
        if (word == wanted) {
            return text.substr(0, size);
        }
        text.remove_prefix(size);
    }
}

story read_story(const transaction& t, const log_options& options) {
    story s;
    for (const record r : t.records) {
        if (!options.shows(r)) {
            continue;
        }
        const std::string_view text = text_of(r);
        take_call(r, text, s);
        if (!take_message_record(r, text, s) && !take_story_record(r, text, s)) {
            s.others.push_back(r);
        }
    }
    return s;
}

} // namespace clearcoat::logread
