#include "logread/assembler.hpp"

#include "base/panic.hpp"
#include "logread/assembler_node.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

constexpr std::size_t most_spare = 64;

} // namespace

assembler::assembler(const log_options& options, grouping how, std::unique_ptr<const query> wanted,
                     const base::clock& time, sink out)
    : options_(options), how_(how), query_(std::move(wanted)), time_(time), out_(std::move(out)),
      rated_at_(time.monotonic()) {}

assembler::~assembler() {
    discard();
}

bool assembler::feed(const record_run& run) {
    if (run.words.empty()) {
        return true;
    }
    if (how_ == grouping::raw) {
        return feed_raw(run);
    }
    now_ = time_.monotonic();
    return run.batch ? feed_batch(run) : feed_singles(run);
}

bool assembler::feed_raw(const record_run& run) {
    for (const record r : record_range(run.words)) {
        const transaction single{
            0, r.vxid(), 0, transaction_type::raw, transaction_reason::unknown, record_range({r.words(), r.size()})};
        if (!deliver({&single, 1})) {
            return false;
        }
    }
    return true;
}

bool assembler::feed_batch(const record_run& run) {
    const record first(run.words.data());
    if (first.vxid() != 0) {
        if (node* n = node_for(first)) {
            n->append(run.words, run.stable);
            while (!n->complete && n->scanned < n->words().size()) {
                const record r(n->words().data() + n->scanned);
                n->scanned += r.size();
                scan(*n, r);
            }
        }
    }
    return settle();
}

bool assembler::feed_singles(const record_run& run) {
    for (const record r : record_range(run.words)) {
        if (r.vxid() == 0) {
            continue;
        }
        if (node* n = node_for(r)) {
            n->append({r.words(), r.size()}, run.stable);
            if (!n->complete) {
                n->scanned += r.size();
                scan(*n, record(n->words().data() + n->scanned - r.size()));
            }
        }
        if (!settle()) {
            return false;
        }
    }
    return true;
}

/// The transaction that a record begins or goes on with; nullptr when it is of no interest.
assembler::node* assembler::node_for(record first) {
    if (node* n = find(first.vxid())) {
        return n;
    }
    return first.tag() == log_tag::Begin && is_candidate(first) ? &add(first.vxid()) : nullptr;
}

/// Whether a transaction that begins so can be part of what is wanted.
bool assembler::is_candidate(record begin) const noexcept {
    if (how_ == grouping::session) {
        return true;
    }
    if (how_ == grouping::vxid) {
        if (!options_.client && !options_.backend) {
            return true;
        }
        if ((!options_.backend && !begin.client()) || (!options_.client && !begin.backend())) {
            return false;
        }
    }
    const std::optional<link_text> link = parse_link(begin);
    if (!link || link->type == transaction_type::unknown || link->type == transaction_type::sess) {
        return false;
    }
    return how_ != grouping::vxid || link->reason != transaction_reason::esi || options_.esi;
}

/// Ends what has waited too long or is too much, and hands out what is ready.
bool assembler::settle() {
    while (!incomplete_.empty() && now_ - incomplete_.front().begun >= options_.timeout) {
        force(incomplete_.front(), "timeout");
    }
    while (by_vxid_.size() > options_.limit && !incomplete_.empty()) {
        force(incomplete_.front(), "store overflow");
        if (!hand_out_ready()) {
            return false;
        }
    }
    return hand_out_ready();
}

assembler::node* assembler::find(vxid_value id) noexcept {
    if (last_ != nullptr && last_->vxid == id) {
        return last_;
    }
    const auto found = by_vxid_.find(id);
    if (found == by_vxid_.end()) {
        return nullptr;
    }
    return last_ = found->second;
}

assembler::node& assembler::add(vxid_value id) {
    std::unique_ptr<node> made;
    if (spare_.empty()) {
        made = std::make_unique<node>();
    } else {
        made = std::move(spare_.back());
        spare_.pop_back();
    }
    node* n = made.release();
    by_vxid_.emplace(id, n);
    n->vxid = id;
    n->begun = now_;
    incomplete_.push_back(*n);
    return *(last_ = n);
}

void assembler::retire(node& n) noexcept {
    while (node* child = n.children.pop_front()) {
        retire(*child);
    }
    by_vxid_.erase(n.vxid);
    if (last_ == &n) {
        last_ = nullptr;
    }
    n.clear();
    std::unique_ptr<node> back(&n);
    if (spare_.size() < most_spare) {
        spare_.push_back(std::move(back));
    }
}

void assembler::discard() noexcept {
    incomplete_.clear();
    ready_.clear();
    for (const auto& [id, n] : by_vxid_) {
        n->children.clear();
    }
    for (const auto& [id, n] : by_vxid_) {
        delete n;
    }
    by_vxid_.clear();
    last_ = nullptr;
}

bool assembler::flush() {
    while (!incomplete_.empty()) {
        force(incomplete_.front(), "flush");
    }
    return hand_out_ready();
}

bool assembler::hand_out_ready() {
    bool going = true;
    while (going) {
        node* top = ready_.pop_front();
        if (top == nullptr) {
            break;
        }
        going = !wanted_type(*top) || hand_out(*top);
        retire(*top);
    }
    return going;
}

bool assembler::wanted_type(const node& top) const noexcept {
    return how_ == grouping::session   ? top.type == transaction_type::sess
           : how_ == grouping::request ? top.type == transaction_type::req
                                       : true;
}

bool assembler::hand_out(node& top) {
    members_.clear();
    member_nodes_.assign(1, &top);
    members_.push_back({1, top.vxid, 0, top.type, top.reason, top.records()});
    for (std::size_t i = 0; i < member_nodes_.size(); ++i) {
        for (node& child : member_nodes_[i]->children) {
            const bool same_level = child.reason == transaction_reason::restart;
            const unsigned level = members_[i].level + (same_level ? 0 : 1);
            member_nodes_.push_back(&child);
            members_.push_back({level, child.vxid, members_[i].vxid, child.type, child.reason, child.records()});
        }
    }
    return deliver(members_);
}

bool assembler::deliver(group g) {
    if (query_ != nullptr && !query_->selects(g)) {
        return true;
    }
    if (options_.rate.count != 0 && !within_rate()) {
        return true;
    }
    return out_(g);
}

bool assembler::within_rate() {
    const base::seconds now = time_.monotonic();
    credits_ += (now - rated_at_) / options_.rate.period * options_.rate.count;
    credits_ = std::min(credits_, options_.rate.count);
    rated_at_ = now;
    if (credits_ < 1) {
        return false;
    }
    credits_ -= 1;
    return true;
}

} // namespace clearcoat::logread
