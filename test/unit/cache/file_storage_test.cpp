#include "cache/storage/file/file_storage.hpp"

#include "storage_suite.hpp"

#include <cstdio>
#include <system_error>
#include <unistd.h>

using namespace clearcoat;
using namespace clearcoat::test;

namespace {

constexpr std::uint64_t limit = 1u << 20;

struct scratch_file {
    std::FILE* file = std::tmpfile();
    explicit scratch_file(std::uint64_t size) { REQUIRE(::ftruncate(fd(), static_cast<off_t>(size)) == 0); }
    ~scratch_file() { std::fclose(file); }
    int fd() const { return ::fileno(file); }
};

} // namespace

TEST_CASE("file storage: shared suite", "[file_storage]") {
    scratch_file file(limit);
    cache::file_storage s("s0", file.fd(), limit);
    SECTION("random use") {
        suite_random_use(s);
    }
    SECTION("budget") {
        suite_budget(s, limit);
    }
    SECTION("charges") {
        suite_charges(s, limit);
    }
    SECTION("counters") {
        suite_counters(s);
    }
    SECTION("threads") {
        suite_threads(s, limit);
    }
}

TEST_CASE("file storage hands out whole granules and counts extents", "[file_storage]") {
    scratch_file file(limit);
    cache::file_storage s("s0", file.fd(), limit + 100, 8192);
    CHECK(s.kind_name() == "file");
    CHECK(s.counter_section() == "SMF");
    CHECK(s.free_space() == limit);
    std::size_t size = 1;
    char* a = s.allocate(size, 1);
    CHECK(size == 8192);
    CHECK(s.used_space() == 8192);
    CHECK(s.counter(cache::storage_counter::g_smf) == 2);
    CHECK(s.counter(cache::storage_counter::g_smf_large) == 1);
    s.free(a, size);
    CHECK(s.counter(cache::storage_counter::g_smf) == 1);
    CHECK(s.counter(cache::storage_counter::g_smf_frag) == 0);
}

TEST_CASE("a file that cannot be mapped is an error at start-up", "[file_storage]") {
    CHECK_THROWS_AS(cache::file_storage("s0", -1, limit), std::system_error);
    scratch_file file(limit);
    CHECK_THROWS_AS(cache::file_storage("s0", file.fd(), 100), std::system_error);
}
