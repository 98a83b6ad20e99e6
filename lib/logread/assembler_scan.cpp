// What single records mean for the shape of transactions, and the records that tell of trouble in the log itself.
#include "base/panic.hpp"
#include "logread/assembler.hpp"
#include "logread/assembler_node.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace clearcoat::logread {

void assembler::scan(node& n, record r) {
    if (r.vxid() != n.vxid) {
        return note(n, "vxid mismatch", r);
    }
    switch (r.tag()) {
    case log_tag::Begin:
        if (n.seen_begin) {
            note(n, "duplicate begin", r);
        } else {
            scan_begin(n, r);
            n.seen_begin = true;
        }
        break;
    case log_tag::Link:
        scan_link(n, r);
        break;
    case log_tag::End:
        complete(n);
        break;
    default:
        break;
    }
}

void assembler::scan_begin(node& n, record r) {
    const std::optional<link_text> link = parse_link(r);
    if (!link) {
        return note(n, "parse error", r);
    }
    if (link->type == transaction_type::unknown) {
        note(n, "unknown vxid type", r);
    }
    if (n.type != transaction_type::unknown && n.type != link->type) {
        note(n, "type mismatch", r);
    }
    n.type = link->type;
    n.reason = link->reason;
    if (link->vxid == 0) {
        return;
    }
    if (link->vxid == n.vxid) {
        return note(n, "link to self", r);
    }
    const bool own_request = n.type == transaction_type::req && n.reason == transaction_reason::rxreq;
    if (how_ == grouping::vxid || (how_ == grouping::request && own_request)) {
        return;
    }
    if (n.parent != nullptr) {
        if (n.parent->vxid != link->vxid) {
            note(n, "link mismatch", r);
        }
        return;
    }
    node* parent = find(link->vxid);
    if (parent == nullptr) {
        parent = &add(link->vxid);
    } else if (parent->complete) {
        return note(n, "link too late", r);
    }
    adopt(*parent, n);
}

void assembler::scan_link(node& n, record r) {
    const std::optional<link_text> link = parse_link(r);
    if (!link) {
        return note(n, "parse error", r);
    }
    if (link->type == transaction_type::unknown) {
        note(n, "unknown vxid type", r);
    }
    if (how_ == grouping::vxid || (how_ == grouping::request && n.type == transaction_type::sess)) {
        return;
    }
    if (link->vxid == 0) {
        return note(n, "illegal link vxid", r);
    }
    if (link->vxid == n.vxid) {
        return note(n, "link to self", r);
    }
    node* child = find(link->vxid);
    if (child == nullptr) {
        child = &add(link->vxid);
    } else if (child->parent == &n) {
        return;
    } else if (child->parent != nullptr) {
        return note(n, "duplicate link", r);
    } else if (child->complete) {
        return note(n, "link too late", r);
    } else if (child->type != transaction_type::unknown && child->type != link->type) {
        note(n, "type mismatch", r);
    }
    child->type = link->type;
    child->reason = link->reason;
    adopt(n, *child);
}

void assembler::adopt(node& parent, node& child) noexcept {
    // Links that go round would never become ready; the link that closes the circle is left out.
    for (const node* above = &parent; above != nullptr; above = above->parent) {
        if (above == &child) {
            return;
        }
    }
    child.parent = &parent;
    parent.children.push_back(child);
    ++parent.child_count;
}

void assembler::complete(node& n) {
    if (n.type == transaction_type::unknown) {
        note(n, "vtx of unknown type marked complete");
    }
    n.complete = true;
    incomplete_.erase(n);
    for (node* at = &n; at->complete && at->child_count == at->ready_children; at = at->parent) {
        if (at->parent == nullptr) {
            ready_.push_back(*at);
            return;
        }
        ++at->parent->ready_children;
    }
}

void assembler::force(node& n, std::string_view why) {
    if (!n.seen_begin) {
        synthesize(n, log_tag::Begin, fmt::format("{} 0 synth", name_of(n.type)));
    }
    note(n, why);
    synthesize(n, log_tag::End, "synth");
    // As the reference reads its own records back: a Begin sets the type and the reason anew.
    if (!n.seen_begin) {
        n.seen_begin = true;
        n.reason = transaction_reason::unknown;
        if (n.type == transaction_type::unknown) {
            note(n, fmt::format("unknown vxid type ({}:Begin \"unknown 0 synth\")", n.vxid));
        }
    }
    complete(n);
}

void assembler::note(node& n, std::string_view message) {
    synthesize(n, log_tag::VSL, message);
}

void assembler::note(node& n, std::string_view message, record about) {
    const std::string_view text = about.bytes();
    synthesize(n, log_tag::VSL,
               fmt::format("{} ({}:{} \"{}\")", message, about.vxid(), tables::name_of(about.tag()),
                           text.substr(0, text.find('\0'))));
}

void assembler::synthesize(node& n, log_tag tag, std::string_view text) {
    constexpr std::size_t longest = 63;
    namespace layout = shm::layout;
    text = text.substr(0, longest);
    node::synthetic made{n.scanned, {}};
    const auto kind = n.type == transaction_type::req     ? shm::vxid_kind::client
                      : n.type == transaction_type::bereq ? shm::vxid_kind::backend
                                                          : shm::vxid_kind::none;
    const layout::record_head head =
        layout::make_head(n.width(), tag, static_cast<std::uint32_t>(text.size() + 1), n.vxid, kind);
    std::copy_n(head.words, head.count, made.words.begin());
    std::memcpy(&made.words[head.count], text.data(), text.size());
    n.synthetics.push_back(made);
}

} // namespace clearcoat::logread
