// Sends the body of an object that was read for ESI, as its program says: text as it is, markup left out, includes
// served where they stand.
#pragma once

#include "body/esi/deliver.hpp"
#include "cache/body_cursor.hpp"
#include "server/esi_tree.hpp"

#include <array>

namespace clearcoat::server {

class esi_page {
  public:
    /// `txn` is the request for the page, `from` stands at the beginning of its object's body. `around` is the sum of
    /// the gzip stream that this page becomes a part of, when it does. All outlive the page.
    esi_page(esi_tree& tree, flow::request& txn, cache::body_cursor& from, body_sink& to,
             body::esi::gzip_sum* around) noexcept
        : tree_(tree), txn_(txn), from_(from), to_(to), program_(txn.object->esi_data(), around) {}

    /// False when it did not get to the end.
    net::task<bool> send();

  private:
    net::task<bool> send_text(std::uint64_t size);
    net::task<bool> skip(std::uint64_t size);

    esi_tree& tree_;
    flow::request& txn_;
    cache::body_cursor& from_;
    body_sink& to_;
    body::esi::delivery program_;
    std::array<std::span<const char>, 8> parts_;
};

} // namespace clearcoat::server
