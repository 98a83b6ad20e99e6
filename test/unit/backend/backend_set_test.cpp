#include "backend/backend_set.hpp"
#include "fake_services.hpp"
#include "net/loop.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <thread>
#include <vector>

using namespace clearcoat;

namespace {

vcl::backend_spec spec(std::string name, std::uint16_t port) {
    vcl::backend_spec made;
    made.name = std::move(name);
    made.host = "127.0.0.1";
    made.ipv4 = *base::parse_ip("127.0.0.1", port);
    return made;
}

} // namespace

TEST_CASE("Backends are kept in order, share endpoints and show their counters while warm") {
    test::fake_services services;
    backend::endpoint_table table;
    {
        backend::backend_set set("boot", table, services);
        auto& a = static_cast<backend::backend&>(set.add_backend(spec("a", 1)));
        auto& b = static_cast<backend::backend&>(set.add_backend(spec("b", 1)));
        auto& c = static_cast<backend::backend&>(set.add_backend(spec("c", 2)));
        CHECK(a.shared_endpoint() == b.shared_endpoint());
        CHECK(a.shared_endpoint() != c.shared_endpoint());
        CHECK(a.display_name() == "boot.a");
        CHECK(services.backends == 3);
        CHECK(services.segments.front().name == "boot.a");
        CHECK(!services.segments.front().visible);
        set.warm();
        CHECK(services.segments.front().visible);
        set.add_backend(spec("d", 3));
        CHECK(services.segments.back().visible);
        std::string names;
        set.each([&](vcl::director& d) { names += d.name(); });
        CHECK(names == "abcd");
        CHECK(set.find_director("c") == &c);
        CHECK(set.find_director("x") == nullptr);
    }
    CHECK(services.backends == 0);
    CHECK(services.segments.empty());
}

TEST_CASE("Backends that come while the VCL warms up are as warm as the others") {
    test::fake_services services;
    backend::endpoint_table table;
    backend::backend_set set("boot", table, services);
    std::vector<std::thread> adders;
    for (const char* name : {"a", "b"}) {
        adders.emplace_back([&set, name] {
            for (std::uint16_t i = 0; i < 200; ++i) {
                set.add_backend(spec(name + std::to_string(i), i));
            }
        });
    }
    std::this_thread::yield();
    set.warm();
    for (std::thread& t : adders) {
        t.join();
    }
    CHECK(services.segments.size() == 400);
    for (const auto& s : services.segments) {
        CHECK(s.visible);
    }
}

TEST_CASE("A backend that is none is not listed and cannot be used") {
    test::fake_services services;
    backend::endpoint_table table;
    backend::backend_set set("boot", table, services);
    vcl::backend_spec none;
    none.name = "nil";
    none.none = true;
    vcl::director& d = set.add_backend(none);
    CHECK(!d.state(nullptr).healthy);
    CHECK(!d.concrete());
    int count = 0;
    set.each([&](vcl::director&) { ++count; });
    CHECK(count == 0);
}

TEST_CASE("Behind .via the endpoint is the other's, with a preamble") {
    test::fake_services services;
    backend::endpoint_table table;
    backend::backend_set set("boot", table, services);
    auto& proxy = static_cast<backend::backend&>(set.add_backend(spec("proxy", 1)));
    vcl::backend_spec behind = spec("far", 443);
    behind.via = "proxy";
    behind.authority = "example.com";
    auto& far = static_cast<backend::backend&>(set.add_backend(behind));
    CHECK(far.where().address().ipv4->port == 1);
    CHECK(far.where().address().preamble.find("example.com") != std::string::npos);
    CHECK(&far.where() != &proxy.where());
}
