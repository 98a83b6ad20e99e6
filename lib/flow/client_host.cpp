#include "flow/client_host.hpp"

#include "cache/body_cursor.hpp"
#include "cache/index.hpp"
#include "flow/object_reader.hpp"
#include "flow/pipe_exchange.hpp"
#include "tables/log_tags.hpp"

#include <array>

namespace clearcoat::flow {

client_host::client_host(request& txn, waker_source& wakers, client_host* top) noexcept
    : task_host(txn.svc, txn.log, txn.workspace, wakers, txn.session), txn_(txn), top_(top) {
    bind(vcl::message::req, &txn.head);
    bind(vcl::message::req_top, &txn.top->head);
    bind(vcl::message::resp, &txn.response);
}

void client_host::bind_pipe(pipe_exchange* exchange) noexcept {
    exchange_ = exchange;
    bind(vcl::message::bereq, exchange == nullptr ? nullptr : &exchange->head());
}

base::digest client_host::end_hash() noexcept {
    const base::digest value = hasher_->finish();
    hasher_.reset();
    return value;
}

std::optional<std::uint64_t> client_host::take_body_request() noexcept {
    return std::exchange(body_request_, std::nullopt);
}

void client_host::end_task() noexcept {
    top_privates_.end(*this);
    end_privates();
}

std::string_view client_host::header(vcl::message where, std::string_view name) noexcept {
    if (where != vcl::message::obj) {
        return task_host::header(where, name);
    }
    return txn_.object ? head_of(*txn_.object).get(name) : std::string_view();
}

void client_host::hash_data(std::string_view text) noexcept {
    if (!hasher_) {
        return;
    }
    // A separator between the parts, so that "a" + "bc" and "ab" + "c" are different keys; the reference's byte, so
    // that req.hash is the same number.
    hasher_->update(text);
    hasher_->update(std::string_view("\0", 1));
    log().write(log_tag::Hash, text);
}

void client_host::hash_bytes(std::string_view bytes) noexcept {
    if (hasher_) {
        hasher_->update(bytes);
    }
}

void client_host::synthetic(std::string_view text, bool replace) noexcept {
    if (replace) {
        txn_.synthetic.clear();
    }
    txn_.synthetic.append(text);
}

void client_host::restore_request() noexcept {
    end_task();
    txn_.head.copy(txn_.original);
    txn_.filters = {};
    txn_.choice = vcl::lookup_choice::usual;
}

void client_host::rollback(vcl::message where) noexcept {
    if (where != vcl::message::req) {
        return;
    }
    restore_request();
    if (maker_ != nullptr && (current() == vcl::sub_id::deliver || current() == vcl::sub_id::synth)) {
        maker_->remake_response();
    }
}

vcl::host::body_state client_host::cache_request_body(std::uint64_t limit) noexcept {
    switch (txn_.body.now) {
    case received_body::state::none:
    case received_body::state::cached:
        return body_state::ready;
    case received_body::state::unread:
        break;
    case received_body::state::taken:
    case received_body::state::failed:
        return body_state::failed;
    }
    if (txn_.restarts > 0) {
        log().write(log_tag::VCL_Error, "req.body must be cached before restarts");
        return body_state::failed;
    }
    body_request_ = limit;
    return body_state::pending;
}

void client_host::each_request_body_part(const std::function<bool(std::string_view)>& visit) {
    if (!txn_.body.kept) {
        return;
    }
    cache::body_cursor cursor(txn_.body.kept);
    std::array<std::span<const char>, 8> parts;
    for (;;) {
        const cache::cursor_read read = cursor.peek(parts);
        if (read.status != cache::cursor_status::data) {
            return;
        }
        for (std::size_t i = 0; i < read.count; ++i) {
            if (!visit({parts[i].data(), parts[i].size()})) {
                return;
            }
        }
        cursor.advance(read.bytes);
    }
}

std::int64_t client_host::purge(base::seconds ttl, base::seconds grace, base::seconds keep) noexcept {
    if (current() != vcl::sub_id::hit && current() != vcl::sub_id::miss) {
        return -1;
    }
    auto setting = [](base::seconds s) { return s < 0 ? cache::unchanged : s; };
    return static_cast<std::int64_t>(
        txn_.svc.cache.purge(txn_.digest, now(), setting(ttl), setting(grace), setting(keep)));
}

std::unique_ptr<vcl::task_private>& client_host::private_data(vcl::private_scope scope, const void* owner) {
    if (scope == vcl::private_scope::top) {
        return top_ != nullptr ? top_->private_data(scope, owner) : top_privates_.slot(owner);
    }
    return task_host::private_data(scope, owner);
}

} // namespace clearcoat::flow
