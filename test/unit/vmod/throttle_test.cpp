#include "module_caller.hpp"

#include "vmod/vsthrottle/buckets.hpp"

#include <catch2/catch.hpp>
#include <thread>

using namespace clearcoat;
using vmod::throttle::bucket_table;
using vmod::throttle::rule;

TEST_CASE("tokens come back evenly over the period") {
    bucket_table table;
    const rule r{2, 10, 0};
    CHECK(table.remaining("k", r, 100) == 2);
    CHECK(table.take("k", r, 100));
    CHECK(table.take("k", r, 100));
    CHECK_FALSE(table.take("k", r, 104.9));
    CHECK(table.take("k", r, 105));
    CHECK_FALSE(table.take("k", r, 105));
    CHECK(table.remaining("k", r, 109.9) == 0);
    CHECK(table.remaining("k", r, 110) == 1);
    CHECK(table.remaining("k", r, 110) == 1);
    CHECK(table.remaining("k", r, 1000) == 2);
    CHECK(table.remaining("k", r, 1) == 0); // a clock that was set back gives nothing
}

TEST_CASE("a bucket found empty is blocked for its time") {
    bucket_table table;
    const rule r{1, 1, 30};
    CHECK(table.take("k", r, 100));
    CHECK(table.blocked("k", r, 100) == 0);
    CHECK_FALSE(table.take("k", r, 100));
    CHECK(table.blocked("k", r, 110) == 20);
    CHECK_FALSE(table.take("k", r, 120)); // there are tokens again, but it is blocked
    CHECK(table.take("k", r, 131));
    CHECK(table.blocked("k", r, 131) == 0);
}

TEST_CASE("key, limit, period and block name a bucket") {
    bucket_table table;
    CHECK(table.take("k", {1, 10, 0}, 0));
    CHECK(table.take("k", {1, 10, 5}, 0));
    CHECK(table.take("k", {1, 11, 0}, 0));
    CHECK(table.take("l", {1, 10, 0}, 0));
    CHECK_FALSE(table.take("k", {1, 10, 0}, 0));
    CHECK(table.size() == 4);
    table.remove("k", {1, 10, 0});
    CHECK(table.take("k", {1, 10, 0}, 0));
    table.put_back("k", {1, 10, 0}, 0);
    table.put_back("k", {1, 10, 0}, 0);
    CHECK(table.remaining("k", {1, 10, 0}, 0) == 1);
}

TEST_CASE("full buckets are swept away") {
    bucket_table table;
    for (int i = 0; i < 20000; ++i) {
        table.take(std::to_string(i), {1, 1, 0}, i);
    }
    CHECK(table.size() < 20000);
    CHECK_FALSE(table.take("19999", {1, 1, 0}, 19999));
}

TEST_CASE("threads share the tokens") {
    bucket_table table;
    std::atomic<int> given{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 1000; ++i) {
                given += table.take("k", {1500, 1000, 0}, 0) ? 1 : 0;
            }
        });
    }
    for (std::thread& t : threads) {
        t.join();
    }
    CHECK(given == 1500);
}

TEST_CASE("the module's functions reach the buckets") {
    test::module_caller caller("vsthrottle");
    const auto arguments = [] {
        return std::vector{test::text("unit"), test::number(1), test::real(10), test::real(0)};
    };
    CHECK_FALSE(caller.run("is_denied", arguments()).boolean);
    CHECK(caller.run("is_denied", arguments()).boolean);
    CHECK(caller.run("remaining", arguments()).integer == 0);
    caller.run("return_token", arguments());
    CHECK(caller.run("remaining", arguments()).integer == 1);
    caller.run("remove_bucket", arguments());
    CHECK(caller.run("blocked", arguments()).real == 0);
    CHECK(caller.run("is_denied", {test::undefined_text(), test::number(1), test::real(1)}).boolean);
    CHECK(caller.run("remaining", {test::undefined_text(), test::number(1), test::real(1)}).integer == -1);
}
