// Logs with records of 64-bit ids: read from the ring, from files and pipes, grouped, and saved in the layout of their
// file.
#include "logread/output.hpp"
#include "logread/ring_cursor.hpp"
#include "logread/saved_log.hpp"
#include "shm/log_ring.hpp"
#include "shm/task_log.hpp"
#include "tables/counters.hpp"
#include "tables/params.hpp"
#include "unit/logread/log_words.hpp"
#include "unit/shm/folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <thread>

using namespace clearcoat;
using logread::source_status;
using shm::record_width;

namespace {

const std::string request = "81604378625 Begin c req 81604378624 rxreq\n"
                            "81604378625 ReqURL c /\n"
                            "81604378625 Link c req 81604378630 esi 1\n"
                            "81604378630 Begin c req 81604378625 esi 1\n"
                            "81604378630 ReqURL c /part\n"
                            "81604378630 End c\n"
                            "81604378625 End c\n";

std::string print_all(logread::record_source& source, logread::grouping how, source_status& status) {
    test::assembling all(how);
    logread::record_run run;
    while ((status = source.next(run)) == source_status::more) {
        all.made->feed(run);
    }
    all.made->flush();
    return all.take();
}

std::string file_of(const std::vector<std::uint32_t>& words, const char* mark) {
    return std::string(mark, 4) + std::string(reinterpret_cast<const char*>(words.data()), words.size() * 4);
}

std::string saved_as(record_width width, const std::vector<std::uint32_t>& words) {
    std::string out;
    const logread::transaction all{0, 0, 0, {}, {}, logread::record_range(words)};
    logread::save_group({&all, 1}, logread::log_options(), width, out);
    return out;
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
    return {reinterpret_cast<const char*>(words.data()), words.size() * 4};
}

} // namespace

TEST_CASE("a cursor reads a wide ring", "[ring]") {
    std::vector<std::uint64_t> memory((1 << 20) / 8);
    tables::param_block params;
    tables::parameter_set set{params};
    tables::main_counters counters;
    const auto bytes = std::as_writable_bytes(std::span(memory));
    shm::log_ring ring(bytes, params, counters, record_width::wide);
    auto cursor = logread::ring_cursor::open(bytes, logread::ring_cursor::start::tail, [] { return true; });
    REQUIRE(cursor);
    CHECK(cursor->width() == record_width::wide);
    ring.write_now(log_tag::CLI, "Rd ping");
    std::vector<std::uint32_t> buffer(1024);
    shm::task_log log(ring);
    log.attach(buffer);
    source_status status{};
    CHECK(print_all(*cursor, logread::grouping::raw, status) == "         0 CLI            - Rd ping\n");
    for (unsigned round = 0; round < 6000; ++round) {
        log.reset((1ULL << 40) + round, shm::vxid_kind::backend);
        log.print(log_tag::BereqURL, "/{:0150}", round);
        log.write(log_tag::VCL_use, "boot");
        log.flush();
        REQUIRE(
            print_all(*cursor, logread::grouping::raw, status) ==
            fmt::format("{0} BereqURL       b /{1:0150}\n{0} VCL_use        b boot\n", (1ULL << 40) + round, round));
        REQUIRE(status == source_status::idle);
    }
    CHECK(counters.shm_cycles > 0);
}

TEST_CASE("wide transactions are grouped, whatever their number", "[assembler]") {
    test::assembling a(logread::grouping::request);
    CHECK(a.made->feed({test::log_words(request, record_width::wide), false, false}));
    CHECK(a.take() == "*   << Request  >> 81604378625\n"
                      "-   Begin          req 81604378624 rxreq\n"
                      "-   ReqURL         /\n"
                      "-   Link           req 81604378630 esi 1\n"
                      "-   End            \n"
                      "**  << Request  >> 81604378630\n"
                      "--  Begin          req 81604378625 esi 1\n"
                      "--  ReqURL         /part\n"
                      "--  End            \n\n");
    CHECK(a.made->kept() == 0);
}

TEST_CASE("records about trouble in a wide log are wide, too", "[assembler]") {
    test::assembling a(logread::grouping::vxid);
    std::string saved;
    logread::assembler made(a.options, logread::grouping::vxid, nullptr, a.clock, [&](logread::group g) {
        logread::save_group(g, a.options, record_width::wide, saved);
        logread::print_group(g, a.options, a.text);
        return true;
    });
    made.feed({test::log_words("8589934592 Begin c req 1 rxreq\n", record_width::wide), false, false});
    made.flush();
    CHECK(a.text == "*   << Request  >> 8589934592\n-   Begin          req 1 rxreq\n"
                    "-   VSL            flush\n-   End            synth\n\n");
    CHECK(saved == bytes_of(test::log_words("8589934592 Begin c req 1 rxreq\n8589934592 VSL c flush\n"
                                            "8589934592 End c synth\n",
                                            record_width::wide)));
}

TEST_CASE("a wide saved log is read from files and pipes alike", "[saved]") {
    test::folder folder;
    auto words = test::log_words(request, record_width::wide);
    words.insert(words.begin(), {shm::layout::batch_header, static_cast<std::uint32_t>(words.size() * 4), 0});
    const std::string bytes = file_of(words, "VSL2");
    const std::string path = folder.path + "/log";
    std::ofstream(path, std::ios::binary) << bytes;
    std::string error;
    source_status status{};
    auto file = logread::open_saved_log(path, error);
    REQUIRE(file);
    CHECK(file->width() == record_width::wide);
    const std::string raw = print_all(*file, logread::grouping::raw, status);
    CHECK(status == source_status::eof);
    CHECK(raw.find("81604378625 ReqURL         c /\n") != std::string::npos);

    const std::string fifo = folder.path + "/fifo";
    REQUIRE(std::system(("mkfifo " + fifo).c_str()) == 0);
    for (const std::size_t missing : {std::size_t{0}, std::size_t{1}, bytes.size() - 4 - 8}) {
        std::thread feeder([&] { std::ofstream(fifo, std::ios::binary) << bytes.substr(0, bytes.size() - missing); });
        auto pipe = logread::open_saved_log(fifo, error);
        const std::string text = print_all(*pipe, logread::grouping::raw, status);
        feeder.join();
        CHECK(status == (missing == 0 ? source_status::eof : source_status::io_error));
        CHECK((missing != 0 || text == raw));
    }
}

TEST_CASE("records are saved in the layout of their file", "[print]") {
    const std::string lines =
        "17 Begin c req 1 rxreq\n17 ReqURL c /\n17 End c\n0 CLI - Rd ping\n3 BerespStatus b 200\n";
    const auto narrow = test::log_words(lines);
    const auto wide = test::log_words(lines, record_width::wide);
    CHECK(saved_as(record_width::narrow, narrow) == bytes_of(narrow));
    CHECK(saved_as(record_width::wide, narrow) == bytes_of(wide));
    CHECK(saved_as(record_width::narrow, wide) == bytes_of(narrow));
    CHECK(saved_as(record_width::wide, test::log_words("17 BackendStart b 127.0.0.1 80\n")).empty());
}

TEST_CASE("a file of records gets the mark of its source's layout, and keeps it", "[output]") {
    test::folder folder;
    const std::string path = folder.path + "/out";
    const logread::output::choices records{logread::output::content::records, true, false};
    {
        logread::output out;
        REQUIRE(out.open(path, records) == 0);
        out.source_is(record_width::wide);
        CHECK(out.width() == record_width::wide);
        out.source_is(record_width::narrow); // another worker, the same file
        CHECK(out.width() == record_width::wide);
        out.flush();
        CHECK(folder.read("out") == "VSL2");
        std::filesystem::rename(path, path + ".old");
        REQUIRE(out.reopen() == 0);
        CHECK(out.width() == record_width::narrow);
    }
    CHECK(folder.read("out") == std::string("VSL\0", 4));
    logread::output more;
    REQUIRE(more.open(path + ".old", records) == 0);
    CHECK(more.width() == record_width::wide);
    more.source_is(record_width::narrow);
    CHECK(more.width() == record_width::wide);
    more.flush();
    CHECK(folder.read("out.old") == "VSL2");
}
