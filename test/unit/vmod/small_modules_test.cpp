#include "module_caller.hpp"

#include <catch2/catch.hpp>

#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace clearcoat;
using test::module_caller;
using test::named;
using test::text;

namespace {

test::given address(const base::ip_address& a) {
    return {"", vcl::value::of(&a)};
}

/// A listener that closes the first connection, with or without a word.
class barrier {
  public:
    explicit barrier(bool speaks) {
        sockaddr_un where{};
        where.sun_family = AF_UNIX;
        const std::string path = "/tmp/clearcoat-barrier-" + std::to_string(::getpid()) + (speaks ? "s" : "q");
        path.copy(where.sun_path, sizeof where.sun_path - 1);
        path_ = path;
        ::unlink(path.c_str());
        fd_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
        REQUIRE(::bind(fd_, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0);
        REQUIRE(::listen(fd_, 1) == 0);
        thread_ = std::thread([this, speaks] {
            const int one = ::accept(fd_, nullptr, nullptr);
            good_ = one >= 0 && (!speaks || ::write(one, "x", 1) == 1);
            ::close(one);
        });
    }
    ~barrier() {
        thread_.join();
        CHECK(good_);
        ::close(fd_);
        ::unlink(path_.c_str());
    }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
    int fd_ = -1;
    bool good_ = false; // written by the thread, read when it has ended
    std::thread thread_;
};

} // namespace

TEST_CASE("purge works in vcl_hit and vcl_miss only") {
    module_caller m("purge");
    m.task.purged = 3;
    m.run("hard");
    CHECK(m.failure() == "purge can only happen in vcl_hit{} or vcl_miss{}");
    m.place.where = vcl::sub_id::hit;
    CHECK(m.run("hard").integer == 3);
    CHECK((m.task.purge_ttl == 0 && m.task.purge_grace == 0 && m.task.purge_keep == 0));
    m.place.where = vcl::sub_id::miss;
    CHECK(m.run("soft").integer == 3);
    CHECK((m.task.purge_ttl == 0 && m.task.purge_grace < 0 && m.task.purge_keep < 0));
    m.run("soft", {test::real(1), named("keep", test::real(5))});
    CHECK((m.task.purge_ttl == 1 && m.task.purge_grace < 0 && m.task.purge_keep == 5));
    m.task.purged = -1;
    CHECK(m.run("hard").integer == 0);
}

TEST_CASE("unix tells who is at the other end") {
    module_caller m("unix");
    CHECK(m.run("uid").integer == -1);
    CHECK(m.text_of("user") == "(undefined)");
    CHECK(m.task.records.last(log_tag::VCL_Error) == "vmod unix error: not listening on a Unix domain socket");
    m.task.credentials = vcl::peer_credentials{0, 0};
    CHECK(m.run("uid").integer == 0);
    CHECK(m.run("gid").integer == 0);
    CHECK(m.text_of("user") == "root");
    CHECK(m.text_of("group") == "root");
    CHECK(m.waits == 2);
    m.task.credentials = vcl::peer_credentials{4000000000, 4000000001};
    CHECK(m.text_of("user") == "(undefined)");
    CHECK(m.run("gid").integer == 4000000001);
    CHECK_FALSE(m.task.failed());
    m.place.where = vcl::sub_id::init;
    CHECK(m.run("gid").integer == -1);
    CHECK(m.failure() == "vmod unix failure: may not be called in vcl_init or vcl_fini");
}

TEST_CASE("proxy reads the TLVs of the preamble") {
    module_caller m("proxy");
    CHECK(m.text_of("alpn") == "(undefined)");
    CHECK_FALSE(m.run("is_ssl").boolean);
    CHECK(m.run("ssl_verify_result").integer == 0);
    m.task.tlvs[0x01] = "h2";
    m.task.tlvs[0x02] = "example.com";
    m.task.tlvs[0x20] = std::string("\x05\0\0\1\2", 5) + std::string("\x21\0\7TLSv1.3", 10) +
                        std::string("\x22\0\2me", 5) + std::string("\x23\xff\xffxx", 5);
    CHECK(m.text_of("alpn") == "h2");
    CHECK(m.text_of("authority") == "example.com");
    CHECK(m.run("is_ssl").boolean);
    CHECK_FALSE(m.run("client_has_cert_conn").boolean);
    CHECK(m.run("client_has_cert_sess").boolean);
    CHECK(m.run("ssl_verify_result").integer == 258);
    CHECK(m.text_of("ssl_version") == "TLSv1.3");
    CHECK(m.text_of("client_cert_cn") == "me");
    CHECK(m.text_of("ssl_cipher") == "(undefined)");
    CHECK(m.text_of("cert_key") == "(undefined)");
    m.task.tlvs[0x20] = "\x01";
    CHECK_FALSE(m.run("is_ssl").boolean);
}

TEST_CASE("h2 says that there is no HTTP/2 yet") {
    module_caller m("h2");
    CHECK_FALSE(m.run("is").boolean);
    CHECK(m.run("rapid_reset_limit", {named("number", test::number(5))}).integer == -1);
    CHECK(m.task.records.last(log_tag::Notice).find("not supported") != std::string::npos);
}

TEST_CASE("vtc measures types as a compiler lays them out") {
    module_caller m("vtc");
    struct sample {
        char c;
        std::size_t z;
        char d;
    };
    CHECK(m.run("typesize", {text("czc")}).integer == sizeof(sample));
    CHECK(m.run("typesize", {text("uzp")}).integer == 24);
    CHECK(m.run("typesize", {text("*")}).integer == -1);
}

TEST_CASE("vtc plays with the workspace") {
    module_caller m("vtc");
    const test::given client = text("client");
    m.run("workspace_snapshot", {client});
    m.run("workspace_alloc", {client, test::number(-100)});
    CHECK(m.run("workspace_free", {client}).integer == 96);
    CHECK(m.run("workspace_reserve", {client, test::number(-1)}).integer == 95);
    CHECK(m.run("workspace_reserve", {client, test::number(1000)}).integer == 0);
    CHECK(m.failure().empty());
    m.run("workspace_alloc", {client, test::number(1000)});
    CHECK(m.failure() == "vtc.workspace_alloc");
    CHECK(m.run("workspace_overflowed", {client}).boolean);
    m.run("workspace_alloc", {client, test::number(0)});
    CHECK(m.failure() == "Attempted negative WS allocation");
    m.run("workspace_reset", {client});
    CHECK(m.run("workspace_free", {client}).integer == 65536);
    m.run("workspace_dump", {client, text("s")});
    CHECK(m.failure().starts_with("workspace_dump: not supported"));
}

TEST_CASE("vtc waits for a barrier, and for some time") {
    module_caller m("vtc");
    {
        barrier b(false);
        m.run("barrier_sync", {text(b.path())});
        CHECK(m.failure().empty());
        CHECK(m.waits == 1);
    }
    {
        barrier b(true);
        m.run("barrier_sync", {text(b.path())});
        CHECK(m.failure() == "Barrier unexpected data (1B)");
    }
    m.run("barrier_sync", {text("/tmp/clearcoat-no-such-barrier")});
    CHECK(m.failure() == "Barrier connection failed: No such file or directory");
    m.run("sleep", {test::real(.01)});
    CHECK(m.waits == 4);
}

TEST_CASE("vtc makes PROXY preambles") {
    module_caller m("vtc");
    const base::ip_address from = *base::parse_ip("192.0.2.1", 1000);
    const base::ip_address to = *base::parse_ip("192.0.2.2", 80);
    const vcl::blob* one = m.run("proxy_header", {text("v1"), address(from), address(to)}).blob;
    CHECK(std::string(reinterpret_cast<const char*>(one->bytes.data()), one->bytes.size()) ==
          "PROXY TCP4 192.0.2.1 192.0.2.2 1000 80\r\n");
    const vcl::blob* two = m.run("proxy_header", {text("v2"), address(from), address(to), text("name")}).blob;
    CHECK(two->bytes.size() == 16 + 12 + 3 + 4);
    CHECK(two->bytes[15] == std::byte{19});
    const base::ip_address v6 = *base::parse_ip("::1", 80);
    m.run("proxy_header", {text("v2"), address(from), address(v6)});
    CHECK_FALSE(m.failure().empty());
}
