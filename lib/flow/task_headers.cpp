// task_host's answers for the fields of its messages.
#include "flow/task_host.hpp"
#include "http/head.hpp"
#include "tables/bits.hpp"
#include "tables/param_block.hpp"

#include <algorithm>

namespace clearcoat::flow {

namespace {

/// What feature validate_headers lets into a field: no control characters but the tab (RFC 9110 §5.5).
bool is_field_text(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) {
        auto u = static_cast<unsigned char>(c);
        return (u >= 0x20 && u != 0x7f) || u == '\t';
    });
}

} // namespace

std::string_view task_host::header(vcl::message where, std::string_view name) noexcept {
    const http::head* h = bound(where);
    return h == nullptr ? std::string_view() : h->get(name);
}

std::uint16_t header_number(std::string_view name) noexcept {
    return static_cast<std::uint16_t>(http::find_field_id(name));
}

std::string_view task_host::header(const vcl::header_ref& h) noexcept {
    const http::head* head = bound(h.where);
    if (head == nullptr || h.number == 0) {
        return header(h.where, h.name);
    }
    const http::field* f = head->find(static_cast<http::field_id>(h.number));
    return f == nullptr ? std::string_view() : f->value();
}

void task_host::set_header(vcl::message where, std::string_view name, std::string_view value) noexcept {
    http::head* h = bound(where);
    if (h != nullptr && is_fine_header(name, value)) {
        h->replace(name, value);
    }
}

/// Fails otherwise.
bool task_host::is_fine_header(std::string_view name, std::string_view value) noexcept {
    if (!services_->params.feature(tables::feature::validate_headers) ||
        (is_field_text(name) && is_field_text(value))) {
        return true;
    }
    std::string_view line = workspace_->copy(fmt::format("Bad header {}: {}", name, value));
    fail(line.data() == nullptr ? "Bad header" : line);
    return false;
}

void task_host::add_header(vcl::message where, std::string_view name, std::string_view value) noexcept {
    http::head* h = bound(where);
    if (h != nullptr && is_fine_header(name, value)) {
        h->add(name, value);
    }
}

void task_host::edit_headers(vcl::message where, const field_editor& edit) {
    http::head* h = bound(where);
    if (h == nullptr) {
        return;
    }
    const std::vector<http::field> before(h->fields().begin(), h->fields().end());
    h->drop_fields();
    std::string line;
    for (const http::field& f : before) {
        const field_fate fate = edit(f.text(), line);
        if (fate == field_fate::keep) {
            h->push_silently(f); // there was room for it
            continue;
        }
        if (h->listener() != nullptr) {
            h->listener()->head_changed(http::head_part::unset, f.text());
        }
        if (fate == field_fate::replace) {
            const std::string_view kept = h->keep(line);
            if (kept.data() != nullptr && is_fine_header(kept, {})) {
                h->add_line(kept);
            }
        }
    }
}

void task_host::unset_header(vcl::message where, std::string_view name) noexcept {
    if (http::head* h = bound(where)) {
        h->unset(name);
    }
}

void task_host::each_header(vcl::message where, const std::function<bool(std::string_view, std::string_view)>& visit) {
    const http::head* h = bound(where);
    if (h == nullptr) {
        return;
    }
    for (const http::field& f : h->fields()) {
        if (!visit(f.name(), f.value())) {
            return;
        }
    }
}

void task_host::collect_header(vcl::message where, std::string_view name, std::string_view separator) noexcept {
    if (http::head* h = bound(where)) {
        h->collect(name, separator);
    }
}

} // namespace clearcoat::flow
