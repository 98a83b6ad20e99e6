// The operations on whole heads: copies, filtered or not, and reports.
#include "http/filter.hpp"
#include "http/head.hpp"
#include "http/status.hpp"

#include <cstring>

namespace clearcoat::http {

bool head::copy_filtered(const head& from, filter_use use) noexcept {
    method_ = from.method_;
    url_ = from.url_;
    protocol_ = from.protocol_;
    reason_ = from.reason_;
    status_ = from.status_;
    version_ = from.version_;
    drop_fields();
    if (!make_room(from.count_)) {
        return lose("headers");
    }
    for (const field& f : from.fields()) {
        if (!is_filtered(f, use)) {
            push_silently(f);
            fields_[count_ - 1].flags &= static_cast<std::uint8_t>(~field::hop_by_hop);
        }
    }
    return true;
}

bool head::copy(const head& from) noexcept {
    if (from.count_ > capacity_) {
        drop_fields();
        if (!grow(from.count_)) {
            return lose("headers");
        }
    }
    method_ = from.method_;
    url_ = from.url_;
    protocol_ = from.protocol_;
    reason_ = from.reason_;
    status_ = from.status_;
    version_ = from.version_;
    count_ = from.count_;
    present_ = from.present_;
    if (count_ != 0) {
        std::memcpy(fields_, from.fields_, sizeof(field) * count_);
    }
    return true;
}

bool head::copy_home() noexcept {
    for (std::string_view* part : {&method_, &url_, &protocol_, &reason_}) {
        if (part->data() != nullptr) {
            std::string_view home = keep(*part);
            if (home.data() == nullptr) {
                return false;
            }
            *part = home;
        }
    }
    for (unsigned i = 0; i < count_; ++i) {
        std::string_view home = keep(fields_[i].text());
        if (home.data() == nullptr) {
            return false;
        }
        fields_[i].line = home.data();
        fields_[i].flags &= static_cast<std::uint8_t>(~field::crlf_behind);
    }
    return true;
}

void head::mark_hop_by_hop(field_name name) noexcept {
    if (!may_have(name.id)) {
        return;
    }
    for (unsigned i = 0; i < count_; ++i) {
        if (has_name(fields_[i], name)) {
            fields_[i].flags |= field::hop_by_hop;
        }
    }
}

void head::report() const noexcept {
    if (listener_ == nullptr) {
        return;
    }
    if (method_.data() != nullptr) {
        tell(head_part::method, method_);
    }
    if (url_.data() != nullptr) {
        tell(head_part::url, url_);
    }
    if (protocol_.data() != nullptr) {
        tell(head_part::protocol, protocol_);
    }
    if (status_ != 0) {
        tell(head_part::status, status_digits(status_));
    }
    if (reason_.data() != nullptr) {
        tell(head_part::reason, reason_);
    }
    listener_->fields_reported(fields());
}

void head::set_start_line_silently(std::string_view method, std::string_view url, std::string_view protocol,
                                   unsigned version) noexcept {
    method_ = method;
    url_ = url;
    protocol_ = protocol;
    version_ = static_cast<std::uint16_t>(version);
}

void head::set_status_line_silently(std::string_view protocol, unsigned version, unsigned status,
                                    std::string_view reason) noexcept {
    protocol_ = protocol;
    version_ = static_cast<std::uint16_t>(version);
    status_ = static_cast<std::uint16_t>(status);
    reason_ = reason;
}

} // namespace clearcoat::http
