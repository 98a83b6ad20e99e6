#include "module_caller.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::named;

namespace {
struct std_caller : test::module_caller {
    std_caller() : module_caller("std") {}
};
} // namespace

TEST_CASE_METHOD(std_caller, "durations from texts, reals and integers") {
    CHECK(run("duration", {test::text("1w"), test::real(3600)}).real == 604800);
    CHECK(run("duration", {named("real", test::real(1.5))}).real == 1.5);
    CHECK(run("duration", {named("integer", test::number(10))}).real == 10);
    CHECK(run("duration", {test::text("10"), test::real(7)}).real == 7);
    CHECK(run("duration", {test::undefined_text(), test::real(7)}).real == 7);
    CHECK(failure().empty());
    run("duration", {test::text("soon")});
    CHECK(failure() == "std.duration: conversion failed");
    run("duration");
    CHECK(failure() == "std.duration: not enough arguments");
    run("duration", {test::text("1s"), named("real", test::real(1))});
    CHECK(failure() == "std.duration: too many arguments");
    run("duration", {named("fallback", test::real(1))});
    CHECK(failure() == "std.duration: not enough arguments");
}

TEST_CASE_METHOD(std_caller, "byte counts") {
    CHECK(run("bytes", {test::text("1K")}).integer == 1024);
    CHECK(run("bytes", {named("real", test::real(1.9))}).integer == 1);
    CHECK(run("bytes", {named("integer", test::number(12))}).integer == 12);
    CHECK(run("bytes", {test::text("x"), test::number(5)}).integer == 5);
    CHECK(run("bytes", {named("real", test::real(-.5)), named("fallback", test::number(5))}).integer == 5);
    CHECK(run("bytes", {named("integer", test::number(-1)), named("fallback", test::number(5))}).integer == 5);
    CHECK(run("bytes", {named("real", test::real(1e300)), named("fallback", test::number(5))}).integer == 5);
    CHECK(run("bytes", {test::text("9P"), named("fallback", test::number(5))}).integer == 5);
    CHECK(failure().empty());
    run("bytes", {test::text("x")});
    CHECK(failure() == "std.bytes: conversion failed");
}

TEST_CASE_METHOD(std_caller, "integers") {
    CHECK(run("integer", {test::text("12"), test::number(0)}).integer == 12);
    CHECK(run("integer", {test::text(" -12 ")}).integer == -12);
    CHECK(run("integer", {test::text("12.0")}).integer == 12);
    CHECK(run("integer", {test::text("12.5"), test::number(3)}).integer == 3);
    CHECK(run("integer", {named("bool", test::flag(true))}).integer == 1);
    CHECK(run("integer", {named("bytes", test::number(9))}).integer == 9);
    CHECK(run("integer", {named("duration", test::real(2.9))}).integer == 2);
    CHECK(run("integer", {named("real", test::real(-2.9))}).integer == -2);
    CHECK(run("integer", {named("time", test::real(1e9 + .5))}).integer == 1000000000);
    CHECK(run("integer", {named("real", test::real(1e15)), named("fallback", test::number(4))}).integer == 4);
    CHECK(failure().empty());
    run("integer", {test::text("")});
    CHECK(failure() == "std.integer: conversion failed: Invalid number");
    run("integer", {test::text("12x")});
    CHECK(failure() == "std.integer: conversion failed");
    run("integer", {test::undefined_text()});
    CHECK(failure() == "std.integer: conversion failed");
}

TEST_CASE_METHOD(std_caller, "reals") {
    CHECK(run("real", {test::text("1.5")}).real == 1.5);
    CHECK(run("real", {named("integer", test::number(3))}).real == 3);
    CHECK(run("real", {named("bool", test::flag(true))}).real == 1);
    CHECK(run("real", {named("bytes", test::number(4))}).real == 4);
    CHECK(run("real", {named("duration", test::real(2.5))}).real == 2.5);
    CHECK(run("real", {named("time", test::real(6.5))}).real == 6.5);
    CHECK(run("real", {test::text("x"), test::real(7)}).real == 7);
    CHECK(failure().empty());
    run("real", {test::text("1234567890123")});
    CHECK(failure() == "std.real: conversion failed: Too many digits");
}

TEST_CASE_METHOD(std_caller, "times") {
    CHECK(run("time", {test::text("Sun, 06 Nov 1994 08:49:37 GMT")}).real == 784111777);
    CHECK(run("time", {test::text("784111777")}).real == 784111777);
    CHECK(run("time", {test::text("784111777.00")}).real == 784111777);
    CHECK(run("time", {named("real", test::real(5.5))}).real == 5.5);
    CHECK(run("time", {named("integer", test::number(5))}).real == 5);
    CHECK(run("time", {test::text("tomorrow"), test::real(9)}).real == 9);
    CHECK(run("time", {test::text("-5"), test::real(9)}).real == 9);
    CHECK(failure().empty());
    run("time", {test::text("tomorrow")});
    CHECK(failure() == "std.time: conversion failed");
}

TEST_CASE_METHOD(std_caller, "the old conversions round and fall back") {
    CHECK(run("real2integer", {test::real(.5), test::number(9)}).integer == 1);
    CHECK(run("real2integer", {test::real(-.5), test::number(9)}).integer == -1);
    CHECK(run("real2integer", {test::real(1e13), test::number(9)}).integer == 9);
    CHECK(run("time2integer", {test::real(1e9 + .6), test::number(9)}).integer == 1000000001);
    CHECK(run("time2integer", {test::real(1e16), test::number(9)}).integer == 9);
    CHECK(run("real2time", {test::real(5.25), test::real(1)}).real == 5.25);
    CHECK(run("time2real", {test::real(1. / 0.), test::real(1)}).real == 1);
}
