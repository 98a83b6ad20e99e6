// What logging a cache hit costs: the records of one request into the task's buffer, and the batch into the ring. No
// part of it makes a system call.
#include "benchmarks/micro/harness.hpp"

#include "base/text_pieces.hpp"
#include "shm/log_ring.hpp"
#include "shm/task_log.hpp"
#include "tables/counters.hpp"
#include "tables/params.hpp"

#include <vector>

using namespace clearcoat;

namespace {

void log_time(shm::task_log& log, std::string_view event, base::seconds since_start, base::seconds since_last) {
    log.join(log_tag::Timestamp, event, ": ", base::fixed6(1700000000.123456), ' ', base::fixed6(since_start), ' ',
             base::fixed6(since_last));
}

struct fixture {
    std::vector<std::uint64_t> memory = std::vector<std::uint64_t>((80 << 20) / 8);
    std::vector<std::uint32_t> buffer = std::vector<std::uint32_t>(4096);
    tables::param_block params;
    tables::parameter_set set{params};
    tables::main_counters counters;
    tables::main_counters delta;
    shm::log_ring ring{std::as_writable_bytes(std::span(memory)), params, counters};
};

void log_hit(shm::task_log& log) {
    log.write(log_tag::Begin, "req 32769 rxreq");
    log_time(log, "Start", 0.0, 0.0);
    log_time(log, "Req", 0.0, 0.0);
    log.write(log_tag::VCL_use, "boot");
    log.write(log_tag::ReqStart, "127.0.0.1 45678 a0");
    log.write(log_tag::ReqMethod, "GET");
    log.write(log_tag::ReqURL, "/articles/2024/05/how-caches-work.html");
    log.write(log_tag::ReqProtocol, "HTTP/1.1");
    log.write(log_tag::ReqHeader, "Host: www.example.com");
    log.write(log_tag::ReqHeader, "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:124.0) Gecko/20100101 Firefox/124.0");
    log.write(log_tag::ReqHeader, "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    log.write(log_tag::ReqHeader, "X-Forwarded-For: 127.0.0.1");
    log.write(log_tag::VCL_call, "RECV");
    log.write(log_tag::VCL_return, "hash");
    log.write(log_tag::VCL_call, "HASH");
    log.write(log_tag::Hash, "masked");
    log.write(log_tag::VCL_return, "lookup");
    log.join(log_tag::Hit, 32771, ' ', base::fixed6(119.5), ' ', base::fixed6(10), ' ', base::fixed6(0));
    log.write(log_tag::VCL_call, "HIT");
    log.write(log_tag::VCL_return, "deliver");
    log.write(log_tag::RespProtocol, "HTTP/1.1");
    log.write(log_tag::RespStatus, "200");
    log.write(log_tag::RespReason, "OK");
    log.write(log_tag::RespHeader, "Date: Tue, 05 Nov 2024 10:11:12 GMT");
    log.write(log_tag::RespHeader, "Content-Type: text/html; charset=utf-8");
    log.write(log_tag::RespHeader, "X-Varnish: 32770 32771");
    log.write(log_tag::RespHeader, "Age: 1");
    log.write(log_tag::VCL_call, "DELIVER");
    log.write(log_tag::VCL_return, "deliver");
    log_time(log, "Process", 0.000021, 0.000021);
    log.write(log_tag::Filters, "");
    log.write(log_tag::RespHeader, "Connection: keep-alive");
    log_time(log, "Resp", 0.000045, 0.000024);
    log.print(log_tag::ReqAcct, "{} {} {} {} {} {}", 210, 0, 210, 280, 1024, 1304);
    log.write(log_tag::End, "");
}

} // namespace

int main(int argc, char** argv) {
    bench::set_up(argc, argv);
    fixture f;
    shm::task_log log(f.ring, 2, shm::vxid_kind::client, f.buffer, &f.delta);
    bench::measure("log: one record into the buffer", [&] { log.write(log_tag::VCL_call, "RECV"); });
    bench::measure("log: one record masked out", [&] { log.write(log_tag::Hash, "www.example.com"); });
    bench::measure("log: one Timestamp record", [&] { log_time(log, "Process", 0.000021, 0.000021); });
    bench::measure("log: one unbuffered record", [&] { f.ring.write_now(log_tag::CLI, "Rd ping"); });
    bench::measure("log: all 34 records of a hit, with flush", [&] {
        log_hit(log);
        log.flush();
    });
}
