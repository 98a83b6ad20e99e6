#include "shm/log_ring.hpp"
#include "shm/task_log.hpp"
#include "tables/counters.hpp"
#include "tables/params.hpp"
#include "unit/shm/ring_reader.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace clearcoat;

namespace {

struct fixture {
    fixture() : memory((1 << 20) / 8), buffer(4096) {}
    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(memory)); }

    std::vector<std::uint64_t> memory;
    std::vector<std::uint32_t> buffer;
    tables::param_block params;
    tables::parameter_set set{params};
    tables::main_counters counters;
    tables::main_counters delta;
    shm::log_ring ring{bytes(), params, counters};
    test::ring_reader reader{bytes()};
};

} // namespace

TEST_CASE_METHOD(fixture, "a task's records appear together, at the flush", "[shm]") {
    shm::task_log log(ring, 4711, shm::vxid_kind::backend, buffer, &delta);
    log.write(log_tag::Begin, "bereq 2 fetch");
    log.print(log_tag::Timestamp, "Start: {:.6f}", 1.5);
    log.write(log_tag::Hash, "masked");
    log.print(log_tag::Hash, "masked {}", 1);
    log.write(log_tag::End, "");
    CHECK(reader.all().empty());
    log.flush();
    auto records = reader.all();
    REQUIRE(records.size() == 3);
    CHECK(reader.batches == 1);
    CHECK(records[0].text == "bereq 2 fetch");
    CHECK(records[1].text == "Start: 1.500000");
    CHECK(records[1].vxid == 4711);
    CHECK(records[1].kind == shm::vxid_kind::backend);
    CHECK(records[2].tag == log_tag::End);
    CHECK(delta.shm_records == 3);
    CHECK(delta.shm_writes == 1);
    CHECK(delta.shm_flushes == 0);
    CHECK(counters.shm_writes == 0);
    log.flush();
    CHECK(delta.shm_writes == 1);
}

TEST_CASE_METHOD(fixture, "reset begins another transaction", "[shm]") {
    shm::task_log log(ring, 1, shm::vxid_kind::client, buffer);
    log.write(log_tag::End, "");
    log.reset(3, shm::vxid_kind::client);
    log.write(log_tag::Begin, "req 2 rxreq");
    CHECK(reader.all().size() == 1);
    log.flush();
    CHECK(reader.all().at(0).vxid == 3);
    CHECK(counters.shm_writes == 2);
}

TEST_CASE_METHOD(fixture, "a full buffer is flushed and counted", "[shm]") {
    std::vector<std::uint32_t> small(32);
    shm::task_log log(ring, 1, shm::vxid_kind::client, small, &delta);
    for (int i = 0; i < 10; ++i) {
        log.write(log_tag::ReqHeader, "a: 0123456789012345678901234567890");
    }
    log.flush();
    CHECK(reader.all().size() == 10);
    CHECK(delta.shm_flushes >= 3);
    CHECK(delta.shm_records == 10);
}

TEST_CASE_METHOD(fixture, "records are cut at vsl_reclen, or at the buffer", "[shm]") {
    shm::task_log log(ring, 1, shm::vxid_kind::client, buffer);
    log.write(log_tag::VCL_Log, std::string(300, 'a'));
    log.print(log_tag::VCL_Log, "{}", std::string(300, 'b'));
    log.flush();
    auto records = reader.all();
    CHECK(records.at(0).text == std::string(254, 'a'));
    CHECK(records.at(1).text == std::string(254, 'b'));
    std::vector<std::uint32_t> small(16);
    log.attach(small);
    log.write(log_tag::VCL_Log, std::string(300, 'c'));
    log.write_binary(log_tag::VCL_Log, std::as_bytes(std::span("abcd", 4)));
    log.detach();
    CHECK_FALSE(log.attached());
    records = reader.all();
    CHECK(records.at(0).text == std::string(55, 'c'));
    CHECK(records.at(1).text == "abc"); // the reader takes the last byte for a NUL
}

TEST_CASE_METHOD(fixture, "debug syncvsl writes each record at once", "[shm]") {
    CHECK(set.set("debug", "+syncvsl", false).ok());
    shm::task_log log(ring, 1, shm::vxid_kind::client, buffer);
    log.write(log_tag::VCL_Log, "now");
    CHECK(reader.all().size() == 1);
}
