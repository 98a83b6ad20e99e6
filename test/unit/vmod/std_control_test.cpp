#include "module_caller.hpp"
#include "support/scripted_environment.hpp"
#include "support/temporary_file.hpp"

#include "base/testable_random.hpp"

#include <catch2/catch.hpp>

#include <tuple>

#include <netinet/in.h>
#include <netinet/ip.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace clearcoat;
using test::text;

namespace {

struct std_caller : test::module_caller {
    std_caller() : module_caller("std") {}
};

/// std with the state that an importing VCL has.
struct std_with_state : std_caller {
    std_with_state() {
        vcl::event_call e{vcl::module_event::load, nowhere, nullptr, state, error};
        module().event(e);
        place.module_state = state.get();
    }
    test::scripted_environment nowhere;
    std::unique_ptr<vcl::module_object> state;
    std::string error;
};

} // namespace

TEST_CASE_METHOD(std_caller, "healthy goes by the administrator's word first") {
    test::scripted_backend good("good");
    CHECK(run("healthy", {test::backend(good)}).boolean);
    good.set_admin(vcl::director::admin_health::sick, 5);
    CHECK_FALSE(run("healthy", {test::backend(good)}).boolean);
    CHECK(good.effective_state(nullptr).changed == 5);
    CHECK_FALSE(run("healthy", {{"", vcl::value::of(static_cast<vcl::director*>(nullptr))}}).boolean);
}

TEST_CASE_METHOD(std_caller, "log writes one record") {
    run("log", {strands({"a", std::string_view(), "b"})});
    CHECK(task.records.records.size() == 1);
    CHECK(task.records.last(log_tag::VCL_Log) == "ab");
}

TEST_CASE_METHOD(std_caller, "timestamp needs a label") {
    run("timestamp", {text("here")});
    run("timestamp", {text("")});
    run("timestamp", {test::undefined_text()});
    CHECK(task.timestamps == std::vector<std::string>{"here"});
}

TEST_CASE_METHOD(std_caller, "random and round") {
    base::seed_testable_random(1);
    CHECK(run("random", {test::real(0), test::real(1000)}).real == Approx(656.113).margin(.0006));
    CHECK(run("round", {test::real(.5)}).real == 1);
    CHECK(run("round", {test::real(-2.5)}).real == -3);
}

TEST_CASE_METHOD(std_caller, "syntax compares with the version of the VCL") {
    place.version = 40;
    CHECK(run("syntax", {test::real(4.0)}).boolean);
    CHECK_FALSE(run("syntax", {test::real(4.1)}).boolean);
    place.version = 41;
    CHECK(run("syntax", {test::real(4.1)}).boolean);
}

TEST_CASE_METHOD(std_caller, "getenv") {
    ::setenv("CLEARCOAT_TEST", "value", 1);
    CHECK(text_of("getenv", {text("CLEARCOAT_TEST")}) == "value");
    CHECK(text_of("getenv", {text("CLEARCOAT_TEST_NOT")}) == "(undefined)");
    CHECK(text_of("getenv", {text("")}) == "(undefined)");
    CHECK(text_of("getenv", {test::undefined_text()}) == "(undefined)");
}

TEST_CASE_METHOD(std_caller, "the request's body is cached in vcl_recv only") {
    CHECK(run("cache_req_body", {test::number(1024)}).boolean);
    CHECK(task.body_limit == 1024);
    run("cache_req_body", {test::number(-1)});
    CHECK(task.body_limit == 0);
    task.body = vcl::host::body_state::failed;
    CHECK_FALSE(run("cache_req_body", {test::number(1024)}).boolean);
    task.body = vcl::host::body_state::ready;
    place.where = vcl::sub_id::miss;
    CHECK_FALSE(run("cache_req_body", {test::number(1024)}).boolean);
    CHECK(task.records.last(log_tag::VCL_Error) == "req.body can only be cached in vcl_recv{}");
}

TEST_CASE_METHOD(std_caller, "late_100_continue works in vcl_recv only") {
    run("late_100_continue", {test::flag(true)});
    CHECK(task.late_continue == true);
    place.where = vcl::sub_id::deliver;
    run("late_100_continue", {test::flag(false)});
    CHECK(task.late_continue == true);
    CHECK_FALSE(task.failed());
}

TEST_CASE_METHOD(std_caller, "the type of service is set at the client's socket") {
    for (const auto& [family, level, option] :
         {std::tuple(AF_INET, IPPROTO_IP, IP_TOS), std::tuple(AF_INET6, IPPROTO_IPV6, IPV6_TCLASS)}) {
        task.descriptor = ::socket(family, SOCK_STREAM, 0);
        if (task.descriptor < 0) {
            continue; // a machine without IPv6
        }
        run("set_ip_tos", {test::number(8)});
        int found = 0;
        socklen_t size = sizeof found;
        CHECK(::getsockopt(task.descriptor, level, option, &found, &size) == 0);
        CHECK(found == 8);
        ::close(task.descriptor);
    }
    CHECK_FALSE(task.failed());
    task.descriptor = -1;
    run("set_ip_tos", {test::number(8)});
    CHECK(failure() == "std.set_ip_tos(): there is no client connection here");
}

TEST_CASE_METHOD(std_caller, "rollback reaches the task") {
    vcl::value message;
    message.http = vcl::message::bereq;
    run("rollback", {{"", message}});
    CHECK(task.rolled_back == std::vector{vcl::message::bereq});
    place.where = vcl::sub_id::pipe;
    run("rollback", {{"", message}});
    CHECK(failure() == "Cannot rollback in vcl_pipe {}");
}

TEST_CASE_METHOD(std_caller, "bans and why they were refused") {
    CHECK(text_of("ban_error") == "");
    CHECK(run("ban", {text("req.url == /")}).boolean);
    CHECK(text_of("ban_error") == "");
    task.ban_refusal = "Unknown field";
    CHECK_FALSE(run("ban", {text("x")}).boolean);
    CHECK(text_of("ban_error") == "Unknown field");
    CHECK(task.bans == std::vector<std::string>{"req.url == /", "x"});
    task.ban_refusal.reset();
    run("ban", {text("req.url == /")});
    CHECK(text_of("ban_error") == "");
}

TEST_CASE_METHOD(std_with_state, "a file is read once while the task waits") {
    test::temporary_file file("first");
    CHECK(text_of("fileread", {text(file.path())}) == "first");
    CHECK(waits == 1);
    file.write("second");
    CHECK(text_of("fileread", {text(file.path())}) == "first");
    place.site = 1;
    CHECK(text_of("fileread", {text(file.path())}) == "first");
    const vcl::value blob = run("blobread", {text(file.path())});
    CHECK(blob.blob->bytes.size() == 5);
    CHECK(waits == 1);
}

TEST_CASE_METHOD(std_with_state, "a file that is not there is undefined each time") {
    CHECK(text_of("fileread", {text("/nowhere/at/all")}) == "(undefined)");
    CHECK(text_of("fileread", {text("/nowhere/at/all")}) == "(undefined)");
    CHECK(text_of("fileread", {test::undefined_text()}) == "(undefined)");
    CHECK(text_of("fileread", {text("/tmp")}) == "(undefined)");
    CHECK(run("blobread", {text("/nowhere/at/all")}).blob == nullptr);
    CHECK_FALSE(task.failed());
}

TEST_CASE_METHOD(std_with_state, "a text ends at its first zero byte, a blob does not") {
    test::temporary_file file(std::string_view("ab\0cd", 5));
    CHECK(text_of("fileread", {text(file.path())}) == "ab");
    CHECK(run("blobread", {text(file.path())}).blob->bytes.size() == 5);
}

TEST_CASE_METHOD(std_with_state, "in vcl_init a file is read at once") {
    test::temporary_file file("now");
    task.can_wait = false;
    CHECK(text_of("fileread", {text(file.path())}) == "now");
    CHECK(waits == 0);
}

TEST_CASE_METHOD(std_caller, "file_exists") {
    CHECK(run("file_exists", {text("/")}).boolean);
    CHECK_FALSE(run("file_exists", {text("/nowhere/at/all")}).boolean);
    CHECK_FALSE(run("file_exists", {test::undefined_text()}).boolean);
}
