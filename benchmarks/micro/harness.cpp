#include "benchmarks/micro/harness.hpp"

#include "support/system_calls.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <time.h>

namespace {

std::atomic<std::uint64_t> allocations{0};
bool quick = false;

void* counted(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    void* place = std::malloc(size == 0 ? 1 : size);
    if (place == nullptr) {
        throw std::bad_alloc();
    }
    return place;
}

} // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
}
void operator delete(void* place) noexcept {
    std::free(place);
}
void operator delete[](void* place) noexcept {
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
    std::free(place);
}
void operator delete[](void* place, std::size_t) noexcept {
    std::free(place);
}

namespace clearcoat::bench {

double processor_time() noexcept {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

std::uint64_t allocation_count() noexcept {
    return allocations.load(std::memory_order_relaxed);
}

std::uint64_t system_call_count() noexcept {
    return test::system_calls().all();
}

void set_up(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        quick = quick || std::string_view(argv[i]) == "--quick";
    }
    std::printf("%-40s %12s %14s %14s\n", "operation", "ns", "allocations", "system calls");
}

plan plan_for(double nanoseconds_each) noexcept {
    double round_length = quick ? 1e5 : 2e6;
    double iterations = round_length / (nanoseconds_each > 1 ? nanoseconds_each : 1);
    return {iterations < 1 ? 1 : static_cast<std::uint64_t>(iterations), quick ? 1u : 200u};
}

void report(std::string_view name, double nanoseconds, double allocations_each, double system_calls_each) {
    std::printf("%-40.*s %12.1f %14.2f %14.2f\n", static_cast<int>(name.size()), name.data(), nanoseconds,
                allocations_each, system_calls_each);
}

} // namespace clearcoat::bench
