#include "logread/vsm_reader.hpp"
#include "shm/segment_directory.hpp"
#include "unit/shm/folder.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;

TEST_CASE("instance names become work folders", "[logread]") {
    CHECK(logread::work_folder("") == "/var/lib/varnish/varnishd");
    CHECK(logread::work_folder("two") == "/var/lib/varnish/two");
    CHECK(logread::work_folder("/tmp/x") == "/tmp/x");
}

TEST_CASE("an index is read line by line", "[logread]") {
    CHECK_FALSE(logread::parse_index(""));
    CHECK_FALSE(logread::parse_index("+ a 0 1 Arg x\n"));
    auto entries = logread::parse_index("# 1 2\n+ a 0 8 Arg -i\n+ c 16 80 Stat VBE.a b\n+ d 0 x Arg\n"
                                        "- a 0 8 Arg -i\n+ p 0 64 Panic \n+ half 0");
    REQUIRE(entries);
    REQUIRE(entries->size() == 2);
    CHECK(entries->at(0).ident == "VBE.a b");
    CHECK(entries->at(0).offset == 16);
    CHECK(entries->at(1).kind == "Panic");
    CHECK(entries->at(1).ident.empty());
}

TEST_CASE("texts that a manager publishes are found", "[logread]") {
    test::folder folder;
    logread::vsm_reader reader(folder.path);
    CHECK_FALSE(reader.running());
    CHECK(reader.segments().empty());
    shm::segment_directory::prepare(folder.path + "/" + shm::manager_folder, 0755);
    {
        shm::segment_directory manager(folder.path + "/" + shm::manager_folder);
        CHECK(reader.running());
        CHECK_FALSE(reader.text("Arg", "-T"));
        shm::segment text = manager.create_text("Arg", "-T", "127.0.0.1 80\n");
        CHECK(reader.text("Arg", "-T") == "127.0.0.1 80\n");
        text.reset();
        CHECK_FALSE(reader.text("Arg", "-T"));
    }
    CHECK_FALSE(reader.running());
}
