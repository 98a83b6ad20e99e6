#include "body/pipeline.hpp"

#include "body/gunzip_stage.hpp"
#include "body/gzip_stage.hpp"
#include "body/range_window.hpp"
#include "unit/body/stage_support.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::body;
using namespace clearcoat::test;

TEST_CASE("a pipeline without stages copies") {
    pipeline p;
    CHECK(p.empty());
    CHECK(run_stage(p, "some text", 4, 2).out == "some text");
}

TEST_CASE("stages work one behind the other") {
    base::chunk_cache chunks(64 * 1024, 1);
    base::arena memory(chunks);
    std::string text = sample_text(50000);
    for (std::size_t buffer : {16, 4096}) {
        for (std::size_t piece : {1, 1000, 100000}) {
            for (std::size_t room : {1, 1000}) {
                CAPTURE(buffer, piece, room);
                auto zip = gzip_stage::create(6, 8);
                auto check = testgunzip_stage::create();
                auto unzip = gunzip_stage::create();
                pipeline p;
                CHECK(p.append(*zip, memory, buffer));
                CHECK(p.append(*check, memory, buffer));
                CHECK(p.append(*unzip, memory, buffer));
                CHECK(p.size() == 3);
                stage_run r = run_stage(p, text, piece, room);
                CHECK(r.done);
                CHECK(r.out == text);
                CHECK(unzip->bits().stop == zip->bits().stop);
            }
        }
    }
}

TEST_CASE("a stage's failure is the pipeline's") {
    base::chunk_cache chunks(64 * 1024, 1);
    base::arena memory(chunks);
    auto zip = gzip_stage::create(6, 8);
    auto unzip = gunzip_stage::create();
    pipeline p;
    CHECK(p.append(*unzip, memory));
    CHECK(p.append(*zip, memory));
    CHECK(run_stage(p, "this is not gzip", 100, 100).failed);
    CHECK(p.failed_stage() == unzip.get());
    CHECK(p.error() == "Invalid Gzip data: incorrect header check");
}

TEST_CASE("a pipeline has room for so many stages, and needs memory") {
    base::chunk_cache chunks(64 * 1024, 1);
    base::arena memory(chunks, 20000);
    auto zip = gzip_stage::create(6, 8);
    pipeline p;
    CHECK(p.append(*zip, memory, 16000));
    CHECK(p.append(*zip, memory, 16000));
    CHECK_FALSE(p.append(*zip, memory, 16000));
    base::arena more(chunks);
    for (std::size_t i = p.size(); i < pipeline::max_stages; ++i) {
        CHECK(p.append(*zip, more, 10));
    }
    CHECK_FALSE(p.append(*zip, more, 10));
}

TEST_CASE("a window cuts pieces") {
    std::string text = "0123456789abcdefghij";
    for (std::size_t low = 0; low < text.size(); ++low) {
        for (std::size_t high = low; high < text.size(); ++high) {
            for (std::size_t piece : {1, 3, 100}) {
                range_window w(low, high);
                std::string out;
                for (std::size_t at = 0; at < text.size() && !w.complete(); at += piece) {
                    auto part = w.take(bytes_of(std::string_view(text).substr(at, piece)));
                    out.append(reinterpret_cast<const char*>(part.data()), part.size());
                }
                CHECK(out == text.substr(low, high - low + 1));
                CHECK(w.complete());
            }
        }
    }
    range_window all;
    CHECK(all.take(bytes_of(text)).size() == text.size());
    CHECK_FALSE(all.complete());
    range_window tail(15, 19);
    tail.skip_to(15);
    CHECK(tail.take(bytes_of("fghij")).size() == 5);
}
