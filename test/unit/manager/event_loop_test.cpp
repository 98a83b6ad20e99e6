#include "manager/event_loop.hpp"
#include "sys/fd.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

using clearcoat::manager::event_loop;
namespace sys = clearcoat::sys;

namespace {

class manual_clock final : public clearcoat::base::clock {
  public:
    double real() const noexcept override { return now; }
    double monotonic() const noexcept override { return now; }
    double now = 0;
};

} // namespace

TEST_CASE("timers run in order, once, and can be cancelled") {
    manual_clock clock;
    event_loop loop(clock);
    std::string order;
    loop.after(2, [&] { order += 'b'; });
    loop.after(1, [&] { order += 'a'; });
    const auto cancelled = loop.after(1.5, [&] { order += 'x'; });
    loop.cancel(cancelled);
    loop.run_once(0);
    CHECK(order.empty());
    clock.now = 3;
    loop.run_once(0);
    CHECK(order == "ab");
    loop.run_once(0);
    CHECK(order == "ab");
}

TEST_CASE("descriptors call back and may forget themselves") {
    event_loop loop;
    auto [in, out] = sys::make_pipe();
    int calls = 0;
    loop.on_readable(in.get(), [&, number = in.get()] {
        ++calls;
        loop.forget(number);
    });
    loop.run_once(0);
    CHECK(calls == 0);
    REQUIRE(sys::write_all(out.get(), "x") == 0);
    loop.run_once(0);
    loop.run_once(0);
    CHECK(calls == 1);
}

TEST_CASE("a closed writer is an event, and stop ends the run") {
    event_loop loop;
    auto [in, out] = sys::make_pipe();
    loop.on_readable(in.get(), [&] { loop.stop(); });
    out.reset();
    loop.run();
    CHECK(loop.stopped());
}
