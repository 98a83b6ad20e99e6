// Writes a work folder's shared memory as a manager and a worker would, for the reference's readers to attach to:
//   e2e_shm_writer FOLDER TRANSACTIONS RING_BYTES THREADS PAUSE_US
// Each thread writes TRANSACTIONS requests, with a pause after every 20. It prints "ready" when the segments are there,
// begins when a line comes on stdin, prints "written", and ends with stdin.
#include "shm/counter_segment.hpp"
#include "shm/log_ring.hpp"
#include "shm/task_log.hpp"
#include "tables/params.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace clearcoat;

namespace {

void write_request(shm::task_log& log, unsigned vxid, unsigned number) {
    log.reset(vxid, shm::vxid_kind::client);
    log.write(log_tag::Begin, "req 1 rxreq");
    log.print(log_tag::Timestamp, "Start: {:.6f} 0.000000 0.000000", 1700000000.5 + number);
    log.write(log_tag::ReqStart, "127.0.0.1 1234 a0");
    log.write(log_tag::ReqMethod, "GET");
    log.print(log_tag::ReqURL, "/{}", number);
    log.write(log_tag::ReqProtocol, "HTTP/1.1");
    log.write(log_tag::ReqHeader, "Host: example.com");
    log.write(log_tag::Hash, "not to be seen");
    log.write(log_tag::RespProtocol, "HTTP/1.1");
    log.write(log_tag::RespStatus, "200");
    log.write(log_tag::RespReason, "OK");
    log.print(log_tag::RespHeader, "X-Filler: {}", std::string(number % 200, 'x'));
    log.write(log_tag::ReqAcct, "10 0 10 20 30 50");
    log.write(log_tag::End, "");
    log.flush();
}

void write_requests(shm::log_ring& ring, unsigned first, unsigned step, unsigned count, unsigned pause) {
    std::vector<std::uint32_t> buffer(4096);
    shm::task_log log(ring);
    log.attach(buffer);
    for (unsigned i = 0; i < count; ++i) {
        write_request(log, 2 * (first + i * step), i);
        if (i % 20 == 19 && pause != 0) {
            usleep(pause);
        }
    }
}

void say(const char* word) {
    std::puts(word);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 6) {
        return 2;
    }
    std::string folder = argv[1];
    unsigned count = static_cast<unsigned>(std::atoi(argv[2]));
    unsigned threads = static_cast<unsigned>(std::atoi(argv[4]));
    unsigned pause = static_cast<unsigned>(std::atoi(argv[5]));

    shm::segment_directory::prepare(folder + "/" + shm::manager_folder, 0755);
    shm::segment_directory::prepare(folder + "/" + shm::worker_folder, 0755);
    shm::segment_directory manager(folder + "/" + shm::manager_folder);
    shm::counter_segment<tables::mgt_counters> mgt(manager);
    mgt->uptime = 17;
    shm::segment identity = manager.create_text("Arg", "-i", "tester");
    shm::segment endpoint = manager.create_text("Arg", "-T", "127.0.0.1 1234\n");

    shm::segment_directory worker(folder + "/" + shm::worker_folder);
    shm::counter_segment<tables::main_counters> counters(worker);
    counters->cache_hit = 42;
    tables::param_block params;
    tables::parameter_set parameters(params);
    shm::segment memory = worker.create("Log", "Log", static_cast<std::size_t>(std::atoll(argv[3])));
    shm::log_ring ring(memory.bytes(), params, *counters);
    memory.publish();
    shm::counter_segment<tables::sma_counters> storage(worker, "s0");
    storage->g_space = 1048576;
    shm::counter_segment<tables::vbe_counters> backend(worker, "boot.default");
    backend->happy = 5;
    { shm::counter_segment<tables::vbe_counters> gone(worker, "old.default"); }
    ring.write_now(log_tag::CLI, "Rd ping");

    say("ready");
    std::getchar();
    std::vector<std::thread> writers;
    for (unsigned i = 0; i < threads; ++i) {
        writers.emplace_back([&ring, i, threads, count, pause] { write_requests(ring, i + 1, threads, count, pause); });
    }
    for (std::thread& t : writers) {
        t.join();
    }
    say("written");
    while (std::getchar() != EOF) {
    }
}
