#include "manager/listeners.hpp"
#include "manager/named_argument.hpp"
#include "manager/option_error.hpp"
#include "manager/storages.hpp"
#include "manager/work_folder.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <unistd.h>

using namespace clearcoat::manager;
namespace sys = clearcoat::sys;

namespace {

template<class F>
std::string failure(F call) {
    try {
        call();
    } catch (const option_error& e) {
        return e.what();
    }
    return "none";
}

std::string listen_failure(const char* text) {
    return failure([text] { parse_listen_argument(text); });
}

std::string storage_failure(std::initializer_list<const char*> arguments) {
    return failure([&] {
        const sys::jail jail;
        storages s(jail);
        for (const char* argument : arguments) {
            s.add(argument);
        }
    });
}

} // namespace

TEST_CASE("names before '=' are checked") {
    const named_argument plain = split_named_argument("malloc,1G", "-s");
    CHECK_FALSE(plain.name);
    CHECK(plain.words == std::vector<std::string>{"malloc", "1G"});
    CHECK(split_named_argument("x=file,/a,1G", "-s").name == "x");
    CHECK_FALSE(split_named_argument(":80,user=x", "-a").name);
    CHECK(failure([] { split_named_argument("a b=malloc", "-s"); }) == "invalid -s name \"a b\"=[...]\n");
    CHECK(failure([] { split_named_argument("a=", "-a"); }) == "Empty named -a argument \"a=\"\n");
    CHECK(failure([] { split_named_argument("\"", "-a"); }) == "Missing '\"'\n");
}

TEST_CASE("-a: protocols and the rights of unix sockets") {
    CHECK(parse_listen_argument("web=:80,PROXY").name == "web");
    CHECK(parse_listen_argument("web=:80,PROXY").proxy);
    CHECK_FALSE(parse_listen_argument(":80,http").proxy);
    const listen_argument path = parse_listen_argument("/tmp/x.sock,mode=0660,user=root,group=root");
    CHECK(path.permissions.mode == 0660U);
    CHECK(path.permissions.uid == 0U);
    CHECK(listen_failure("a/b") == "Unix domain socket addresses must be absolute paths in -a (a/b)\n");
    CHECK(listen_failure(":80,FOO") == "Unknown protocol 'FOO'\n");
    CHECK(listen_failure(":80,HTTP,PROXY") == "Too many protocol sub-args in -a (PROXY)\n");
    CHECK(listen_failure(":80,user=root") == "Invalid sub-arg user=root for IP addresses in -a\n");
    CHECK(listen_failure("/x,user=no-such") == "Unknown user no-such in -a\n");
    CHECK(listen_failure("/x,group=no-such") == "Unknown group no-such in -a\n");
    CHECK(listen_failure("/x,mode=") == "Empty mode sub-arg in -a\n");
    CHECK(listen_failure("/x,mode=9") == "Invalid mode sub-arg 9 in -a\n");
    CHECK(listen_failure("/x,mode=1000") == "Mode sub-arg 1000 out of range in -a\n");
    CHECK(listen_failure("/x,mode=1,mode=2") == "Too many mode sub-args in -a (mode=2)\n");
    CHECK(listen_failure("/x,foo=1") == "Invalid sub-arg foo=1 in -a\n");
}

TEST_CASE("-a: a range of ports stands for an endpoint with each of them") {
    using texts = std::vector<std::string>;
    CHECK(each_port(":80-82") == texts{":80", ":81", ":82"});
    CHECK(each_port("localhost:80-80") == texts{"localhost:80"});
    CHECK(each_port("[::1]:65534-65535") == texts{"[::1]:65534", "[::1]:65535"});
    CHECK(each_port("10.0.0.1 80-81") == texts{"10.0.0.1 80", "10.0.0.1 81"});
    for (const char* plain : {":80", "localhost", "::1", ":http-alt", ":80-", ":-80", ":1-2-3", "a-b:0x1-2", "[::1"}) {
        CHECK(each_port(plain) == texts{plain});
    }
    CHECK(failure([] { each_port(":0-80"); }) == "Got no socket(s) for :0-80 (Range start cannot be 0)\n");
    CHECK(failure([] { each_port(":81-80"); }) == "Got no socket(s) for :81-80 (Range start higher than range end)\n");
    CHECK(failure([] { each_port(":1-65536"); }) == "Got no socket(s) for :1-65536 (Range end higher than 65535)\n");
}

TEST_CASE("a TCP address has a socket for each loop, and none is given twice") {
    const sys::jail jail;
    listeners l(jail, 3);
    l.add("127.0.0.1:0");
    const auto made = l.for_worker();
    REQUIRE(made.size() == 1);
    CHECK(made[0].name == "a0");
    CHECK(made[0].fds.size() == 3);
    CHECK(made[0].port != "0");
    CHECK(made[0].endpoint == "127.0.0.1:" + made[0].port);
    CHECK(failure([&] { l.add(made[0].endpoint.c_str()); }) ==
          "-a arguments " + made[0].endpoint + " and " + made[0].endpoint + " have same address\n");
    CHECK(l.reopen().empty());
    CHECK(l.for_worker()[0].port == made[0].port);
    CHECK(failure([&] { l.add("/no/such/folder/socket"); }) ==
          "Could not get socket /no/such/folder/socket: No such file or directory\n");
}

TEST_CASE("all ports of a range are listened on, under one name") {
    const sys::jail jail;
    std::vector<clearcoat::cli::listen_socket> made;
    for (int port = 21000; made.empty() && port < 21400; port += 2) {
        listeners l(jail, 1);
        const std::string range = "127.0.0.1:" + std::to_string(port) + "-" + std::to_string(port + 1);
        if (failure([&] { l.add(range); }) == "none") {
            made = l.for_worker();
            REQUIRE(made.size() == 2);
            CHECK(made[0].port == std::to_string(port));
            CHECK(made[1].port == std::to_string(port + 1));
            CHECK(made[0].endpoint == range);
            CHECK(failure([&] { l.add("127.0.0.1:" + made[1].port); }) ==
                  "-a arguments " + range + " and 127.0.0.1:" + made[1].port + " have same address\n");
        }
    }
    REQUIRE(made.size() == 2);
    CHECK(made[0].name == "a0");
    CHECK(made[1].name == "a0");
}

TEST_CASE("a port in use is found although sockets are shared") {
    const sys::jail jail;
    listeners first(jail, 2);
    first.add("127.0.0.1:0");
    const auto made = first.for_worker();
    REQUIRE(::listen(made[0].fds[0], 1) == 0);
    listeners second(jail, 2);
    CHECK(failure([&] { second.add(made[0].endpoint.c_str()); }) ==
          "Could not get socket " + made[0].endpoint + ": Address already in use\n");
}

TEST_CASE("-s: strategies, sizes and names") {
    CHECK(storage_failure({"foo"}) == "Unknown storage method \"foo\"\n");
    CHECK(storage_failure({"malloc,1k"}) == "(-smalloc) size \"1k\": too small, did you forget to specify M or G?\n");
    CHECK(storage_failure({"malloc,xx"}) == "(-smalloc) size \"xx\": Invalid number\n");
    CHECK(storage_failure({"malloc,1m,2m"}) == "(-smalloc) too many arguments\n");
    CHECK(storage_failure({"file"}) == "(-sfile) path is mandatory\n");
    CHECK(storage_failure({"file,/tmp/x,1m,1,2,3"}) == "(-sfile) too many arguments\n");
    CHECK(storage_failure({"file,/no/such,1m"}) == "(-sfile) \"/no/such\" does not exist and could not be created\n");
    CHECK(storage_failure({"a=malloc", "a=malloc"}) == "(-s a=malloc) 'a' is already defined\n");

    const sys::jail jail;
    storages s(jail);
    s.add("malloc,256m");
    s.add("Transient=malloc");
    s.add("big=malloc,1G");
    s.finish();
    CHECK(s.names() == std::vector<std::string>{"s0", "big", "Transient"});
    CHECK(s.for_worker()[0].size == 256U << 20);
    CHECK(s.summary() == ",-smalloc,-smalloc,-smalloc");
    clearcoat::cli::reply out;
    s.list(out);
    CHECK(out.text() ==
          "Storage devices:\n\tstorage.s0 = malloc\n\tstorage.big = malloc\n\tstorage.Transient = malloc\n");

    storages none(jail);
    none.finish();
    CHECK(none.names() == std::vector<std::string>{"s0", "Transient"});
}

TEST_CASE("a file storage is made, sized and found again") {
    char folder[] = "/tmp/clearcoat-storage-XXXXXX";
    REQUIRE(::mkdtemp(folder) != nullptr);
    const std::string path = std::string(folder) + "/s.bin";
    const sys::jail jail;
    {
        storages s(jail);
        s.add("file," + path + ",2m");
        CHECK(s.for_worker()[0].size == 2U << 20);
        CHECK(s.for_worker()[0].fd >= 0);
        CHECK(s.for_worker()[0].advice == "random");
    }
    {
        storages s(jail);
        s.add("file," + path);
        CHECK(s.for_worker()[0].size == 2U << 20);
    }
    ::unlink(path.c_str());
    CHECK(storage_failure({("file," + path).c_str()}) == "(-sfile) no size specified\n");
    ::unlink(path.c_str());
    ::rmdir(folder);
}

TEST_CASE("-n names a folder") {
    CHECK(work_folder_path("") == "/var/lib/varnish/varnishd");
    CHECK(work_folder_path("x") == "/var/lib/varnish/x");
    CHECK(work_folder_path("/srv/y") == "/srv/y");
}
