#include "tables/close_reasons.hpp"
#include "tables/log_tags.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;

TEST_CASE("tags have the numbers that readers know", "[tables]") {
    CHECK(static_cast<int>(log_tag::Debug) == 1);
    CHECK(static_cast<int>(log_tag::ReqMethod) == 15);
    CHECK(static_cast<int>(log_tag::BogoHeader) == 55);
    CHECK(static_cast<int>(log_tag::Begin) == 76);
    CHECK(static_cast<int>(log_tag::End) == 77);
    CHECK(static_cast<int>(log_tag::VdpAcct) == 96);
}

TEST_CASE("a tag is found by its name in any case", "[tables]") {
    CHECK(tables::name_of(log_tag::VCL_call) == "VCL_call");
    CHECK(tables::find_log_tag("vcl_CALL") == log_tag::VCL_call);
    CHECK(tables::find_log_tag("VCL_cal") == std::nullopt);
    CHECK(tables::find_log_tag("") == std::nullopt);
    CHECK(tables::name_of(log_tag::batch).empty());
    CHECK(tables::kind_of(log_tag::H2RxHdr) == tables::log_tag_kind::binary);
}

TEST_CASE("a close is counted by reason", "[tables]") {
    tables::main_counters counters;
    tables::count_close(counters, tables::close_reason::rx_timeout);
    tables::count_close(counters, tables::close_reason::rem_close);
    CHECK(counters.sess_closed == 2);
    CHECK(counters.sess_closed_err == 1);
    CHECK(counters.sc_rx_timeout == 1);
    CHECK(counters.sc_rem_close == 1);
    CHECK(tables::name_of(tables::close_reason::resp_close) == "RESP_CLOSE");
}
