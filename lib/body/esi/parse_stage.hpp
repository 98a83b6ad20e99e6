// The fetch side of ESI: the stages `esi` and `esi_gzip`. Both take plain text, store the whole page, markup included,
// and make the program for delivery; esi_gzip compresses on the way, cut so that texts and includes can be joined
// later.
#pragma once

#include "body/esi/parser.hpp"
#include "body/esi/program.hpp"
#include "body/gzip_stage.hpp"
#include "body/stage.hpp"

#include <memory>

namespace clearcoat::body::esi {

/// Hears what is wrong with a page.
class problem_log {
  public:
    /// The text of the ESI_xmlerror record; `how_bad` tells which counter it bumps (notes bump none).
    virtual void esi_record(problem::severity how_bad, std::string_view record) noexcept = 0;

  protected:
    ~problem_log() = default;
};

/// What both stages share: the parser, the program, and where the current run of text or markup began in what is
/// stored.
class parse_stage : public stage, protected parser_listener {
  public:
    std::string_view error() const noexcept override { return error_; }
    /// When done: the program to keep with the object; empty when the page had no ESI.
    std::string_view program() const noexcept { return parser_.found() ? writer_.bytes() : std::string_view(); }

  protected:
    parse_stage(bool gzipped, std::string_view page_url, const parser_options& options, problem_log& log)
        : parser_(page_url, options, *this), writer_(gzipped), log_(&log) {}

    void esi_problem(const problem& p) noexcept override;
    void esi_include(std::string_view host, std::string_view url, bool continue_on_error) override;

    parser parser_;
    program_writer writer_;
    problem_log* log_;
    std::string_view error_;
    parser::piece::kind run_ = parser::piece::kind::skip;
    std::uint64_t run_begin_ = 0; // in stored bytes
};

/// Stores the page as it came.
class esi_stage final : public parse_stage {
  public:
    /// `page_url` lives as long as the stage.
    esi_stage(std::string_view page_url, const parser_options& options, problem_log& log)
        : parse_stage(false, page_url, options, log) {}

    stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    std::string_view name() const noexcept override { return "esi"; }

  private:
    void change_run(parser::piece::kind to);

    std::uint64_t seen_ = 0; // bytes told apart
};

/// Stores the page gzipped. zlib's state is allocated by create().
class esi_gzip_stage final : public parse_stage {
  public:
    /// nullptr when memory is out.
    static std::unique_ptr<esi_gzip_stage> create(std::string_view page_url, const parser_options& options,
                                                  problem_log& log, int level, int memory_level);

    stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    std::string_view name() const noexcept override { return "esi_gzip"; }

    const gzip_stage& compressor() const noexcept { return *gzip_; }

  private:
    enum class phase : std::uint8_t { flushing, parsing, finishing };

    esi_gzip_stage(std::string_view page_url, const parser_options& options, problem_log& log,
                   std::unique_ptr<gzip_stage> gzip)
        : parse_stage(true, page_url, options, log), gzip_(std::move(gzip)) {}
    bool prepare(std::span<const std::byte> in, bool last, std::size_t& used);
    stage_step advance(std::span<std::byte> out);
    void fetch_piece();
    void begin_run(parser::piece::kind next);
    void end_run();

    std::unique_ptr<gzip_stage> gzip_;
    phase phase_ = phase::flushing; // the gzip header goes out first, as something to skip
    parser::piece piece_;           // not compressed yet
    parser::piece::kind next_run_ = parser::piece::kind::text;
    bool fed_ = false; // the current input is with the parser
    bool last_ = false;
    std::size_t fed_size_ = 0;
    std::uint64_t plain_size_ = 0; // of the current run
    std::uint32_t plain_crc_ = 0;
    bool has_new_piece_ = false; // piece_ is not part of those numbers yet
    std::size_t next_size_ = 0;
    std::uint32_t next_crc_ = 0;
};

} // namespace clearcoat::body::esi
