#include "shm/counter_description.hpp"
#include "shm/counter_segment.hpp"
#include "unit/shm/folder.hpp"

#include <catch2/catch.hpp>

#include <optional>

using namespace clearcoat;

TEST_CASE("values and their description are published together", "[shm]") {
    test::folder folder;
    shm::segment_directory directory(folder.path);
    std::optional<shm::counter_segment<tables::vbe_counters>> one(std::in_place, directory, "boot.a");
    {
        shm::counter_segment<tables::vbe_counters> two(directory, "boot.b");
        std::string index = folder.read("_.index");
        CHECK(index.find("StatDoc") < index.find("Stat VBE.boot.a\n"));
        CHECK(index.find("Stat VBE.boot.b\n") != std::string::npos);
        CHECK(folder.files() == 4);
        tables::bump(two->req, 2);
        CHECK(two->req == 2);
    }
    CHECK(folder.files() == 3);
    one->hide();
    one->reveal();
    one.reset();
    CHECK(folder.files() == 1);
}

TEST_CASE("a set without a name is called by its prefix", "[shm]") {
    test::folder folder;
    shm::segment_directory directory(folder.path);
    shm::counter_segment<tables::main_counters> main(directory);
    CHECK(folder.read("_.index").find(" 0 1192 Stat MAIN\n") != std::string::npos);
    shm::counter_segment<tables::main_counters> moved = std::move(main);
    CHECK_FALSE(main);
    moved->cache_hit = 1;
    CHECK(moved.get()->cache_hit == 1);
}

TEST_CASE("the description is JSON with the place of each value", "[shm]") {
    std::string json = shm::description_json(tables::mgt_counter_set());
    CHECK(json.find(R"({"version":"1","name":"mgt",)") == 0);
    CHECK(json.find(R"("elements":7,"elem":{"uptime":{"type":"counter","ctype":"uint64_t","level":"info",)") !=
          std::string::npos);
    CHECK(json.find(R"("format":"duration","index":0,"name":"uptime","docs":)") != std::string::npos);
    CHECK(json.find(R"("index":48,"name":"child_panic")") != std::string::npos);
    CHECK(shm::description_number(tables::mgt_counter_set()) != shm::description_number(tables::sma_counter_set()));
}
