#include "body/esi/parse_stage.hpp"

#include "body/esi/deliver.hpp"
#include "body/esi/splice.hpp"
#include "body/gunzip_stage.hpp"
#include "unit/body/stage_support.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::body;
using namespace clearcoat::body::esi;
using namespace clearcoat::test;

namespace {

struct records final : problem_log {
    std::vector<std::string> heard;
    void esi_record(problem::severity, std::string_view record) noexcept override { heard.emplace_back(record); }
};

struct object {
    std::string body, program;
};

object parse(const std::string& page, std::size_t piece, bool gzip, std::size_t room = 4096) {
    records log;
    std::unique_ptr<esi_gzip_stage> zip = esi_gzip_stage::create("/page", {}, log, 6, 8);
    esi_stage plain("/page", {}, log);
    parse_stage& stage = gzip ? static_cast<parse_stage&>(*zip) : plain;
    stage_run r = run_stage(stage, page, piece, room);
    REQUIRE(r.done);
    return {r.out, std::string(stage.program())};
}

std::string gunzip(const std::string& stream) {
    auto stage = gunzip_stage::create();
    stage_run r = run_stage(*stage, stream, 100, 1000);
    CHECK(r.done);
    CHECK(stage->error().empty());
    return r.out;
}

/// What an include is answered with, as content of the page that includes it.
enum class answer { plain, gzip, gzip_page };

std::string deliver(const object& o, answer how, gzip_sum* parent, unsigned depth = 0);

std::string include(const instruction& i, answer how, delivery& page, unsigned depth) {
    const std::string content = "{" + std::string(i.url) + "}";
    if (!page.gzipped()) {
        return content;
    }
    if (how == answer::gzip_page && depth == 0) {
        object inner = parse("<i>" + content + "<esi:include src=\"/inner\"/></i>", 1000, true);
        return deliver(inner, how, &page.sum(), depth + 1);
    }
    if (how == answer::plain) {
        stored_block_stage stage(page.sum());
        return run_stage(stage, content, 3, 50).out;
    }
    auto zip = gzip_stage::create(6, 8);
    std::string stream = run_stage(*zip, content, 1000, 1000).out;
    gzip_splice_stage splice(zip->bits(), stream.size(), page.sum());
    stage_run r = run_stage(splice, stream, 2, 7);
    CHECK(r.done);
    return r.out;
}

std::string deliver(const object& o, answer how, gzip_sum* parent, unsigned depth) {
    using action = delivery::step::action;
    delivery d(o.program, parent);
    std::string sent;
    std::size_t at = 0;
    for (delivery::step s = d.next(); s.what != action::done; s = d.next()) {
        if (s.what == action::send) {
            sent.append(reinterpret_cast<const char*>(s.bytes.data()), s.bytes.size());
        } else if (s.what == action::include) {
            sent += include(s.include, how, d, depth);
        } else {
            REQUIRE(at + s.size <= o.body.size());
            sent += s.what == action::text ? o.body.substr(at, static_cast<std::size_t>(s.size)) : std::string();
            at += static_cast<std::size_t>(s.size);
        }
    }
    return sent;
}

const std::string page = "<html>\n<esi:remove>not <b>this</b></esi:remove>first <esi:include src=\"/one\"/> between\n" +
                         std::string(3000, 'x') + "<!--esi hidden <esi:include src=\"/two\"/>--><p>end</p>";
const std::string expected = "<html>\nfirst {/one} between\n" + std::string(3000, 'x') + " hidden {/two}<p>end</p>";
const std::string nested = "<html>\nfirst <i>{/one}{/inner}</i> between\n" + std::string(3000, 'x') +
                           " hidden <i>{/two}{/inner}</i><p>end</p>";

} // namespace

TEST_CASE("a page is stored as it came and delivered with its includes") {
    for (std::size_t piece : {1, 7, 1000000}) {
        for (std::size_t room : {1, 100, 10000}) {
            object o = parse(page, piece, false, room);
            CHECK(o.body == page);
            CHECK(deliver(o, answer::plain, nullptr) == expected);
        }
    }
}

TEST_CASE("a gzipped page is one gzip stream with and without its includes") {
    for (std::size_t piece : {1, 7, 1000000}) {
        for (std::size_t room : {6, 100, 10000}) {
            CAPTURE(piece, room);
            object o = parse(page, piece, true, room);
            CHECK(gunzip(o.body) == page);
            CHECK(gunzip(deliver(o, answer::plain, nullptr)) == expected);
            CHECK(gunzip(deliver(o, answer::gzip, nullptr)) == expected);
            CHECK(gunzip(deliver(o, answer::gzip_page, nullptr)) == nested);
        }
    }
}

TEST_CASE("pages without ESI have no program") {
    CHECK(parse("<p>text</p>", 3, false).program.empty());
    object o = parse("not XML <esi:include src=\"/x\"/>", 3, true);
    CHECK(o.program.empty());
    CHECK(gunzip(o.body) == "not XML <esi:include src=\"/x\"/>");
    CHECK(gunzip(parse("", 3, true).body).empty());
}

TEST_CASE("a page that begins and ends with includes") {
    object o = parse("<esi:include src=\"/a\"/><esi:include src=\"/b\"/>", 1000, true);
    CHECK(gunzip(deliver(o, answer::gzip, nullptr)) == "{/a}{/b}");
    object plain = parse("<esi:include src=\"/a\"/>", 2, false);
    CHECK(deliver(plain, answer::plain, nullptr) == "{/a}");
}

TEST_CASE("problems tell where they are") {
    records log;
    esi_stage stage("/page", {}, log);
    CHECK(run_stage(stage, "<a>12345</a><esi:include/><esi:bogus/>", 1000, 1000).done);
    CHECK(log.heard == std::vector<std::string>{"ERR after 12 ESI 1.0 <esi:include> lacks src attr",
                                                "ERR after 26 ESI 1.0 <esi:bogus> element"});
}

TEST_CASE("a gzip stream spliced at every bit position") {
    for (std::size_t size = 0; size < 200; ++size) {
        CAPTURE(size);
        std::string content = sample_text(size);
        auto zip = gzip_stage::create(6, 8);
        std::string stream = run_stage(*zip, content, 1000, 1000).out;
        object o = parse("<a><esi:include src=\"/x\"/></a>", 1000, true);
        delivery d(o.program);
        std::string sent;
        std::size_t at = 0;
        for (delivery::step s = d.next(); s.what != delivery::step::action::done; s = d.next()) {
            if (s.what == delivery::step::action::send) {
                sent.append(reinterpret_cast<const char*>(s.bytes.data()), s.bytes.size());
            } else if (s.what == delivery::step::action::include) {
                gzip_splice_stage splice(zip->bits(), stream.size(), d.sum());
                sent += run_stage(splice, stream, 1000, 1000).out;
            } else {
                sent +=
                    s.what == delivery::step::action::text ? o.body.substr(at, static_cast<std::size_t>(s.size)) : "";
                at += static_cast<std::size_t>(s.size);
            }
        }
        CHECK(gunzip(sent) == "<a>" + content + "</a>");
    }
}

TEST_CASE("an include cut short is told") {
    gzip_sum sum;
    auto zip = gzip_stage::create(6, 8);
    std::string stream = run_stage(*zip, "some content", 1000, 1000).out;
    gzip_splice_stage splice(zip->bits(), stream.size(), sum);
    CHECK(run_stage(splice, stream.substr(0, stream.size() - 3), 1000, 1000).failed);
    CHECK(splice.error() == "ESI include ended early");
}
