#include "shm/segment_directory.hpp"
#include "unit/shm/folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using namespace clearcoat;

TEST_CASE("the index lists what is published", "[shm]") {
    test::folder folder;
    shm::segment_directory directory(folder.path);
    std::string head = "# " + std::to_string(getpid()) + " ";
    CHECK(folder.read("_.index").find(head) == 0);
    shm::segment hidden = directory.create("Stat", "A", 80);
    CHECK(folder.index_lines() == 1);
    hidden.publish();
    CHECK(folder.index_lines() == 2);
    CHECK(folder.read("_.index").find(" 0 80 Stat A\n") != std::string::npos);
    shm::segment text = directory.create_text("Arg", "-T", "127.0.0.1 80\n");
    CHECK(folder.read("_.index").find(" 0 14 Arg -T\n") != std::string::npos);
    CHECK(hidden.bytes().size() == 80);
    CHECK(folder.files() == 3);
    text.reset();
    hidden = {};
    CHECK(folder.files() == 1);
    CHECK(folder.index_lines() == 5);
}

TEST_CASE("the index is written afresh after many removals", "[shm]") {
    test::folder folder;
    shm::segment_directory directory(folder.path);
    shm::segment stays = directory.create_text("Arg", "stays", "x");
    for (int i = 0; i < 200; ++i) {
        directory.create_text("Arg", "goes", "x");
    }
    CHECK(folder.index_lines() < 50);
    CHECK(folder.read("_.index").find("Arg stays\n") != std::string::npos);
    CHECK(folder.files() == 2);
}

TEST_CASE("a writer that ends takes its index along", "[shm]") {
    test::folder folder;
    { shm::segment_directory directory(folder.path); }
    CHECK(folder.files() == 0);
    {
        shm::segment_directory directory(folder.path);
        shm::segment s = directory.create_text("Arg", "a", "x");
        directory.disown();
    }
    CHECK(folder.files() == 2);
}

TEST_CASE("prepare empties a folder, remove takes it away", "[shm]") {
    test::folder folder;
    std::string sub = folder.path + "/sub";
    shm::segment_directory::prepare(sub, 0750);
    { (void)std::filesystem::create_directory(sub + "/old"); }
    shm::segment_directory::prepare(sub, 0750);
    CHECK_FALSE(std::filesystem::exists(sub + "/old"));
    shm::segment_directory::remove(sub);
    CHECK_FALSE(std::filesystem::exists(sub));
    CHECK_THROWS(shm::segment_directory(sub));
}
