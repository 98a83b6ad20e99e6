// The layout that libvarnishapi reads since 7.3, checked word by word: the marks, the head of a batch, heads of
// records, the numbers of tags.
#include "shm/log_ring.hpp"
#include "shm/task_log.hpp"
#include "tables/counters.hpp"
#include "tables/params.hpp"
#include "unit/shm/ring_reader.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

using namespace clearcoat;

namespace {

struct fixture {
    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(memory)); }
    const std::uint32_t* words() { return reinterpret_cast<const std::uint32_t*>(bytes().data() + 88); }

    std::vector<std::uint64_t> memory = std::vector<std::uint64_t>((1 << 20) / 8);
    std::vector<std::uint32_t> buffer = std::vector<std::uint32_t>(1024);
    tables::param_block params;
    tables::parameter_set set{params};
    tables::main_counters counters;
    shm::log_ring ring{bytes(), params, counters, shm::record_width::wide};
};

unsigned wide_number(log_tag tag) {
    return shm::layout::make_head(shm::record_width::wide, tag, 1, 1, shm::vxid_kind::none).words[0] >> 24;
}

} // namespace

TEST_CASE_METHOD(fixture, "a wide ring is marked, and its single records have three words before the text", "[shm]") {
    CHECK(std::memcmp(bytes().data(), "VSLHEAD2", 8) == 0);
    ring.write_now(log_tag::CLI, "Rd ping");
    CHECK(words()[0] == (3U << 24 | 1U << 16 | 8));
    CHECK(words()[1] == 0);
    CHECK(words()[2] == 0);
    CHECK(std::memcmp(words() + 3, "Rd ping", 8) == 0);
    CHECK(words()[5] == (254U << 24 | 0x454545));
}

TEST_CASE_METHOD(fixture, "a wide batch has numbers of more than 32 bits in its records", "[shm]") {
    shm::task_log log(ring, 0x4000000001, shm::vxid_kind::client, buffer);
    CHECK(log.vxid() == 0x4000000001);
    log.write(log_tag::BackendClose, "24");
    log.write(log_tag::BackendStart, "in no wide log");
    log.write(log_tag::Length, "1234");
    log.reset(0x7ffffffff, shm::vxid_kind::backend);
    log.write(log_tag::End, "");
    log.flush();
    const std::vector<std::uint32_t> first(words(), words() + 3);
    CHECK(first == std::vector<std::uint32_t>{255U << 24, 9 * 4, 0});
    const std::uint32_t* record = words() + 3;
    CHECK(record[0] == (7U << 24 | 1U << 16 | 3));
    CHECK(record[1] == 1);
    CHECK(record[2] == (0x40 | 1U << 30));
    CHECK(std::memcmp(record + 3, "24", 3) == 0);
    record += 4;
    CHECK(record[0] == (11U << 24 | 1U << 16 | 5));
    CHECK(record[2] == (0x40 | 1U << 30));
    CHECK(std::memcmp(record + 3, "1234", 5) == 0);
    record += 5;
    CHECK(record[0] == 255U << 24);
    CHECK(record[1] == 16);
    CHECK(record[3] >> 16 == (wide_number(log_tag::End) << 8 | 1));
    CHECK(record[4] == 0xffffffff);
    CHECK(record[5] == (0x7 | 1U << 31));

    test::ring_reader reader(bytes());
    const auto records = reader.all();
    REQUIRE(records.size() == 3);
    CHECK(records[0].tag == log_tag::BackendClose);
    CHECK(records[1].text == "1234");
    CHECK(records[1].vxid == 0x4000000001);
    CHECK(records[1].kind == shm::vxid_kind::client);
    CHECK(records[2].vxid == 0x7ffffffff);
    CHECK(records[2].kind == shm::vxid_kind::backend);
}

TEST_CASE("tags behind those that are gone have lower numbers in wide records", "[shm]") {
    CHECK(wide_number(log_tag::BackendOpen) == 6);
    CHECK(wide_number(log_tag::BackendReuse) == 0);
    CHECK(wide_number(log_tag::BackendClose) == 7);
    CHECK(wide_number(log_tag::ProxyGarbage) == 10);
    CHECK(wide_number(log_tag::Backend) == 0);
    CHECK(wide_number(log_tag::ReqMethod) == 13);
    CHECK(wide_number(log_tag::Backend_health) == 69);
    CHECK(wide_number(log_tag::BackendStart) == 0);
    CHECK(wide_number(log_tag::VCL_use) == 91);
    CHECK(wide_number(log_tag::VdpAcct) == 93);
    for (unsigned number = 1; number < tables::log_tag_count; ++number) {
        const unsigned wide = wide_number(static_cast<log_tag>(number));
        CHECK((wide == 0 || static_cast<unsigned>(shm::layout::tags_of_wide[wide]) == number));
    }
}

TEST_CASE_METHOD(fixture, "a reader follows a wide ring over many wraps", "[shm]") {
    test::ring_reader reader(bytes());
    shm::task_log log(ring);
    log.attach(buffer);
    for (unsigned round = 1; round <= 5000; ++round) {
        const base::vxid_number vxid = (base::vxid_number{round} << 31) + round;
        log.reset(vxid, shm::vxid_kind::client);
        for (unsigned i = 0; i < round % 97 + 1; ++i) {
            log.print(log_tag::VCL_Log, "record {} of {}", i, round);
        }
        log.flush();
        const auto records = reader.all();
        REQUIRE(records.size() == round % 97 + 1);
        REQUIRE(records.front().vxid == vxid);
        REQUIRE(records.back().text == fmt::format("record {} of {}", round % 97, round));
        REQUIRE(reader.distance() == 0);
    }
    CHECK(counters.shm_cycles > 5);
}
