#include "sys/fd.hpp"
#include "sys/jail.hpp"
#include "sys/memory.hpp"
#include "sys/pid_file.hpp"
#include "sys/process.hpp"
#include "sys/socket_address.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace clearcoat::sys;

TEST_CASE("endpoints are split as users write them") {
    struct {
        const char* text;
        const char* host;
        const char* port;
    } const cases[] = {
        {"localhost", "localhost", ""},
        {"localhost:80", "localhost", "80"},
        {"127.0.0.1 80", "127.0.0.1", "80"},
        {"[::1]:80", "::1", "80"},
        {"[::1]", "::1", ""},
        {"[::1] 80", "::1", "80"},
        {"::1", "::1", ""},
        {":80", "", "80"},
        {"", "", ""},
    };
    for (const auto& c : cases) {
        std::string host;
        std::string port;
        std::string error;
        REQUIRE(split_endpoint(c.text, host, port, error));
        CHECK(host == c.host);
        CHECK(port == c.port);
    }
    std::string host;
    std::string port;
    std::string error;
    CHECK_FALSE(split_endpoint("[::1", host, port, error));
    CHECK(error == "IPv6 address lacks ']'");
    CHECK_FALSE(split_endpoint("[::1]x", host, port, error));
    CHECK(error == "IPv6 address has wrong port separator");
}

TEST_CASE("addresses print and compare") {
    const resolved v4 = resolve("127.0.0.1:8080", "80");
    REQUIRE(v4.addresses.size() == 1);
    CHECK(v4.addresses[0].endpoint() == "127.0.0.1:8080");
    CHECK(resolve("127.0.0.1", "80").addresses[0].port() == 80);
    const resolved v6 = resolve("[::1]:1", "80");
    REQUIRE(v6.addresses.size() == 1);
    CHECK(v6.addresses[0].endpoint() == "[::1]:1");
    CHECK(v6.addresses[0] == socket_address(v6.addresses[0].ip()));
    CHECK_FALSE(v6.addresses[0] == v4.addresses[0]);
    CHECK(socket_address::unix_path("/run/x").endpoint() == "/run/x");
    CHECK(socket_address::unix_path("@x").endpoint() == "@x");
    CHECK(socket_address::unix_path("/run/x").host_text() == "0.0.0.0");
    CHECK_FALSE(socket_address::unix_path(std::string(200, 'x')).valid());
    CHECK_FALSE(resolve("no.such.host.invalid", "80").error.empty());
    std::string error;
    CHECK(resolve_host("127.0.0.1", "80", error).size() == 1);
    CHECK(error.empty());
    CHECK(resolve_host("", "80", error).empty()); // not the loopback address
    CHECK(error == "Name or service not known");
}

TEST_CASE("abstract unix sockets can be reached") {
    const auto address = socket_address::unix_path("@clearcoat-test-" + std::to_string(::getpid()));
    const unique_fd server = bind_stream(address, false);
    REQUIRE(server);
    REQUIRE(::listen(server.get(), 1) == 0);
    const unique_fd client = start_connect(address);
    REQUIRE(client);
    CHECK(finish_connect(client.get()) == 0);
}

TEST_CASE("a memory file is shared by its mappings") {
    const unique_fd fd = make_memfd("test", 4096);
    REQUIRE(fd);
    const mapping a = mapping::shared(fd.get(), 4096);
    const mapping b = mapping::shared(fd.get(), 4096, false);
    REQUIRE(a);
    REQUIRE(b);
    a.data()[7] = std::byte{42};
    CHECK(b.data()[7] == std::byte{42});
}

TEST_CASE("a pid file has one owner") {
    char folder[] = "/tmp/clearcoat-pid-XXXXXX";
    REQUIRE(::mkdtemp(folder) != nullptr);
    const std::string path = std::string(folder) + "/pid";
    pid_t owner = 0;
    pid_file first;
    REQUIRE(first.open(path, owner) == pid_file::verdict::ok);
    first.write();
    CHECK(read_file(path) == std::to_string(::getpid()));
    pid_file second;
    CHECK(second.open(path, owner) == pid_file::verdict::running);
    CHECK(owner == ::getpid());
    first.remove();
    CHECK(::access(path.c_str(), F_OK) != 0);
    CHECK(second.open("/no/such/folder/pid", owner) == pid_file::verdict::failed);
    ::rmdir(folder);
}

TEST_CASE("a spawned process gets its descriptors, arguments and environment") {
    auto [in, out] = make_pipe();
    spawn_request request;
    request.program = "/bin/sh";
    request.arguments = {"sh", "-c", "echo $WORD $0 >&7; exit 3", "zero"};
    request.environment = environment_with("WORD=hello");
    request.descriptors = {{out.get(), 7}};
    const pid_t pid = spawn(request);
    REQUIRE(pid > 0);
    out.reset();
    CHECK(read_rest(in.get()) == "hello zero\n");
    process_end end;
    REQUIRE(wait_for(pid, true, end) == wait_result::ended);
    CHECK(end.exited);
    CHECK(end.status == 3);
    CHECK_FALSE(end.clean());
}

TEST_CASE("descriptors may trade places") {
    auto [a_in, a_out] = make_pipe();
    auto [b_in, b_out] = make_pipe();
    spawn_request request;
    request.program = "/bin/sh";
    // Each one's target is the other's number.
    const int a = ::fcntl(a_out.get(), F_DUPFD_CLOEXEC, 8);
    const int b = ::fcntl(b_out.get(), F_DUPFD_CLOEXEC, 8);
    REQUIRE(a < 10);
    REQUIRE(b < 10);
    request.arguments = {"sh", "-c", "echo to-a >&" + std::to_string(b) + "; echo to-b >&" + std::to_string(a)};
    request.environment = environment_with("X=1");
    request.descriptors = {{a, b}, {b, a}};
    const pid_t pid = spawn(request);
    REQUIRE(pid > 0);
    a_out.reset();
    b_out.reset();
    ::close(a);
    ::close(b);
    CHECK(read_rest(a_in.get()) == "to-a\n");
    CHECK(read_rest(b_in.get()) == "to-b\n");
    process_end end;
    wait_for(pid, true, end);
}

TEST_CASE("a program that cannot be executed is an error of spawn") {
    spawn_request request;
    request.program = "/no/such/program";
    request.arguments = {"x"};
    CHECK(spawn(request) == -1);
    CHECK(errno == ENOENT);
}

TEST_CASE("-j is understood in the reference's words") {
    std::string error;
    CHECK(jail::from_words({"none"}, error));
    CHECK(error.empty());
    CHECK_FALSE(jail::from_words({"none", "x"}, error));
    CHECK(error == "-jnone takes no arguments.\n");
    CHECK_FALSE(jail::from_words({"solaris"}, error));
    CHECK(error == "Unknown jail method \"solaris\"\n");
    if (::geteuid() == 0) {
        CHECK_FALSE(jail::from_words({"unix", "user=no-such"}, error));
        CHECK(error == "Unix jail: no-such user not found.\n");
        CHECK_FALSE(jail::from_words({"unix", "user=daemon", "workuser=bin"}, error));
        CHECK(error == "Unix jail: user daemon and bin have different login groups\n");
        CHECK_FALSE(jail::from_words({"unix", "user=daemon", "foo=1"}, error));
        CHECK(error == "Unix jail: unknown sub-argument 'foo=1'\n");
        const auto made = jail::from_words({"unix", "user=daemon", "workuser=daemon"}, error);
        REQUIRE(made);
        CHECK(made->name() == "unix");
        CHECK(made->worker().user == "daemon");
        CHECK(made->changes_ids());
        CHECK_FALSE(jail::from_words({"unix", "user=daemon", "transparent_hugepage=ignore"}, error));
        CHECK(error == "Unix jail: unknown sub-argument 'transparent_hugepage=ignore'\n");
    }
}

TEST_CASE("-j linux is -j unix that also decides about huge pages") {
    if (::geteuid() != 0) {
        return;
    }
    std::string error;
    const auto made = [&error](const std::string& setting) {
        return jail::from_words({"linux", "transparent_hugepage=" + setting, "user=daemon", "workuser=daemon"}, error);
    };
    const auto disabled = [] { return ::prctl(PR_GET_THP_DISABLE, 0UL, 0UL, 0UL, 0UL); };
    const int before = disabled();
    REQUIRE(made("disable"));
    CHECK(made("disable")->name() == "linux");
    CHECK(made("disable")->changes_ids());
    CHECK(disabled() == 1);
    CHECK(made("ignore"));
    CHECK(disabled() == 1);
    CHECK(made("enable"));
    CHECK(disabled() == 0);
    const auto tried = jail::from_words({"linux", "user=daemon", "workuser=daemon"}, error);
    REQUIRE(tried);
    CHECK(tried->warning().empty());
    CHECK(disabled() == 1);
    CHECK_FALSE(made("perhaps"));
    CHECK(error == "linux jail: unknown value 'perhaps' for argument transparent_hugepage.\n");
    CHECK_FALSE(jail::from_words({"linux", "user=no-such"}, error));
    CHECK(error == "Unix jail: no-such user not found.\n");
    ::prctl(PR_SET_THP_DISABLE, static_cast<unsigned long>(before), 0UL, 0UL, 0UL);
}
