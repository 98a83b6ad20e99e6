#include "tables/params.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace clearcoat;
using namespace clearcoat::tables;

namespace {

struct fixture {
    param_block block;
    parameter_set set{block};
};

std::string error_of(parameter_set& set, std::string_view name, std::string_view value) {
    param_answer answer = set.set(name, value, false);
    CHECK(answer.status != 200);
    return answer.text.substr(0, answer.text.find('\n'));
}

} // namespace

TEST_CASE_METHOD(fixture, "defaults are in force", "[params]") {
    CHECK(block.default_ttl() == 120.0);
    CHECK(block.http_max_hdr() == 64);
    CHECK(block.fetch_maxchunksize() == 256 * 1024 * 1024);
    CHECK(block.vsl_reclen() == 255);
    CHECK(block.auto_restart());
    CHECK(block.feature(feature::validate_headers));
    CHECK_FALSE(block.feature(feature::http2));
    CHECK(block.masked(log_tag::Hash));
    CHECK_FALSE(block.masked(log_tag::ReqURL));
    CHECK(set.h2_rxbuf_storage() == "Transient");
    CHECK(block.vcc_feature(vcc_feature::err_unref));
    CHECK_FALSE(block.vcl_legacy());
}

TEST_CASE_METHOD(fixture, "a value is seen through the block at once", "[params]") {
    CHECK(set.set("default_ttl", "1.5", false).ok());
    CHECK(block.default_ttl() == 1.5);
    CHECK(set.set("feature", "+http2", false).ok());
    CHECK(block.feature(feature::http2));
    CHECK(set.set("deprecated_dummy", "+vtc_mode", false).ok());
    CHECK(block.debug(debug::vtc_mode));
    CHECK(set.set("vsl_mask", "+Hash,-ReqURL", false).ok());
    CHECK_FALSE(block.masked(log_tag::Hash));
    CHECK(block.masked(log_tag::ReqURL));
    CHECK(set.set("vcc_err_unref", "off", false).ok());
    CHECK_FALSE(block.vcc_feature(vcc_feature::err_unref));
    CHECK(set.set("http_req_overflow_status", "413", false).ok());
    CHECK(set.set("http_req_overflow_status", "0", false).ok());
    CHECK_FALSE(set.set("http_req_overflow_status", "200", false).ok());
}

TEST_CASE_METHOD(fixture, "durations may have the units of VCL", "[params]") {
    CHECK(set.set("default_grace", "1h", false).ok());
    CHECK(block.default_grace() == 3600);
    CHECK(set.value_text(param_id::default_grace) == "3600.000");
    CHECK(set.set("default_grace", "1.5 m", false).ok());
    CHECK(block.default_grace() == 90);
    CHECK(set.set("default_grace", "250ms", false).ok());
    CHECK(block.default_grace() == 0.25);
    CHECK(set.set("default_grace", "7 ", false).ok());
    CHECK(block.default_grace() == 7);
    CHECK(error_of(set, "default_grace", "1 hour") == "Invalid duration unit (1 hour)");
    CHECK(error_of(set, "default_grace", "-1m") == "Must be greater or equal to 0.000");
    CHECK(error_of(set, "critbit_cooloff", "5m") == "Must be less than or equal to 254.000");
    CHECK(error_of(set, "default_grace", "99999999999y") == "Too many digits (99999999999y)");
    CHECK(block.default_grace() == 7);
}

TEST_CASE_METHOD(fixture, "timeouts may be never", "[params]") {
    CHECK(set.set("send_timeout", "never", false).ok());
    CHECK(block.send_timeout() == std::numeric_limits<double>::infinity());
    CHECK(set.value_text(param_id::send_timeout) == "never");
    const std::string_view name = "send_timeout";
    CHECK(set.show_json({&name, 1}).text.find("\"value\": \"never\",") != std::string::npos);
    CHECK(set.set("send_timeout", "10", false).ok());
    CHECK(set.value_text(param_id::send_timeout) == "10.000");
    CHECK(error_of(set, "default_ttl", "never") == "Invalid number (never)");
    CHECK(error_of(set, "timeout_idle", "never") == "Invalid number (never)");
}

TEST_CASE_METHOD(fixture, "none and all set every bit before the words behind them", "[params]") {
    CHECK(set.set("vsl_mask", "none,+VCL_Log", false).ok());
    CHECK(block.masked(log_tag::ReqURL));
    CHECK(block.masked(log_tag::Hash));
    CHECK_FALSE(block.masked(log_tag::VCL_Log));
    CHECK(set.set("vsl_mask", "all,-ReqURL", false).ok());
    CHECK(set.value_text(param_id::vsl_mask) == "-ReqURL");
    CHECK(set.set("vsl_mask", "all", false).ok());
    CHECK(set.value_text(param_id::vsl_mask) == "(all enabled)");
    CHECK(set.set("feature", "none,+http2,+trace", false).ok());
    CHECK(set.value_text(param_id::feature) == "+http2,+trace");
    CHECK(set.set("feature", "all,-http2", false).ok());
    CHECK_FALSE(block.feature(feature::http2));
    CHECK(block.feature(feature::trace));
    CHECK(block.feature(feature::vcl_req_reset));
    CHECK(set.set("debug", "+lck,none", false).ok());
    CHECK(set.value_text(param_id::debug) == "none");
    // Nothing is changed by a list with an error in it.
    CHECK(error_of(set, "feature", "none,+foo") == "Unknown feature bit (+foo)");
    CHECK(block.feature(feature::trace));
    CHECK(error_of(set, "feature", "+none") == "Unknown feature bit (+none)");
}

TEST_CASE_METHOD(fixture, "wrong values are refused in the reference's words", "[params]") {
    CHECK(error_of(set, "default_ttl", "abc") == "Invalid number (abc)");
    CHECK(error_of(set, "default_ttl", "-1") == "Must be greater or equal to 0.000");
    CHECK(error_of(set, "default_ttl", "10000000000000") == "Too many digits (10000000000000)");
    CHECK(error_of(set, "acceptor_sleep_decay", "2") == "Must be less than or equal to 1");
    CHECK(error_of(set, "thread_pool_min", "3") == "Must be at least 5");
    CHECK(error_of(set, "thread_pool_min", "6000") == "Must be no more than 5000 (thread_pool_max)");
    CHECK(error_of(set, "http_max_hdr", "ten") == "Not a number (ten)");
    CHECK(error_of(set, "http_max_hdr", "-1") == "Not a number (-1)");
    CHECK(error_of(set, "cli_limit", "1") == "Must be at least 128b");
    CHECK(error_of(set, "cli_limit", "999999999") == "Must be no more than 99999999b");
    CHECK(error_of(set, "cli_limit", "foo") == "Could not convert to bytes.");
    CHECK(error_of(set, "feature", "foo") == "Missing '+' or '-' (foo)");
    CHECK(error_of(set, "feature", "+http2,+foo") == "Unknown feature bit (+foo)");
    CHECK_FALSE(block.feature(feature::http2));
    CHECK(error_of(set, "vsl_mask", "-Foo") == "Unknown VSL tag (-Foo)");
    CHECK(error_of(set, "prefer_ipv6", "maybe") == "use \"on\" or \"off\"");
    CHECK(error_of(set, "pool_req", "1,2") == "Three fields required: min_pool, max_pool and max_age");
    CHECK(error_of(set, "pool_req", "10,5,1") == "min_pool cannot be larger than max_pool");
    CHECK(error_of(set, "nosuch", "1") == "Unknown parameter \"nosuch\".");
    CHECK(error_of(set, "h2_rxbuf_storage", "s7") == "unknown storage backend 's7'");
    CHECK(set.set("default_ttl", "x", false).text ==
          "Invalid number (x)\n\n(attempting to set param 'default_ttl' to 'x')");
    CHECK(set.set("accept_filter", "on", false).status == 300);
}

TEST_CASE_METHOD(fixture, "limits follow other parameters", "[params]") {
    CHECK_FALSE(set.set("vsl_reclen", "20k", false).ok());
    CHECK(set.set("vsl_buffer", "32k", false).ok());
    CHECK(set.set("vsl_reclen", "20k", false).ok());
    CHECK_FALSE(set.set("vsl_buffer", "16k", false).ok());
    CHECK(set.set("thread_pool_max", "200", false).ok());
    CHECK_FALSE(set.set("thread_pool_min", "201", false).ok());
}

TEST_CASE_METHOD(fixture, "reset, restart notes and protection", "[params]") {
    CHECK(set.set("max_retries", "unlimited", false).ok());
    CHECK(set.value_text(param_id::max_retries) == "unlimited");
    CHECK(set.reset("max_retries", false).ok());
    CHECK(block.max_retries() == 4);
    CHECK(set.set("listen_depth", "5", false).text.empty());
    CHECK(set.set("listen_depth", "5", true).text == "\nChange will take effect when child is restarted");
    CHECK(set.set("cc_command", "x", true).text == "\nChange will take effect when VCL script is reloaded");
    CHECK(set.set("vsl_mask", "+Hash", false).ok());
    CHECK(set.reset("vsl_mask", false).ok());
    CHECK(block.masked(log_tag::Hash));
    CHECK(set.protect("nosuch").status == 106);
    CHECK(set.protect("max_retries,debug").ok());
    CHECK(set.set("max_retries", "1", false).status == 107);
    CHECK(set.set("debug", "+lck", false).text == "parameter \"debug\" is protected.");
    // Nor is there a way around through another name.
    CHECK(set.set("deprecated_dummy", "+lck", false).status == 107);
    CHECK(set.reset("deprecated_dummy", false).status == 107);
    CHECK(set.set("vcc_err_unref", "off", false).ok());
    CHECK(set.protect("vcc_feature").ok());
    CHECK(set.set("vcc_err_unref", "on", false).text == "parameter \"vcc_err_unref\" is protected.");
}

TEST_CASE("rows are in order and complete", "[params]") {
    std::string_view last;
    for (const param_row& row : param_rows()) {
        CHECK(row.name > last);
        CHECK(find_param(row.name) == &row);
        last = row.name;
    }
    CHECK(find_param("thread_pool_stack") != nullptr);
}
