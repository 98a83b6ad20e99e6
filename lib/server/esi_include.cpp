#include "server/esi_include.hpp"

#include "base/panic.hpp"
#include "flow/delivery_records.hpp"
#include "flow/esi_include.hpp"
#include "net/loop.hpp"
#include "server/esi_page.hpp"
#include "server/fetch_task.hpp"
#include "server/h1_request.hpp"
#include "server/request_waits.hpp"
#include "tables/bits.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <new>

namespace clearcoat::server {

using cache::cursor_status;
using flow::embedding;
using flow::request_action;
using tables::close_reason;

namespace {

constexpr unsigned served_in_a_row = 32; // includes, before other sessions get a turn

std::span<std::byte> bytes_of(const net::buffer& b) noexcept {
    return std::as_writable_bytes(b.all());
}

} // namespace

net::task<> esi_include::serve(esi_tree& tree, flow::request& page, const body::esi::instruction& what,
                               body::esi::delivery& program, body_sink& to) {
    static_assert(sizeof(esi_include) <= sizeof(h1_request), "it is made in the place of a request");
    void* place = tree.context.requests.take();
    if (place == nullptr) {
        page.log.write(log_tag::Error, "out of memory for an ESI include");
        co_return;
    }
    auto* fragment = new (place) esi_include(tree, page, what, program, to);
    co_await fragment->run();
    fragment->~esi_include();
    tree.context.requests.give(place);
    if (++tree.served % served_in_a_row == 0 && !tree.client.over()) {
        co_await tree.client.yield();
    }
}

esi_include::esi_include(esi_tree& tree, flow::request& page, const body::esi::instruction& what,
                         body::esi::delivery& program, body_sink& to)
    : tree_(tree), program_(program), to_(to), may_fail_(what.continue_on_error),
      txn_(page.svc, page.svc.logs.take(page.svc.vxids.next_vxid(), base::log_side::client), page.session,
           page.settings, page.top),
      module_waker_(tree.waker), fsm_(txn_, module_waker_, tree.context.vcls, tree.waiting, &tree.top_host) {
    flow::link_include(txn_, page);
    txn_.first_byte = tree.context.loop.real_now();
    fsm_.host().times().mark(txn_.log, "Start", txn_.first_byte);
    ++txn_.svc.counters.esi_req;
    flow::set_up_include(txn_, page, what, program.gzipped());
    fsm_.begin_include();
}

net::task<> esi_include::run() {
    // Also when the client is gone meanwhile: what the machine holds is to be given back in order.
    for (request_action action = fsm_.resume(); action != request_action::done; action = fsm_.resume()) {
        co_await perform(action);
        if (tree_.client.stopping()) {
            tree_.client.give_up();
            txn_.closing = close_reason::rem_close;
            break;
        }
    }
    module_waker_.detach();
    if (tree_.waker.pending()) {
        co_await settle(tree_.waker);
    }
    finish();
}

net::task<> esi_include::perform(request_action action) {
    switch (action) {
    case request_action::start_fetch:
        spawn_fetch(tree_.context, fsm_.take_fetch(), nullptr, txn_.log);
        co_return;
    case request_action::deliver:
        co_await deliver();
        co_return;
    case request_action::wait_module:
    case request_action::wait_key:
    case request_action::wait_fetch:
        break;
    default:
        // What else there is concerns the connection: a fragment has no body to read and no place for a bare start
        // line.
        co_return;
    }
    static_cast<void>(co_await tree_.client.flush());
    if (action == request_action::wait_key) {
        co_await wait_for_key(txn_, tree_.waker, tree_.waiting);
    } else if (action == request_action::wait_fetch) {
        co_await wait_for_head(txn_, tree_.waker, tree_.waiting);
    } else {
        static_cast<void>(co_await tree_.waker.wait());
        tree_.waker.rearm();
    }
}

net::task<> esi_include::deliver() {
    const embedding how = flow::embedding_of(txn_, fsm_.plan(), program_.gzipped());
    if (how == embedding::nothing) {
        co_return;
    }
    if (how == embedding::refused) {
        failed();
        co_return;
    }
    if (how == embedding::spliced) {
        const bool whole = co_await wait_until_finished();
        if (!whole) {
            // Nothing of it was sent yet, so the page can do without.
            co_return;
        }
    }
    const bool good = co_await send(how);
    log_filters(how);
    from_.reset();
    if (!good) {
        failed();
    }
}

void esi_include::log_filters(embedding how) noexcept {
    flow::delivery_tally tally{true, gunzip_.get(), pipeline_.get(), staged_ ? staged_->count() : 0, 0, 0};
    if (embedded_) {
        tally.writes = embedded_->pieces();
        tally.written = txn_.account.response_body;
    }
    flow::write_filter_records(txn_, fsm_.plan(), tally);
    const std::string_view end = how == embedding::stored ? "PGZ " : how == embedding::spliced ? "VZZ " : "VED ";
    txn_.log.join(log_tag::VdpAcct, end, tally.writes, ' ', tally.written);
}

/// Where the bits of a gzip stream are is known at its end.
net::task<bool> esi_include::wait_until_finished() {
    cache::object& o = *txn_.object;
    for (;;) {
        tree_.waker.rearm();
        const cache::object_progress seen = o.progress();
        if (seen.state >= cache::object_state::finished) {
            co_return seen.state == cache::object_state::finished;
        }
        if (!o.watch(tree_.waiting, seen)) {
            continue;
        }
        static_cast<void>(co_await tree_.client.flush());
        const net::wait_status how = co_await tree_.waker.wait();
        co_await tree_.waiting.leave(o);
        if (how != net::wait_status::ready) {
            co_return false;
        }
    }
}

body_sink* esi_include::build(embedding how) {
    const flow::delivery_plan& plan = fsm_.plan();
    base::chunk_cache& buffers = tree_.context.loop.buffers();
    const cache::gzip_layout* layout = txn_.object->gzip();
    body_sink* next = &to_;
    body::stage* join = nullptr;
    if (how == embedding::spliced && layout != nullptr) {
        body::gzip_bits bits;
        bits.start = layout->start_bit;
        bits.last = layout->last_bit;
        bits.stop = layout->stop_bit;
        join = &spliced_.emplace(bits, txn_.object->length(), program_.sum());
    } else if (how != embedding::straight) {
        join = &stored_.emplace(program_.sum());
    }
    if (join != nullptr) {
        if (!joined_room_.borrow(buffers)) {
            return nullptr;
        }
        next = &joined_.emplace(*join, bytes_of(joined_room_), *next);
    }
    next = &embedded_.emplace(txn_.account.response_body, plan.window, *next);
    // A stream whose bits nobody knows cannot be spliced.
    const bool unspliceable = how == embedding::spliced && layout == nullptr;
    if (plan.gunzip || unspliceable) {
        gunzip_ = body::gunzip_stage::create();
        if (!gunzip_) {
            return nullptr;
        }
    }
    if (gunzip_ || !plan.modules.empty()) {
        body::stage* stage = set_up_stages();
        if (stage == nullptr || !staged_room_.borrow(buffers)) {
            return nullptr;
        }
        next = &staged_.emplace(*stage, bytes_of(staged_room_), *next);
    }
    return next;
}

body::stage* esi_include::set_up_stages() {
    constexpr std::size_t joint_size = 4096;
    const auto& filters = fsm_.plan().modules;
    if (filters.empty()) {
        return gunzip_.get();
    }
    pipeline_ = std::make_unique<body::pipeline>();
    bool good = !gunzip_ || pipeline_->append(*gunzip_, txn_.workspace, joint_size);
    for (const auto& filter : filters) {
        good = good && pipeline_->append(*filter, txn_.workspace, joint_size);
    }
    return good ? pipeline_.get() : nullptr;
}

net::task<bool> esi_include::send(embedding how) {
    body_sink* first = build(how);
    if (first == nullptr) {
        txn_.closing = close_reason::overload;
        co_return false;
    }
    const bool ours = txn_.object->has(cache::object_flag::is_private);
    from_.emplace(txn_.object, ours ? cache::body_cursor::mode::consume : cache::body_cursor::mode::keep);
    bool good = true;
    if (fsm_.plan().esi) {
        const bool joins = how == embedding::straight && program_.gzipped();
        esi_page page(tree_, txn_, *from_, *first, joins ? &program_.sum() : nullptr);
        good = co_await page.send();
    } else {
        good = co_await send_body(*first);
    }
    if (good && staged_) {
        good = co_await staged_->end();
    }
    if (good && joined_) {
        good = co_await joined_->end();
    }
    co_return good;
}

net::task<bool> esi_include::send_body(body_sink& to) {
    for (;;) {
        const cache::cursor_read read = co_await read_on(tree_, *from_, parts_, UINT64_MAX);
        if (read.status != cursor_status::data) {
            co_return read.status == cursor_status::end;
        }
        for (std::size_t i = 0; i < read.count; ++i) {
            const bool taken = co_await to.put(std::as_bytes(parts_[i]));
            if (!taken) {
                co_return false;
            }
        }
        from_->advance(read.bytes);
        if (read.last) {
            co_return true;
        }
    }
}

/// Where the feature esi_include_onerror is on, a fragment that failed takes the page with it, unless the page allows
/// for that; where it is off, what came of the fragment stands.
void esi_include::failed() noexcept {
    if (txn_.closing == close_reason::none) {
        txn_.closing = close_reason::rem_close;
    }
    if (!may_fail_ && txn_.svc.params.feature(tables::feature::esi_include_onerror)) {
        tree_.client.give_up();
        if (tree_.top.closing == close_reason::none) {
            tree_.top.closing = txn_.closing;
        }
    }
}

void esi_include::finish() noexcept {
    fsm_.host().end_task();
    flow::write_account(txn_);
    txn_.log.write(log_tag::End, "");
    if (txn_.workspace.overflowed()) {
        ++txn_.svc.counters.ws_client_overflow;
    }
    txn_.svc.logs.give(txn_.log);
}

} // namespace clearcoat::server
