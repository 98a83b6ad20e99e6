// How a page with ESI includes goes out over HTTP/1. Its parts come in any size and number: small ones are collected in
// one buffer and sent together, at the latest before the session waits for something.
#include "server/esi_page.hpp"
#include "server/h1_delivery.hpp"
#include "server/h1_session.hpp"

#include "tables/log_tags.hpp"

#include <cstring>

namespace clearcoat::server {

using tables::close_reason;

class h1_delivery::esi_end final : public client_end {
  public:
    explicit esi_end(h1_delivery& d) noexcept : d_(d) {}

    net::task<bool> put(std::span<const std::byte> bytes) override {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (over()) {
            co_return false;
        }
        if (!d_.collect(text)) {
            if (text.size() < worth_a_piece) {
                const bool sent = co_await flush();
                co_return sent&& d_.collect(text);
            }
            const bool sent = co_await send(text);
            co_return sent;
        }
        co_return true;
    }
    net::task<bool> flush() override {
        if (over() || (d_.used_ == 0 && d_.plain_size_ == 0)) {
            co_return !over();
        }
        const bool sent = co_await send(std::string_view());
        co_return sent;
    }
    net::task<> yield() override { static_cast<void>(co_await d_.session_.stream().yield()); }
    bool stopping() const noexcept override { return d_.session_.stopping(); }

    net::task<bool> finish() {
        d_.add_collected({});
        d_.end_body();
        const bool sent = co_await d_.flush();
        co_return sent;
    }

  private:
    static constexpr std::size_t worth_a_piece = 4096; // below, copying is cheaper than a write of its own

    /// What was collected and `more` behind it.
    net::task<bool> send(std::string_view more) {
        d_.add_collected(more);
        const bool sent = co_await d_.flush();
        if (!sent) {
            give_up();
        }
        co_return sent;
    }

    h1_delivery& d_;
};

bool h1_delivery::collect(std::string_view bytes) noexcept {
    const std::span<char> room = plain_.all().subspan(plain_size_);
    if (bytes.size() > room.size()) {
        return false;
    }
    if (!bytes.empty()) {
        std::memcpy(room.data(), bytes.data(), bytes.size());
        plain_size_ += bytes.size();
    }
    return true;
}

void h1_delivery::add_collected(std::string_view more) noexcept {
    spans_[0] = plain_.all().first(plain_size_);
    spans_[1] = more;
    const std::size_t count = more.empty() ? 1 : 2;
    add_body({spans_.data(), count}, plain_size_ + more.size());
    plain_size_ = 0;
}

net::task<bool> h1_delivery::send_esi(flow::delivery_plan& plan) {
    base::chunk_cache& buffers = session_.context().loop.buffers();
    net::buffer room;
    esi_end client(*this);
    std::optional<stage_sink> staged;
    const bool stages = plan.gunzip || !plan.modules.empty();
    if (stages) {
        stage_ = set_up_stages(plan);
    }
    if (!plain_.borrow(buffers) || (stages && (stage_ == nullptr || !room.borrow(buffers)))) {
        co_return stop(close_reason::overload);
    }
    body_sink* first = &client;
    if (stages) {
        first = &staged.emplace(*stage_, std::as_writable_bytes(room.all()), client);
    }
    esi_tree tree(session_.context(), txn_, host_, waker_, waiting_, client);
    esi_page page(tree, txn_, *cursor_, *first, nullptr);
    bool good = co_await page.send();
    if (good && staged) {
        good = co_await staged->end();
    }
    read_ = staged ? staged->count() : 0;
    if (good) {
        good = co_await client.finish();
    }
    co_return good || stop(close_reason::tx_error);
}

} // namespace clearcoat::server
