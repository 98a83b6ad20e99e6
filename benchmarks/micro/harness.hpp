// A small harness for micro benchmarks: runs an operation often enough to time it, counts calls of operator new and
// system calls, and prints one line. The best of many short rounds is shown, since other work on the machine only ever
// makes it slower.
#pragma once

#include <cstdint>
#include <string_view>

namespace clearcoat::bench {

/// Calls of operator new in this process so far.
std::uint64_t allocation_count() noexcept;
/// System calls on sockets, epoll sets and timers of the calling thread so far.
std::uint64_t system_call_count() noexcept;

/// Reads the arguments: --quick makes every measurement short.
void set_up(int argc, char** argv);

/// Nanoseconds this thread has run: waiting for the processor does not count.
double processor_time() noexcept;

/// How often to run one round, and how many rounds.
struct plan {
    std::uint64_t iterations;
    unsigned rounds;
};
plan plan_for(double nanoseconds_each) noexcept;

/// Prints "name  ns/op  allocations/op  system calls/op".
void report(std::string_view name, double nanoseconds, double allocations, double system_calls);

/// Keeps the compiler from dropping a computation whose result nobody reads.
template<class T>
inline void keep(const T& value) noexcept {
    asm volatile("" : : "r,m"(value) : "memory");
}

template<class F>
double time_round(F& operation, std::uint64_t iterations) {
    double begin = processor_time();
    for (std::uint64_t i = 0; i < iterations; ++i) {
        operation();
    }
    return (processor_time() - begin) / static_cast<double>(iterations);
}

/// Measures `operation()`, prints the line and returns nanoseconds an operation.
template<class F>
double measure(std::string_view name, F operation) {
    plan p = plan_for(time_round(operation, 100));
    double best = time_round(operation, p.iterations);
    std::uint64_t before = allocation_count();
    std::uint64_t calls_before = system_call_count();
    for (unsigned round = 0; round < p.rounds; ++round) {
        double ns = time_round(operation, p.iterations);
        best = ns < best ? ns : best;
    }
    double runs = static_cast<double>(p.iterations) * p.rounds;
    report(name, best, static_cast<double>(allocation_count() - before) / runs,
           static_cast<double>(system_call_count() - calls_before) / runs);
    return best;
}

} // namespace clearcoat::bench
