#include "backend/cli.hpp"
#include "fake_services.hpp"
#include "net/loop.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using layout = backend::cli_answer::form;

namespace {

struct fixture {
    net::loop loop{0};
    test::fake_services services{&loop};
    backend::endpoint_table table;
    backend::backend_set boot{"boot", table, services};
    backend::backend_set other{"other", table, services};
    std::vector<backend::backend_set*> sets{&boot, &other};
    backend::cli_view view;

    fixture() {
        vcl::backend_spec spec;
        spec.name = "default";
        spec.ipv4 = *base::parse_ip("127.0.0.1", 1);
        boot.add_backend(spec).note_change(1);
        spec.name = "probed";
        spec.probe.emplace();
        spec.probe->window = 5;
        spec.probe->threshold = 2;
        spec.probe->initial = 2;
        boot.add_backend(spec);
        other.add_backend(spec);
        view.sets = sets;
        view.active = "boot";
        view.now = 4e9;
    }
    backend::cli_answer list(std::vector<std::string> words) {
        words.insert(words.begin(), "backend.list");
        return backend::backend_list(view, words);
    }
    backend::cli_answer set(std::string pattern, std::string state) {
        const std::vector<std::string> words{"backend.set_health", std::move(pattern), std::move(state)};
        return backend::backend_set_health(view, words);
    }
};

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

TEST_CASE("The table of backends: the active VCL's, or what a pattern with a point matches") {
    fixture f;
    auto a = f.list({});
    CHECK(a.layout == layout::table);
    CHECK(a.text.starts_with("Backend name\tAdmin\tProbe\tHealth\tLast change\nboot.default\thealthy\t0/0\thealthy\t"));
    CHECK(a.text.find("\nboot.probed\tprobe\t2/5\thealthy\t") != std::string::npos);
    CHECK(lines(a.text) == 3);
    CHECK(lines(f.list({"pro*"}).text) == 2);
    CHECK(lines(f.list({"*.pro*"}).text) == 3);
    CHECK(lines(f.list({"other.*"}).text) == 2);
    CHECK(lines(f.list({"nix"}).text) == 1);
    CHECK(f.list({"-p"}).text.find("\n Current states  good:  2 threshold:  2 window:  5\n") != std::string::npos);
}

TEST_CASE("Wrong arguments") {
    fixture f;
    CHECK(f.list({"-x"}).text == "Invalid flag x");
    CHECK(f.list({"-x"}).status == 106);
    CHECK(f.list({"a", "b"}).text == "Too many arguments");
    CHECK(f.set("*", "broken").text == "Invalid state broken");
    CHECK(f.set("nix", "sick").text == "No Backends matches");
    CHECK(f.set("nix", "sick").status == 106);
}

TEST_CASE("The operator's word") {
    fixture f;
    CHECK(f.set("default", "sick").status == 200);
    CHECK(f.list({"default"}).text.find("boot.default\tsick\t0/0\thealthy\tTue, 02 Oct 2096 07:06:40 GMT\n") !=
          std::string::npos);
    CHECK(!f.boot.find_director("default")->effective_state(nullptr).healthy);
    CHECK(f.set("*.*", "AUTO").status == 200);
    CHECK(f.boot.find_director("default")->effective_state(nullptr).healthy);
}

TEST_CASE("The addresses of each family, where there are any") {
    fixture f;
    vcl::backend_spec spec;
    spec.name = "both";
    spec.ipv4 = *base::parse_ip("192.0.2.1", 80);
    spec.ipv6 = *base::parse_ip("2001:db8::1", 80);
    f.boot.add_backend(spec);
    CHECK(f.list({"-jp", "both"}).text.find("\n    \"ipv4\": \"192.0.2.1\",\n    \"ipv6\": \"2001:db8::1\",\n") !=
          std::string::npos);
    CHECK(f.list({"-j", "both"}).text.find("ipv") == std::string::npos);
    vcl::backend_spec local;
    local.name = "local";
    local.path = "/nowhere";
    f.boot.add_backend(local);
    CHECK(f.list({"-jp", "local"}).text.find("ipv") == std::string::npos);
}

TEST_CASE("JSON") {
    fixture f;
    f.set("*", "healthy");
    f.set("*", "auto");
    CHECK(f.list({"-j"}).layout == layout::json);
    CHECK(f.list({"-j", "nix"}).text == "{\n  \n}");
    CHECK(f.list({"-j", "-p", "boot.*"}).text == R"({
  "boot.default": {
    "type": "backend",
    "admin_health": "healthy",
    "probe_message": [0, 0, "healthy"],
    "probe_details": {},
    "ipv4": "127.0.0.1",
    "last_change": 4000000000.000
  },
  "boot.probed": {
    "type": "backend",
    "admin_health": "probe",
    "probe_message": [2, 5, "healthy"],
    "probe_details": {
      "bits_4": 0,
      "bits_6": 0,
      "bits_U": 0,
      "bits_x": 0,
      "bits_X": 0,
      "bits_r": 0,
      "bits_R": 0,
      "bits_H": 3,
      "good": 2,
      "threshold": 2,
      "window": 5
    },
    "ipv4": "127.0.0.1",
    "last_change": 4000000000.000
  }
})");
}
