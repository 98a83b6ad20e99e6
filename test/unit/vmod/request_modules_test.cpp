// Modules that work on the request and its answer: header, tcp, bodyaccess, xkey.
#include "module_caller.hpp"
#include "support/scripted_environment.hpp"

#include <catch2/catch.hpp>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace clearcoat;
using test::number;
using test::text;

namespace {

struct header_caller : test::module_caller {
    header_caller() : module_caller("header") {
        task.headers[vcl::message::beresp] = {
            {"Set-Cookie", "a=1"}, {"Vary", "Cookie"}, {"set-cookie", "b=2"}, {"Set-Cookie", ""}};
    }

    test::given cookies() { return header(cookie_); }
    static test::given header(const vcl::header_ref& h) {
        vcl::value v;
        v.header = &h;
        return {"", v};
    }
    static test::given message(vcl::message m) {
        vcl::value v;
        v.http = m;
        return {"", v};
    }
    test::given regex(std::string_view pattern) {
        base::regex::compile_error problem;
        kept_.push_back(base::regex::compile(pattern, false, problem));
        REQUIRE(kept_.back() != nullptr);
        vcl::value v;
        v.regex = kept_.back().get();
        return {"", v};
    }
    std::string lines() {
        std::string out;
        for (const auto& [name, value] : task.headers[vcl::message::beresp]) {
            out += name + "=" + value + ";";
        }
        return out;
    }

  private:
    vcl::header_ref cookie_{vcl::message::beresp, "Set-Cookie"};
    std::vector<std::shared_ptr<const base::regex>> kept_;
};

struct body_caller : test::module_caller {
    body_caller() : module_caller("bodyaccess") {}
};

} // namespace

TEST_CASE_METHOD(header_caller, "a header is added, found and removed among others of its name") {
    CHECK(text_of("get", {cookies(), regex("^b=")}) == "b=2");
    CHECK(text_of("get", {cookies(), regex("^c=")}) == "(undefined)");
    run("append", {cookies(), strands({"c=", "3"})});
    CHECK(lines() == "Set-Cookie=a=1;Vary=Cookie;set-cookie=b=2;Set-Cookie=;Set-Cookie=c=3;");
    run("remove", {cookies(), regex("^[ab]=")});
    CHECK(lines() == "Vary=Cookie;Set-Cookie=;Set-Cookie=c=3;");
    run("remove", {cookies(), regex("")});
    CHECK(lines() == "Vary=Cookie;Set-Cookie=;"); // an empty value matches nothing
}

TEST_CASE_METHOD(header_caller, "all headers of a name are copied, also to the name itself") {
    const vcl::header_ref other{vcl::message::beresp, "X-Old"};
    run("copy", {cookies(), header(other)});
    CHECK(lines().ends_with("X-Old=a=1;X-Old=b=2;X-Old=;"));
    run("copy", {header(other), header(other)});
    CHECK(lines().ends_with("X-Old=;X-Old=a=1;X-Old=b=2;X-Old=;"));
}

TEST_CASE_METHOD(header_caller, "lines are changed as a whole") {
    run("regsub", {message(vcl::message::beresp), regex("^(?i)set-cookie: ([ab])="), text("X-\\1: was ")});
    CHECK(lines() == "X-a=was 1;Vary=Cookie;X-b=was 2;Set-Cookie=;");
    run("regsub", {message(vcl::message::beresp), regex("s"), text("z"), test::named("all", test::flag(true))});
    CHECK(lines() == "X-a=waz 1;Vary=Cookie;X-b=waz 2;Set-Cookie=;");
    run("regsub", {message(vcl::message::beresp), regex("^Vary: "), text("broken")});
    CHECK(failure() == "header.regsub(): the result is no header");
    CHECK(lines() == "X-a=waz 1;Vary=Cookie;X-b=waz 2;Set-Cookie=;");
}

TEST_CASE_METHOD(header_caller, "a header may be named at run time") {
    const vcl::value made = run("dyn", {message(vcl::message::beresp), text("X-Made")});
    REQUIRE(made.header != nullptr);
    run("append", {header(*made.header), strands({"v"})});
    CHECK(lines().ends_with("X-Made=v;"));
    run("dyn", {message(vcl::message::beresp), text("")});
    CHECK(failure() == "header.dyn(): the name is empty");
}

TEST_CASE("tcp asks the system about the client's socket") {
    test::module_caller m("tcp");
    CHECK(m.run("get_estimated_rtt").real == 0);
    CHECK(m.task.records.last(log_tag::VCL_Error) == "tcp: not a TCP connection");
    CHECK(m.run("congestion_algorithm", {text("reno")}).integer == -1);
    m.task.descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    REQUIRE(m.task.descriptor >= 0);
    m.run("dump_info");
    CHECK(m.task.records.last(log_tag::VCL_Log).starts_with("tcpi2: pmtu="));
    CHECK(m.run("congestion_algorithm", {text("reno")}).integer == 0);
    CHECK(m.run("congestion_algorithm", {text("none such")}).integer == -1);
    m.run("set_socket_pace", {number(1000)});
    unsigned pace = 0;
    socklen_t size = sizeof pace;
    CHECK(::getsockopt(m.task.descriptor, SOL_SOCKET, SO_MAX_PACING_RATE, &pace, &size) == 0);
    CHECK(pace == 1024000);
    ::close(m.task.descriptor);
    CHECK_FALSE(m.task.failed());
}

TEST_CASE_METHOD(body_caller, "a body must have been read") {
    place.where = vcl::sub_id::recv;
    CHECK(run("len_req_body").integer == -1);
    CHECK(task.records.last(log_tag::VCL_Error) == "Unbuffered req.body");
    place.where = vcl::sub_id::hash;
    run("hash_req_body");
    CHECK(task.hashed_bytes.empty());
}

TEST_CASE_METHOD(body_caller, "a body is measured, matched, hashed and logged over its parts") {
    task.body_parts = {"one ", "two"};
    place.where = vcl::sub_id::recv;
    CHECK(run("len_req_body").integer == 7);
    base::regex::compile_error problem;
    const auto over = base::regex::compile("e tw", false, problem);
    const auto never = base::regex::compile("^two", false, problem);
    vcl::value re;
    re.regex = over.get();
    CHECK(run("rematch_req_body", {{"", re}}).integer == 1);
    re.regex = never.get();
    CHECK(run("rematch_req_body", {{"", re}}).integer == 0);
    run("log_req_body", {text("> "), number(3)});
    CHECK(task.records.last(log_tag::Debug) == "> two");
    place.where = vcl::sub_id::hash;
    CHECK(run("len_req_body").integer == -1);
    CHECK(task.records.last(log_tag::VCL_Error) == "len_req_body can only be used in vcl_recv{}");
    run("hash_req_body");
    CHECK(task.hashed_bytes == "one two");
    CHECK(task.hashed.empty());
}

TEST_CASE("xkey purges by each key of a list and adds up") {
    test::module_caller m("xkey");
    m.task.keyed_objects = 3;
    CHECK(m.run("purge", {text(" a,b\tc ")}).integer == 9);
    CHECK(m.run("softpurge", {text("d")}).integer == 3);
    CHECK(m.run("purge", {text("")}).integer == 0);
    CHECK(m.run("purge", {test::undefined_text()}).integer == 0);
    using purge = std::pair<std::string, bool>;
    CHECK(m.task.key_purges == std::vector<purge>{{"a", false}, {"b", false}, {"c", false}, {"d", true}});
}
