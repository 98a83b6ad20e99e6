// A cache hit from end to end on one thread: a client's request through the session, the builtin VCL, the cache and the
// log to the response on the socket. The client's own system calls are part of the time, not of the count.
#include "benchmarks/micro/harness.hpp"

#include "support/serving_rig.hpp"

#include <cstdlib>
#include <string>

using namespace clearcoat;

int main(int argc, char** argv) {
    bench::set_up(argc, argv);
    test::serving_rig rig;
    rig.connect();
    bench::measure("hit, 1 KB", [&] {
        if (rig.exchange(rig.hit).size() < 1024) {
            std::abort();
        }
    });
    std::string ten;
    for (int i = 0; i < 10; ++i) {
        ten += rig.hit;
    }
    bench::measure("ten hits pipelined, 1 KB", [&] {
        if (rig.exchange(ten).size() < 10 * 1024) {
            std::abort();
        }
    });
}
