// The body of a backend's response on its way into the object: transfer decoding, the filters that beresp.filters
// names, storage. Bytes are received straight into the object's segments where no filter changes them. Belongs to the
// fetch. No I/O: the machine asks where bytes may be received and tells what came.
#pragma once

#include "base/arena.hpp"
#include "base/log.hpp"
#include "body/esi/parse_stage.hpp"
#include "body/pipeline.hpp"
#include "body/stage.hpp"
#include "cache/body_writer.hpp"
#include "http/h1/chunked.hpp"
#include "http/h1/framing.hpp"
#include "http/head.hpp"
#include "tables/param_block.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clearcoat::tables {
struct main_counters;
}
namespace clearcoat::vcl {
class host;
}

namespace clearcoat::flow {

class fetch_body {
  public:
    enum class state : std::uint8_t { more, done, failed };

    /// A new response with that framing; forgets the one before.
    void reset(const http::h1::framing& framing) noexcept;
    /// A body whose transfer coding is decoded already: ended() follows its last bytes.
    void reset_decoded() noexcept;
    /// What making filters takes. All outlive the body.
    struct workshop {
        http::head& beresp;
        std::string_view page_url; // for ESI
        const tables::param_block& params;
        base::arena& memory;
        tables::main_counters& counters;
        base::log_writer& log;
        vcl::host& task; // whose program's modules may have filters
    };
    /// Makes the filters of `list` (names between blanks, in the order of the flow). A filter changes the head as its
    /// coding demands, or steps aside when the head does not fit it. False: error() tells.
    bool build(std::string_view list, const workshop& shop);
    /// Whether the object is gzip as stored, and whether the coding was changed here.
    bool makes_gzip() const noexcept { return makes_gzip_; }
    bool changes_encoding() const noexcept { return changes_encoding_; }

    /// Where the bytes go, before the first of them.
    void write_to(cache::body_writer& writer) noexcept { writer_ = &writer; }
    /// Room in the object that bytes may be received into, told with took_direct(). Empty: receive elsewhere and take()
    /// them. With failed: no storage.
    std::span<char> direct_room() noexcept;
    state took_direct(std::size_t count) noexcept;
    /// Takes bytes off the front of `bytes`; what is left when done belongs to nobody.
    state take(std::string_view& bytes) noexcept;
    /// The connection ended in order.
    state ended() noexcept;
    /// The connection broke.
    state broken() noexcept;
    /// There is no storage for what belongs to the body.
    void run_out_of_room() noexcept { fail("Could not get storage"); }
    state now() const noexcept { return state_; }
    bool has_filters() const noexcept { return !stages_.empty(); }
    /// Why it failed, as FetchError says it.
    std::string_view error() const noexcept { return error_; }
    /// What is still to come, where the framing tells; 0 otherwise.
    std::uint64_t left() const noexcept { return left_; }
    /// Bytes of body that came since the last call, framing not counted.
    std::uint64_t take_received() noexcept { return std::exchange(received_, 0); }

    /// Writes Gzip and VfpAcct records and drops the filters. Harmless when there are none.
    void close(base::log_writer& log) noexcept;
    /// Gives the object what the filters made besides the body (ESI program, bits of the gzip stream); before close().
    /// False when there is no room.
    bool keep_products(cache::index& cache, cache::object& target) noexcept;

  private:
    enum class filter : std::uint8_t { gzip, gunzip, testgunzip, esi, esi_gzip, module };
    /// Writes ESI_xmlerror records.
    class esi_problems final : public body::esi::problem_log {
      public:
        esi_problems(base::log_writer& log, tables::main_counters& counters) noexcept
            : log_(log), counters_(counters) {}
        void esi_record(body::esi::problem::severity how_bad, std::string_view record) noexcept override;

      private:
        base::log_writer& log_;
        tables::main_counters& counters_;
    };
    struct entry {
        filter kind;
        std::unique_ptr<body::stage> stage;
        std::uint64_t calls = 0;
        std::uint64_t out = 0;
    };
    bool add(std::string_view name, const workshop& shop);
    bool add_gzip(const workshop& shop);
    bool add_gunzip(filter kind, const workshop& shop);
    bool add_esi(filter kind, const workshop& shop);
    bool add_module(std::string_view name, const workshop& shop);
    bool cannot_open(std::string_view name);
    void become_gzip(http::head& beresp) noexcept;
    const body::gzip_bits* gzip_bits_made() const noexcept;
    static void write_gzip_record(base::log_writer& log, const entry& e) noexcept;
    bool connect_stages(base::arena& memory) noexcept;

    state deliver(std::string_view data, bool last) noexcept;
    state push(std::string_view data, bool last) noexcept;
    state store(std::string_view data) noexcept;
    state take_chunked(std::string_view& bytes) noexcept;
    state complete() noexcept;
    state fail(std::string_view why) noexcept;
    bool only_tested() const noexcept { return stages_.size() == 1 && stages_[0].kind == filter::testgunzip; }

    http::h1::framing framing_;
    http::h1::chunk_decoder chunks_;
    std::uint64_t left_ = 0;
    std::uint64_t received_ = 0;
    std::uint64_t reads_ = 0;
    std::vector<entry> stages_;
    std::optional<body::pipeline> pipeline_;
    std::optional<esi_problems> esi_problems_;
    cache::body_writer* writer_ = nullptr;
    state state_ = state::more;
    std::string error_;
    bool makes_gzip_ = false;
    bool changes_encoding_ = false;
    bool open_ = false; // records of close() are due
};

} // namespace clearcoat::flow
