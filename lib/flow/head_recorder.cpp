#include "flow/head_recorder.hpp"

#include "tables/log_tags.hpp"

namespace clearcoat::flow {

namespace {

log_tag first_tag(vcl::message which) noexcept {
    switch (which) {
    case vcl::message::req:
    case vcl::message::req_top:
        return log_tag::ReqMethod;
    case vcl::message::bereq:
        return log_tag::BereqMethod;
    case vcl::message::beresp:
        return log_tag::BerespMethod;
    case vcl::message::obj:
    case vcl::message::obj_stale:
        return log_tag::ObjMethod;
    case vcl::message::resp:
        return log_tag::RespMethod;
    }
    return log_tag::ReqMethod;
}

/// The name of the workspace as the reference's Error record gives it.
std::string_view workspace_name(vcl::message which) noexcept {
    return which == vcl::message::req || which == vcl::message::req_top || which == vcl::message::resp ? "req" : "bo";
}

} // namespace

static_assert(static_cast<unsigned>(log_tag::ReqLost) - static_cast<unsigned>(log_tag::ReqMethod) ==
              static_cast<unsigned>(http::head_part::lost));
static_assert(static_cast<unsigned>(log_tag::BerespUnset) - static_cast<unsigned>(log_tag::BerespMethod) ==
              static_cast<unsigned>(http::head_part::unset));

void head_recorder::pose_as(vcl::message which) noexcept {
    which_ = which;
    first_tag_ = static_cast<std::uint8_t>(first_tag(which));
}

void head_recorder::head_changed(http::head_part part, std::string_view text) noexcept {
    if (part != http::head_part::lost) {
        log_->write(static_cast<log_tag>(first_tag_ + static_cast<unsigned>(part)), text);
        return;
    }
    log_->write(log_tag::LostHeader, text);
    log_->print(log_tag::Error, "out of workspace ({})", workspace_name(which_));
    workspace_->set_overflowed(true);
    ++counters_->losthdr;
}

void head_recorder::fields_reported(std::span<const http::field> fields) noexcept {
    const auto tag = static_cast<log_tag>(first_tag_ + static_cast<unsigned>(http::head_part::field));
    for (const http::field& f : fields) {
        log_->write(tag, f.text());
    }
}

} // namespace clearcoat::flow
