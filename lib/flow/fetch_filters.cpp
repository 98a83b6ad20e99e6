// The filters of a fetched body: made from their names, and what they leave behind at the end.
#include "flow/fetch_body.hpp"

#include "body/esi/parse_stage.hpp"
#include "body/gunzip_stage.hpp"
#include "body/gzip_stage.hpp"
#include "flow/module_filter.hpp"
#include "http/conditional.hpp"
#include "http/tokens.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "vcl/vm/host.hpp"
#include "vcl/vm/instance.hpp"

namespace clearcoat::flow {

bool fetch_body::build(std::string_view list, const workshop& shop) {
    std::string_view rest = list;
    while (true) {
        std::string_view before = rest;
        std::string_view name = http::next_element(rest, " \t\r\n");
        if (name.data() == nullptr) {
            break;
        }
        if (!add(name, shop)) {
            if (error_.empty()) {
                error_ = fmt::format("Filter '...{}' not found", before.substr(before.find(name)));
            }
            return false;
        }
    }
    if (!connect_stages(shop.memory)) {
        error_ = "Workspace overflow";
        return false;
    }
    return true;
}

bool fetch_body::add(std::string_view name, const workshop& shop) {
    if (name == "gzip") {
        return add_gzip(shop);
    }
    if (name == "gunzip") {
        return add_gunzip(filter::gunzip, shop);
    }
    if (name == "testgunzip") {
        return add_gunzip(filter::testgunzip, shop);
    }
    if (name == "esi" || name == "esi_gzip") {
        return add_esi(name == "esi" ? filter::esi : filter::esi_gzip, shop);
    }
    return add_module(name, shop);
}

bool fetch_body::add_module(std::string_view name, const workshop& shop) {
    const vcl::filter_row* row = shop.task.program().filter(name);
    if (row == nullptr || !row->for_fetch) {
        return false;
    }
    auto made = row->make(shop.task);
    if (made == nullptr) {
        return cannot_open(name);
    }
    stages_.push_back({filter::module, std::make_unique<module_filter>(*row, std::move(made))});
    shop.beresp.unset(http::field_id::content_length);
    return true;
}

bool fetch_body::cannot_open(std::string_view name) {
    error_ = fmt::format("Fetch filter {} failed to open", name);
    return false;
}

bool fetch_body::add_gzip(const workshop& shop) {
    if (shop.beresp.status() == 206 || shop.beresp.has(http::field_id::content_encoding)) {
        return true;
    }
    auto stage = body::gzip_stage::create(static_cast<int>(shop.params.gzip_level()),
                                          static_cast<int>(shop.params.gzip_memlevel()));
    if (stage == nullptr) {
        return cannot_open("gzip");
    }
    ++shop.counters.n_gzip;
    stages_.push_back({filter::gzip, std::move(stage)});
    become_gzip(shop.beresp);
    return true;
}

/// The head of a body that is compressed here.
void fetch_body::become_gzip(http::head& beresp) noexcept {
    makes_gzip_ = true;
    changes_encoding_ = true;
    beresp.unset(http::field_id::content_encoding);
    beresp.unset(http::field_id::content_length);
    http::weaken_etag(beresp);
    beresp.add(http::field_id::content_encoding, "gzip");
    http::vary_on_accept_encoding(beresp);
}

bool fetch_body::add_gunzip(filter kind, const workshop& shop) {
    http::head& beresp = shop.beresp;
    if (beresp.status() == 206 || !beresp.is(http::field_id::content_encoding, "gzip")) {
        return true;
    }
    std::unique_ptr<body::stage> stage;
    if (kind == filter::gunzip) {
        stage = body::gunzip_stage::create();
        ++shop.counters.n_gunzip;
    } else {
        stage = body::testgunzip_stage::create();
        ++shop.counters.n_test_gunzip;
    }
    if (stage == nullptr) {
        return cannot_open(kind == filter::gunzip ? "gunzip" : "testgunzip");
    }
    stages_.push_back({kind, std::move(stage)});
    makes_gzip_ = kind == filter::testgunzip;
    if (kind == filter::testgunzip) {
        http::vary_on_accept_encoding(beresp);
        return true;
    }
    changes_encoding_ = true;
    beresp.unset(http::field_id::content_encoding);
    beresp.unset(http::field_id::content_length);
    http::weaken_etag(beresp);
    return true;
}

bool fetch_body::add_esi(filter kind, const workshop& shop) {
    std::string_view name = kind == filter::esi ? "esi" : "esi_gzip";
    if (shop.beresp.status() == 206) {
        shop.log.write(log_tag::VCL_Error, "Attempted ESI on partial (206) response");
        return cannot_open(name);
    }
    body::esi::parser_options options;
    options.disable_xml_check = shop.params.feature(tables::feature::esi_disable_xml_check);
    options.ignore_other_elements = shop.params.feature(tables::feature::esi_ignore_other_elements);
    options.ignore_https = shop.params.feature(tables::feature::esi_ignore_https);
    options.remove_bom = shop.params.feature(tables::feature::esi_remove_bom);
    esi_problems_.emplace(shop.log, shop.counters);
    if (kind == filter::esi) {
        stages_.push_back({kind, std::make_unique<body::esi::esi_stage>(shop.page_url, options, *esi_problems_)});
        return true;
    }
    auto stage = body::esi::esi_gzip_stage::create(shop.page_url, options, *esi_problems_,
                                                   static_cast<int>(shop.params.gzip_level()),
                                                   static_cast<int>(shop.params.gzip_memlevel()));
    if (stage == nullptr) {
        return cannot_open(name);
    }
    ++shop.counters.n_gzip;
    stages_.push_back({kind, std::move(stage)});
    become_gzip(shop.beresp);
    return true;
}

void fetch_body::esi_problems::esi_record(body::esi::problem::severity how_bad, std::string_view record) noexcept {
    log_.write(log_tag::ESI_xmlerror, record);
    if (how_bad == body::esi::problem::severity::error) {
        ++counters_.esi_errors;
    } else if (how_bad == body::esi::problem::severity::warning) {
        ++counters_.esi_warnings;
    }
}

bool fetch_body::connect_stages(base::arena& memory) noexcept {
    if (stages_.empty()) {
        return true;
    }
    pipeline_.emplace();
    for (entry& e : stages_) {
        if (!pipeline_->append(*e.stage, memory)) {
            return false;
        }
    }
    return true;
}

bool fetch_body::keep_products(cache::index& cache, cache::object& target) noexcept {
    if (stages_.empty() || state_ != state::done) {
        return true;
    }
    filter last = stages_.back().kind;
    if (last == filter::esi || last == filter::esi_gzip) {
        std::string_view program = static_cast<const body::esi::parse_stage&>(*stages_.back().stage).program();
        if (!program.empty() && !cache.attach_esi(target, program)) {
            return false;
        }
    }
    const body::gzip_bits* bits = gzip_bits_made();
    if (bits == nullptr) {
        return true;
    }
    cache::gzip_layout layout;
    layout.start_bit = bits->start;
    layout.last_bit = bits->last;
    layout.stop_bit = bits->stop;
    layout.plain_length = bits->plain_size;
    return cache.attach_gzip(target, layout);
}

/// Of the stored body; nullptr when it is no gzip stream that we know.
const body::gzip_bits* fetch_body::gzip_bits_made() const noexcept {
    const body::stage& last = *stages_.back().stage;
    switch (stages_.back().kind) {
    case filter::gzip:
        return &static_cast<const body::gzip_stage&>(last).bits();
    case filter::testgunzip:
        return &static_cast<const body::testgunzip_stage&>(last).bits();
    case filter::esi_gzip:
        return &static_cast<const body::esi::esi_gzip_stage&>(last).compressor().bits();
    default:
        return nullptr;
    }
}

namespace {

template<class Stage>
void write_totals(base::log_writer& log, std::string_view who, const Stage& stage) noexcept {
    char room[140];
    log.write(log_tag::Gzip,
              body::write_gzip_record(who, stage.total_in(), stage.total_out(), stage.bits(), std::span(room)));
}

} // namespace

void fetch_body::write_gzip_record(base::log_writer& log, const entry& e) noexcept {
    const body::stage& stage = *e.stage;
    switch (e.kind) {
    case filter::gzip:
        return write_totals(log, "G F -", static_cast<const body::gzip_stage&>(stage));
    case filter::gunzip:
        return write_totals(log, "U F -", static_cast<const body::gunzip_stage&>(stage));
    case filter::testgunzip:
        return write_totals(log, "u F -", static_cast<const body::testgunzip_stage&>(stage));
    case filter::esi_gzip:
        return write_totals(log, "G F E", static_cast<const body::esi::esi_gzip_stage&>(stage).compressor());
    case filter::esi:
    case filter::module:
        return;
    }
}

void fetch_body::close(base::log_writer& log) noexcept {
    for (std::size_t i = stages_.size(); i-- > 0;) {
        const entry& e = stages_[i];
        write_gzip_record(log, e);
        // Of inner ones the pipeline knows.
        const bool inner = i + 1 != stages_.size() && pipeline_;
        const body::pipeline::tally count = inner ? pipeline_->tally_of(i) : body::pipeline::tally{e.calls, e.out};
        log.print(log_tag::VfpAcct, "{} {} {}", e.stage->name(), count.calls, count.made);
    }
    pipeline_.reset();
    stages_.clear();
    if (open_) {
        static constexpr std::string_view names[] = {"", "V1F_STRAIGHT", "V1F_CHUNKED", "V1F_EOF", ""};
        log.print(log_tag::VfpAcct, "{} {} {}", names[static_cast<std::size_t>(framing_.kind)], reads_, received_);
        open_ = false;
    }
}

} // namespace clearcoat::flow
