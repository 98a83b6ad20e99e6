// One fragment of an ESI page: a request of its own, with its own machine, log and VCL run, whose body goes into the
// page. It never touches the client's connection. Lives in memory of the loop for requests.
#pragma once

#include "body/esi/deliver.hpp"
#include "body/esi/splice.hpp"
#include "body/gunzip_stage.hpp"
#include "body/pipeline.hpp"
#include "cache/body_cursor.hpp"
#include "flow/esi_include.hpp"
#include "flow/request.hpp"
#include "flow/request_fsm.hpp"
#include "net/buffer.hpp"
#include "server/esi_tree.hpp"
#include "server/task_waker.hpp"

#include <array>
#include <memory>
#include <optional>

namespace clearcoat::server {

class esi_include {
  public:
    /// Serves what the page's program says at this point, into `to`. Whatever becomes of the fragment, the page goes
    /// on, unless tree.client.over().
    static net::task<> serve(esi_tree& tree, flow::request& page, const body::esi::instruction& what,
                             body::esi::delivery& program, body_sink& to);

  private:
    /// Counts the fragment's bytes, and keeps to its range.
    class embedded final : public body_sink {
      public:
        embedded(std::uint64_t& count, body::range_window window, body_sink& next) noexcept
            : count_(count), window_(window), next_(next) {}
        net::task<bool> put(std::span<const std::byte> bytes) override {
            const std::span<const std::byte> wanted = window_.take(bytes);
            count_ += wanted.size();
            pieces_ += wanted.empty() ? 0 : 1;
            return next_.put(wanted);
        }

        std::uint64_t pieces() const noexcept { return pieces_; }

      private:
        std::uint64_t& count_;
        std::uint64_t pieces_ = 0;
        body::range_window window_;
        body_sink& next_;
    };

    esi_include(esi_tree& tree, flow::request& page, const body::esi::instruction& what, body::esi::delivery& program,
                body_sink& to);
    net::task<> run();
    net::task<> perform(flow::request_action action);
    net::task<> deliver();
    net::task<bool> wait_until_finished();
    /// Puts together what the bytes pass on their way to the page; nullptr when memory is out.
    body_sink* build(flow::embedding how);
    /// gunzip and the filters of modules; nullptr when memory is out.
    body::stage* set_up_stages();
    net::task<bool> send(flow::embedding how);
    net::task<bool> send_body(body_sink& to);
    void log_filters(flow::embedding how) noexcept;
    void failed() noexcept;
    void finish() noexcept;

    esi_tree& tree_;
    body::esi::delivery& program_;
    body_sink& to_;
    const bool may_fail_; // onerror="continue"
    flow::request txn_;
    task_waker module_waker_;
    flow::request_fsm fsm_;

    // Delivery.
    std::optional<cache::body_cursor> from_;
    std::array<std::span<const char>, 8> parts_;
    std::optional<body::esi::stored_block_stage> stored_;
    std::optional<body::esi::gzip_splice_stage> spliced_;
    std::unique_ptr<body::gunzip_stage> gunzip_;
    net::buffer joined_room_;
    net::buffer staged_room_;
    std::unique_ptr<body::pipeline> pipeline_; // of gunzip_ and modules' filters
    std::optional<stage_sink> joined_;         // into the page's gzip stream
    std::optional<embedded> embedded_;
    std::optional<stage_sink> staged_; // through gunzip_ or pipeline_
};

} // namespace clearcoat::server
