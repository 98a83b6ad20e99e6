#include "logread/instance.hpp"
#include "logread/output.hpp"
#include "logread/ring_cursor.hpp"
#include "logread/saved_log.hpp"
#include "shm/log_ring.hpp"
#include "shm/segment_directory.hpp"
#include "shm/task_log.hpp"
#include "tables/counters.hpp"
#include "tables/params.hpp"
#include "unit/logread/log_words.hpp"
#include "unit/shm/folder.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <fstream>
#include <thread>

using namespace clearcoat;
using logread::ring_cursor;
using logread::source_status;

namespace {

struct writer {
    explicit writer(std::size_t bytes = 1 << 20, shm::record_width width = shm::record_width::narrow)
        : memory(bytes / 8), ring(this->bytes(), params, counters, width) {}
    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(memory)); }
    std::optional<ring_cursor> open(ring_cursor::start where) {
        return ring_cursor::open(bytes(), where, [this] { return lives; });
    }
    void write(base::vxid_number vxid, int records) {
        std::vector<std::uint32_t> buffer(1024);
        shm::task_log log(ring, vxid, shm::vxid_kind::client, buffer);
        for (int i = 0; i < records; ++i) {
            log.print(log_tag::VCL_Log, "record {} of {}", i, vxid);
        }
    }

    std::vector<std::uint64_t> memory;
    tables::param_block params;
    tables::parameter_set set{params};
    tables::main_counters counters;
    shm::log_ring ring;
    bool lives = true;
};

/// All there is now, printed raw.
std::string drain(logread::record_source& source, source_status& status) {
    test::assembling all(logread::grouping::raw);
    logread::record_run run;
    while ((status = source.next(run)) == source_status::more) {
        all.made->feed(run);
    }
    return all.take();
}

std::vector<std::byte> saved(const std::vector<std::uint32_t>& words,
                             shm::record_width width = shm::record_width::narrow) {
    std::vector<std::byte> bytes(4 + words.size() * 4);
    std::memcpy(bytes.data(), width == shm::record_width::wide ? "VSL2" : "VSL", 4);
    std::memcpy(bytes.data() + 4, words.data(), words.size() * 4);
    return bytes;
}

void write_file(const std::string& path, const std::vector<std::byte>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

TEST_CASE("a cursor begins at the tail or at the head", "[ring]") {
    writer w;
    w.write(1, 2);
    auto tail = w.open(ring_cursor::start::tail);
    auto head = w.open(ring_cursor::start::head);
    auto once = w.open(ring_cursor::start::head_until_tail);
    REQUIRE((tail && head && once));
    source_status status{};
    CHECK(drain(*tail, status).empty());
    CHECK(status == source_status::idle);
    const std::string both = "         1 VCL_Log        c record 0 of 1\n         1 VCL_Log        c record 1 of 1\n";
    CHECK(drain(*head, status) == both);
    CHECK(drain(*once, status) == both);
    CHECK(status == source_status::eof);
    w.ring.write_now(log_tag::CLI, "Rd ping");
    CHECK(drain(*tail, status) == "         0 CLI            - Rd ping\n");
    CHECK(drain(*head, status) == "         0 CLI            - Rd ping\n");
}

TEST_CASE("a cursor follows the ring around", "[ring]") {
    writer w;
    auto cursor = w.open(ring_cursor::start::tail);
    REQUIRE(cursor);
    source_status status{};
    for (unsigned i = 1; i < 3000; ++i) {
        w.write(i, 20);
        const std::string text = drain(*cursor, status);
        REQUIRE(status == source_status::idle);
        REQUIRE(std::count(text.begin(), text.end(), '\n') == 20);
    }
    CHECK(w.counters.shm_cycles > 0);
}

TEST_CASE("a cursor that falls behind says so", "[ring]") {
    writer w;
    auto cursor = w.open(ring_cursor::start::tail);
    for (unsigned i = 1; i < 3000; ++i) {
        w.write(i, 20);
    }
    source_status status{};
    CHECK(drain(*cursor, status).empty());
    CHECK(status == source_status::overrun);
    w.lives = false;
    drain(*cursor, status);
    CHECK(status == source_status::abandoned);
}

TEST_CASE("a cursor notices at the end that the writer is gone", "[ring]") {
    writer w;
    w.write(1, 1);
    auto cursor = w.open(ring_cursor::start::head);
    w.lives = false;
    source_status status{};
    CHECK_FALSE(drain(*cursor, status).empty());
    CHECK(status == source_status::abandoned);
}

TEST_CASE("a cursor keeps up with a writer in another thread", "[ring]") {
    writer w(std::size_t{8} << 20);
    auto cursor = w.open(ring_cursor::start::tail);
    constexpr int batches = 20000;
    std::thread other([&w] {
        for (unsigned i = 1; i <= batches; ++i) {
            w.write(i, 3);
        }
        w.write(batches + 1, 1);
    });
    logread::record_run run;
    logread::vxid_value last = 0;
    bool ordered = true;
    while (last <= batches) {
        const source_status status = cursor->next(run);
        if (status == source_status::overrun) {
            cursor = w.open(ring_cursor::start::head);
            continue;
        }
        if (status == source_status::more) {
            const logread::vxid_value vxid = logread::record(run.words.data()).vxid();
            ordered = ordered && (vxid > last || vxid == 1);
            last = std::max(last, vxid);
        }
    }
    other.join();
    CHECK(ordered);
}

TEST_CASE("memory that is no log is refused", "[ring]") {
    const auto lives = [] { return true; };
    std::vector<std::uint64_t> memory(1000);
    const auto bytes = std::as_writable_bytes(std::span(memory));
    CHECK_FALSE(ring_cursor::open(bytes.first(10), ring_cursor::start::head, lives));
    CHECK_FALSE(ring_cursor::open(bytes, ring_cursor::start::head, lives));
    auto* head = reinterpret_cast<shm::layout::head*>(bytes.data());
    std::memcpy(head->marker, "VSLHEAD1", 8);
    head->segment_words = 1000;
    CHECK_FALSE(ring_cursor::open(bytes, ring_cursor::start::head, lives));
    head->segment_words = 100;
    std::fill(std::begin(head->offsets), std::end(head->offsets), -1);
    CHECK_FALSE(ring_cursor::open(bytes, ring_cursor::start::head, lives));
    head->offsets[0] = 1000000;
    CHECK_FALSE(ring_cursor::open(bytes, ring_cursor::start::tail, lives));
    head->offsets[0] = 0;
    auto cursor = ring_cursor::open(bytes, ring_cursor::start::head, lives);
    REQUIRE(cursor);
    logread::record_run run;
    CHECK(cursor->next(run) == source_status::overrun);
    auto* words = reinterpret_cast<std::uint32_t*>(head + 1);
    words[0] = shm::layout::batch_header;
    words[1] = 0xfffffff0;
    CHECK(cursor->next(run) == source_status::overrun);
    words[1] = 12;
    words[2] = shm::layout::header(log_tag::End, 60);
    CHECK(cursor->next(run) == source_status::overrun);
}

TEST_CASE("a saved log gives the records of a transaction together", "[saved]") {
    const std::string text = "2 Begin c req 1 rxreq\n2 End c\n2 ReqURL c /\n3 End b\n";
    const auto bytes = saved(test::log_words(text));
    logread::saved_log_memory log(bytes);
    logread::record_run run;
    std::vector<std::size_t> records;
    while (log.next(run) == source_status::more) {
        CHECK(run.stable);
        records.push_back(0);
        for (const logread::record r : logread::record_range(run.words)) {
            (void)r;
            ++records.back();
        }
    }
    CHECK(records == std::vector<std::size_t>{2, 1, 1});
    CHECK(log.next(run) == source_status::eof);
}

TEST_CASE("a saved log is read from files and pipes alike", "[saved]") {
    test::folder folder;
    auto words = test::log_words("2 ReqURL c /a\n");
    words.insert(words.begin(), {shm::layout::batch_header, static_cast<std::uint32_t>(words.size() * 4)});
    const auto more = test::log_words("3 ReqURL c /b\n");
    words.insert(words.end(), more.begin(), more.end());
    auto bytes = saved(words);
    const std::string path = folder.path + "/log";
    const std::string wanted = "         2 ReqURL         c /a\n         3 ReqURL         c /b\n";
    write_file(path, bytes);
    std::string error;
    source_status status{};
    auto file = logread::open_saved_log(path, error);
    REQUIRE(file);
    CHECK(drain(*file, status) == wanted);
    CHECK(status == source_status::eof);

    const std::string fifo = folder.path + "/fifo";
    REQUIRE(std::system(("mkfifo " + fifo).c_str()) == 0);
    for (const std::size_t missing : {0U, 1U, 9U}) {
        std::thread feeder([&] {
            auto part = bytes;
            part.resize(part.size() - missing);
            write_file(fifo, part);
        });
        auto pipe = logread::open_saved_log(fifo, error);
        const std::string text = drain(*pipe, status);
        feeder.join();
        CHECK(text == wanted.substr(0, missing == 0 ? wanted.size() : wanted.size() / 2));
        CHECK(status == (missing == 0 ? source_status::eof : source_status::io_error));
    }
}

TEST_CASE("a saved log that is cut or is none is told of", "[saved]") {
    test::folder folder;
    const std::string path = folder.path + "/log";
    std::string error;
    CHECK(logread::open_saved_log(path, error) == nullptr);
    CHECK(error == "Cannot open " + path + ": No such file or directory");
    write_file(path, {});
    CHECK(logread::open_saved_log(path, error) == nullptr);
    CHECK(error == "VSL file read error: EOF");
    std::ofstream(path) << "foobar\n";
    CHECK(logread::open_saved_log(path, error) == nullptr);
    CHECK(error == "Not a VSL file: " + path);
    auto bytes = saved(test::log_words("2 ReqURL c /a\n2 ReqURL c /b\n"));
    bytes.resize(bytes.size() - 2);
    write_file(path, bytes);
    auto log = logread::open_saved_log(path, error);
    source_status status{};
    CHECK(drain(*log, status) == "         2 ReqURL         c /a\n");
    CHECK(status == source_status::io_error);
}

TEST_CASE("an instance's processes and segments are followed", "[instance]") {
    test::folder folder;
    logread::instance instance(folder.path);
    CHECK_FALSE(instance.manager_runs());
    const std::string manager_path = folder.path + "/" + shm::manager_folder;
    const std::string worker_path = folder.path + "/" + shm::worker_folder;
    shm::segment_directory::prepare(manager_path, 0755);
    shm::segment_directory manager(manager_path);
    const shm::segment name = manager.create_text("Arg", "-i", "here");
    std::optional<logread::mapped_segment> mapped;
    std::uint64_t generation = 0;
    {
        shm::segment_directory::prepare(worker_path, 0755);
        shm::segment_directory worker(worker_path);
        shm::segment log = worker.create("Log", "", 4096);
        log.publish();
        instance.refresh();
        CHECK((instance.manager_runs() && instance.worker_runs()));
        CHECK(instance.text("Arg", "-i") == "here");
        CHECK_FALSE(instance.text("Arg", "-x"));
        mapped = instance.map("Log");
        REQUIRE(mapped);
        CHECK(mapped->bytes().size() == 4096);
        CHECK(instance.still_there(*mapped));
        generation = instance.worker_generation();
        log.reset();
        instance.refresh();
        CHECK_FALSE(instance.still_there(*mapped));
        CHECK(instance.worker_generation() == generation);
        CHECK_FALSE(instance.map("Log"));
    }
    instance.refresh();
    CHECK_FALSE(instance.worker_runs());
    CHECK(instance.worker_generation() > generation);
}

TEST_CASE("waiting for a manager ends", "[instance]") {
    test::folder folder;
    logread::instance instance(folder.path);
    volatile int stop = 0;
    CHECK_FALSE(instance.wait_for_manager(0, stop));
    stop = 1;
    CHECK_FALSE(instance.wait_for_manager(-1, stop));
}

TEST_CASE("output is rotated under its name and marked as a saved log once", "[output]") {
    test::folder folder;
    const std::string path = folder.path + "/out";
    logread::output out;
    CHECK(out.open("/nonexistent/out", {}) == ENOENT);
    REQUIRE(out.open(path, {logread::output::content::records, false, false}) == 0);
    out.buffer() += "one";
    out.end_of_group();
    CHECK(folder.read("out").empty());
    out.flush();
    CHECK(folder.read("out") == std::string("VSL\0one", 7));
    REQUIRE(out.reopen() == 0);
    out.buffer() += "two";
    std::filesystem::rename(path, path + ".old");
    REQUIRE(out.reopen() == 0);
    out.buffer() += "three";
    out.flush();
    CHECK(folder.read("out.old") == std::string("VSL\0onetwo", 10));
    CHECK(folder.read("out") == std::string("VSL\0three", 9));
    CHECK_FALSE(out.failed());
    REQUIRE(out.open("/dev/full", {logread::output::content::text, false, true}) == 0);
    out.buffer() += "lost";
    out.end_of_group();
    CHECK(out.failed());
}
