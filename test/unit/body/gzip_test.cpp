#include "body/gunzip_stage.hpp"
#include "body/gzip_stage.hpp"
#include "unit/body/stage_support.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::body;
using namespace clearcoat::test;

namespace {

std::string gzip(std::string_view text, int level = 6) {
    auto stage = gzip_stage::create(level, 8);
    REQUIRE(stage != nullptr);
    stage_run r = run_stage(*stage, text, 4096, 4096);
    REQUIRE(r.done);
    return r.out;
}

unsigned bit_at(std::string_view stream, std::uint64_t position) {
    return (static_cast<unsigned char>(stream[position / 8]) >> (position % 8)) & 1u;
}

} // namespace

TEST_CASE("what is compressed comes back, whatever the pieces") {
    for (std::size_t size : {0, 1, 100, 70000}) {
        std::string text = sample_text(size);
        for (std::size_t piece : {1, 13, 4096, 1000000}) {
            for (std::size_t room : {1, 100, 100000}) {
                CAPTURE(size, piece, room);
                auto zip = gzip_stage::create(6, 8);
                stage_run zipped = run_stage(*zip, text, piece, room);
                REQUIRE(zipped.done);
                CHECK(zip->total_in() == size);
                CHECK(zip->total_out() == zipped.out.size());
                auto unzip = gunzip_stage::create();
                stage_run plain = run_stage(*unzip, zipped.out, piece, room);
                REQUIRE(plain.done);
                CHECK(plain.out == text);
            }
        }
    }
}

TEST_CASE("the bits of a stream are where its blocks are") {
    for (std::size_t size : {0, 10, 300000}) {
        std::string text = sample_text(size);
        auto zip = gzip_stage::create(6, 8);
        std::string stream = run_stage(*zip, text, 5000, 5000).out;
        gzip_bits bits = zip->bits();
        CAPTURE(size, bits.start, bits.last, bits.stop);
        CHECK(bits.start == 80);
        CHECK(bits.plain_size == size);
        CHECK((bits.last > bits.start) == (size > 100000));
        CHECK(bit_at(stream, bits.last) == 1);
        CHECK((size < 100000 || bit_at(stream, bits.start) == 0));
        CHECK((bits.stop + 7) / 8 + 8 == stream.size());
        auto check = testgunzip_stage::create();
        CHECK(run_stage(*check, stream, 1000, 1000).out == stream);
        CHECK(check->bits().start == bits.start);
        CHECK(check->bits().last == bits.last);
        CHECK(check->bits().stop == bits.stop);
        CHECK(check->bits().plain_size == size);
    }
}

TEST_CASE("bad streams are refused") {
    std::string good = gzip(sample_text(1000));
    std::string bad_middle = good;
    bad_middle[good.size() / 2] = static_cast<char>(bad_middle[good.size() / 2] ^ 0xff);
    std::string bad_check = good;
    bad_check[good.size() - 8] = static_cast<char>(bad_check[good.size() - 8] ^ 1);
    struct row {
        const char* what;
        std::string stream, gunzip_error, test_error;
    };
    const row table[] = {
        {"not gzip", "hello world", "Invalid Gzip data: incorrect header check",
         "Invalid Gzip data: incorrect header check"},
        {"wrong checksum", bad_check, "Invalid Gzip data: incorrect data check",
         "Invalid Gzip data: incorrect data check"},
        {"junk behind", good + "x", "Junk after gzip data", "Junk after gzip data"},
        {"two members", good + good, "Junk after gzip data", "Junk after gzip data"},
        {"cut short", good.substr(0, good.size() - 1), "Gunzip error at the very end", "tGunzip failed"},
        {"nothing", "", "Gunzip error at the very end", "tGunzip failed"},
    };
    for (const row& r : table) {
        for (std::size_t piece : {1, 1000000}) {
            CAPTURE(r.what, piece);
            auto unzip = gunzip_stage::create();
            CHECK(run_stage(*unzip, r.stream, piece, 10000).failed);
            CHECK(unzip->error() == r.gunzip_error);
            auto check = testgunzip_stage::create();
            CHECK(run_stage(*check, r.stream, piece, 10000).failed);
            CHECK(check->error() == r.test_error);
        }
    }
    auto unzip = gunzip_stage::create();
    CHECK(run_stage(*unzip, bad_middle, 1000, 1000).failed);
}

TEST_CASE("stages can be used again") {
    auto zip = gzip_stage::create(9, 9);
    std::string first = run_stage(*zip, "one", 10, 100).out;
    zip->reset();
    CHECK(run_stage(*zip, "one", 10, 100).out == first);
    auto unzip = gunzip_stage::create();
    CHECK(run_stage(*unzip, "junk junk junk", 100, 100).failed);
    unzip->reset();
    CHECK(run_stage(*unzip, first, 100, 100).out == "one");
    CHECK(unzip->error().empty());
}

TEST_CASE("a bomb never gets more than the room it is given") {
    std::string bomb = gzip(std::string(5'000'000, 'x'), 9);
    auto unzip = gunzip_stage::create();
    std::array<std::byte, 1000> room;
    stage_step step = unzip->push(bytes_of(bomb), true, room);
    CHECK(step.made == room.size());
    CHECK(step.state == stage_state::want_room);
    CHECK(unzip->total_out() == room.size());
}

TEST_CASE("without room a stage waits for some") {
    auto zip = gzip_stage::create(6, 8);
    stage_step step = zip->push(bytes_of("text"), true, {});
    CHECK(step.used == 0);
    CHECK(step.state == stage_state::want_room);
    auto unzip = gunzip_stage::create();
    std::string stream = run_stage(*zip, "text", 100, 100).out;
    CHECK(unzip->push(bytes_of(stream), true, {}).state == stage_state::want_room);
    CHECK(run_stage(*unzip, stream, 100, 100).out == "text");
}

TEST_CASE("a full flush can be decompressed by itself") {
    auto zip = gzip_stage::create(6, 8);
    std::array<std::byte, 1000> room;
    std::string stream;
    auto keep = [&](stage_step step) { stream.append(reinterpret_cast<const char*>(room.data()), step.made); };
    keep(zip->push(bytes_of("first part"), false, room));
    keep(zip->flush_full(room));
    auto unzip = gunzip_stage::create();
    std::array<std::byte, 100> plain;
    stage_step step = unzip->push(bytes_of(stream), false, plain);
    CHECK(std::string_view(reinterpret_cast<const char*>(plain.data()), step.made) == "first part");
}

TEST_CASE("the gzip record") {
    char room[140];
    CHECK(write_gzip_record("U F -", 100, 50, {80, 80, 336, 100}, room) == "U F - 100 50 80 80 336");
}
