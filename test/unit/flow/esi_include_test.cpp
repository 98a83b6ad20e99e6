#include "support/fetch_bench.hpp"

#include "flow/esi_include.hpp"
#include "tables/bits.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using flow::embedding;

namespace {

/// A page's request and one for what it includes.
struct pair {
    explicit pair(fetch_bench& bench) : bench_(bench) {
        page_log.reset(2001, base::log_side::client);
        log.reset(2003, base::log_side::client);
        page.vcl = bench.vcl.program();
        page.received = 1234;
        http::head& h = page.head;
        h.set_listener(nullptr);
        h.set_method("POST");
        h.set_url("/page");
        h.set_protocol("HTTP/1.0");
        for (auto [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"Host", "example.com"},
                 {"Range", "bytes=1-2"},
                 {"If-None-Match", "\"x\""},
                 {"If-Modified-Since", "Thu, 01 Jan 1970 00:00:01 GMT"},
                 {"Content-Length", "10"},
                 {"Accept-Encoding", "br"},
                 {"Cookie", "a=b"}}) {
            h.add(http::field_name(name), value);
        }
        page.original.copy(page.head);
    }
    void set_up(std::string_view host, bool gzipped) {
        body::esi::instruction what;
        what.what = body::esi::instruction::kind::include;
        what.host = host;
        what.url = "/part";
        flow::set_up_include(fragment, page, what, gzipped);
    }
    std::vector<std::string> texts(log_tag tag) const { return log.texts(tag); }

    kept_log page_log;
    kept_log log;

  private:
    fetch_bench& bench_;
    flow::session_settings settings_;
    std::shared_ptr<const flow::session_facts> facts_ = std::make_shared<flow::session_facts>();

  public:
    flow::request page{bench_.svc, page_log, *facts_, settings_};
    flow::request fragment{bench_.svc, log, *facts_, settings_, &page};
};

} // namespace

TEST_CASE("an include asks for the part alone, as the client would") {
    fetch_bench bench;
    pair p(bench);
    p.set_up("elsewhere", false);
    const http::head& req = p.fragment.head;
    CHECK(req.method() == "GET");
    CHECK(req.url() == "/part");
    CHECK(req.version() == 11);
    CHECK(req.get("Host") == "elsewhere");
    CHECK(req.get("Cookie") == "a=b");
    for (const char* name : {"Range", "If-None-Match", "If-Modified-Since", "Content-Length", "Accept-Encoding"}) {
        INFO(name);
        CHECK_FALSE(req.has(http::field_name(name)));
        CHECK_FALSE(p.fragment.original.has(http::field_name(name)));
    }
    CHECK(p.fragment.original.url() == "/part");
    CHECK_FALSE(p.fragment.is_top());
    CHECK(p.fragment.esi_level == 1);
    CHECK(p.fragment.received == 1234);
    CHECK(p.fragment.vcl == p.page.vcl);
    CHECK(p.page.head.get("Range") == "bytes=1-2");
    CHECK(p.texts(log_tag::ReqURL) == std::vector<std::string>{"/part"});
    CHECK(p.texts(log_tag::ReqMethod) == std::vector<std::string>{"GET"});
    CHECK(p.texts(log_tag::ReqHeader) == std::vector<std::string>{"Host: elsewhere"});
}

TEST_CASE("a gzipped page asks for gzip; without a host the page's own stays") {
    fetch_bench bench;
    pair p(bench);
    p.set_up("", true);
    CHECK(p.fragment.head.get("Accept-Encoding") == "gzip");
    CHECK(p.fragment.head.get("Host") == "example.com");
}

TEST_CASE("an include begins with the VCL that the top request began with") {
    fetch_bench bench;
    fetch_bench other;
    pair p(bench);
    p.page.first_vcl = other.vcl.program();
    p.set_up("", false);
    CHECK(p.fragment.vcl == other.vcl.program());
}

TEST_CASE("includes nest as deep as max_esi_depth") {
    fetch_bench bench;
    pair p(bench);
    REQUIRE(bench.params.set("max_esi_depth", "1", true).ok());
    CHECK(flow::may_include(p.page));
    p.set_up("", false);
    CHECK_FALSE(flow::may_include(p.fragment));
    CHECK(p.texts(log_tag::VCL_Error) == std::vector<std::string>{"ESI depth limit reach (param max_esi_depth = 1)"});
}

TEST_CASE("how a fragment joins its page") {
    fetch_bench bench;
    pair p(bench);
    p.fragment.object = bench.cache.make_private();
    p.fragment.response.set_status(200);
    flow::delivery_plan plan;
    CHECK(flow::embedding_of(p.fragment, plan, false) == embedding::nothing);
    plan.send_body = true;
    CHECK(flow::embedding_of(p.fragment, plan, false) == embedding::straight);
    CHECK(flow::embedding_of(p.fragment, plan, true) == embedding::stored);
    p.fragment.object->set(cache::object_flag::gzipped);
    CHECK(flow::embedding_of(p.fragment, plan, true) == embedding::stored); // a gunzip filter took the coding away
    p.fragment.response.add("Content-Encoding", "gzip");
    CHECK(flow::embedding_of(p.fragment, plan, true) == embedding::spliced);
    plan.esi = true;
    CHECK(flow::embedding_of(p.fragment, plan, true) == embedding::straight);
    p.fragment.response.set_status(404);
    CHECK(flow::embedding_of(p.fragment, plan, false) == embedding::straight);
    REQUIRE(bench.params.set("feature", "+esi_include_onerror", true).ok());
    CHECK(flow::embedding_of(p.fragment, plan, false) == embedding::refused);
}
