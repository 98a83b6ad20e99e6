#include "shm/log_ring.hpp"
#include "shm/task_log.hpp"
#include "tables/counters.hpp"
#include "tables/params.hpp"
#include "unit/shm/ring_reader.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

using namespace clearcoat;

namespace {

struct fixture {
    explicit fixture(shm::record_width width = shm::record_width::narrow)
        : memory((1 << 20) / 8), ring(bytes(), params, counters, width) {}
    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(memory)); }

    std::vector<std::uint64_t> memory;
    tables::param_block params;
    tables::parameter_set set{params};
    tables::main_counters counters;
    shm::log_ring ring;
};

/// Records of `words` words, all with one number and counting texts.
std::vector<std::uint32_t> batch_of(std::size_t records, unsigned vxid) {
    std::vector<std::uint32_t> words;
    for (std::size_t i = 0; i < records; ++i) {
        words.push_back(shm::layout::header(log_tag::VCL_Log, 4));
        words.push_back(shm::layout::id_word(vxid, shm::vxid_kind::client));
        words.push_back(0x00303030 + static_cast<std::uint32_t>(i % 10));
    }
    return words;
}

} // namespace

TEST_CASE("a fresh ring is empty and marked", "[shm]") {
    fixture f;
    auto* head = reinterpret_cast<shm::layout::head*>(f.bytes().data());
    CHECK(std::string_view(head->marker, 8) == "VSLHEAD1");
    CHECK(head->segment_words * 8 * 4 <= (1 << 20) - 88);
    CHECK(head->offsets[0] == 0);
    CHECK(head->offsets[7] == -1);
    CHECK(head->segment_number % 8 == 0);
    CHECK(test::ring_reader(f.bytes()).all().empty());
}

TEST_CASE("records come out as they went in", "[shm]") {
    fixture f;
    test::ring_reader reader(f.bytes());
    f.ring.write_now(log_tag::CLI, "Rd ping");
    f.ring.print_now(log_tag::Error, "{} times", 3);
    f.ring.write_now(log_tag::Debug, "masked");
    auto records = reader.all();
    REQUIRE(records.size() == 2);
    CHECK(records[0].tag == log_tag::CLI);
    CHECK(records[0].text == "Rd ping");
    CHECK(records[0].vxid == 0);
    CHECK(records[0].kind == shm::vxid_kind::none);
    CHECK(records[1].text == "3 times");
    CHECK(f.counters.shm_records == 2);
    CHECK(f.counters.shm_writes == 2);
}

TEST_CASE("a long record is cut", "[shm]") {
    fixture f;
    test::ring_reader reader(f.bytes());
    f.ring.write_now(log_tag::Error, std::string(1000, 'x'));
    CHECK(reader.all().at(0).text == std::string(254, 'x'));
}

TEST_CASE("a reader follows over many wraps", "[shm]") {
    fixture f;
    test::ring_reader reader(f.bytes());
    std::uint64_t written = 0;
    for (unsigned round = 1; round <= 5000; ++round) {
        auto words = batch_of(round % 97 + 1, round);
        CHECK_FALSE(f.ring.write_batch(words, round).contention);
        written += round % 97 + 1;
        auto records = reader.all();
        REQUIRE(records.size() == round % 97 + 1);
        REQUIRE(records.front().vxid == round);
        REQUIRE(records.back().text.size() == 3);
        REQUIRE(reader.distance() == 0);
    }
    CHECK(written * 12 > 2 << 20);
}

TEST_CASE("the table of segments leads to records", "[shm]") {
    fixture f;
    auto* head = reinterpret_cast<shm::layout::head*>(f.bytes().data());
    std::uint32_t start = head->segment_number;
    auto words = batch_of(1000, 7);
    for (int i = 0; i < 70; ++i) {
        f.ring.write_batch(words, 7);
    }
    CHECK(head->segment_number - start == 70 * 3002 / head->segment_words);
    for (unsigned s = 1; s <= (head->segment_number - start); ++s) {
        std::int64_t offset = head->offsets[s];
        REQUIRE(offset >= s * head->segment_words);
        CHECK(offset % 3002 == 0);
    }
    for (int i = 0; i < 70; ++i) {
        f.ring.write_batch(words, 7);
    }
    CHECK(head->segment_number - start >= 8);
    CHECK((head->segment_number - start) % 8 < 8);
}

TEST_CASE("writers on several threads neither lose nor mix batches", "[shm]") {
    fixture f;
    constexpr unsigned writers = 4;
    constexpr unsigned rounds = 4000;
    test::ring_reader reader(f.bytes());
    std::atomic<unsigned> read_rounds{0};
    std::vector<std::thread> threads;
    for (unsigned w = 1; w <= writers; ++w) {
        threads.emplace_back([&f, &read_rounds, w] {
            for (unsigned round = 0; round < rounds; ++round) {
                // The reader must not be overrun: this is a test of order, not of loss.
                while (round > read_rounds.load() / writers + 300) {
                    std::this_thread::yield();
                }
                auto words = batch_of(w * 5 + round % 11, w);
                f.ring.write_batch(words, w);
            }
        });
    }
    std::map<base::vxid_number, unsigned> seen;
    std::map<base::vxid_number, unsigned> round_of;
    unsigned done = 0;
    bool whole = true;
    while (done < writers * rounds) {
        auto first = reader.next();
        if (!first) {
            std::this_thread::yield();
            continue;
        }
        unsigned w = static_cast<unsigned>(first->vxid);
        unsigned expected = w * 5 + round_of[w]++ % 11;
        for (unsigned i = 1; i < expected; ++i) {
            auto more = reader.next();
            whole = whole && more && more->vxid == w;
        }
        seen[w] += expected;
        read_rounds = ++done;
    }
    for (auto& thread : threads) {
        thread.join();
    }
    CHECK(whole);
    CHECK(reader.all().empty());
    CHECK(reader.batches == writers * rounds);
}
