#include "worker/vcl_slots.hpp"

#include "support/vcl_world.hpp"
#include "tables/param_block.hpp"
#include "tables/params.hpp"
#include "vmod/registry.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::worker;

namespace {

struct events {
    int warmed = 0;
    int cooled = 0;
    int gone = 0;
};

class counted_surroundings final : public vcl_surroundings {
  public:
    counted_surroundings(events& e, const tables::param_block& params) noexcept : events_(e) {
        environment_.parameters = &params;
    }
    ~counted_surroundings() override { ++events_.gone; }
    vcl::environment& environment() noexcept override { return environment_; }
    void warm() override { ++events_.warmed; }
    void cool() override { ++events_.cooled; }

  private:
    events& events_;
    test::memory_environment environment_;
};

std::shared_ptr<const vcl::program> program(const std::string& text) {
    test::memory_files files;
    test::numeric_resolver names;
    vcl::compile_request request;
    request.text = text;
    request.builtin = vcl::builtin_vcl();
    request.labels = {"lab"};
    vcl::compile_result result = vcl::compile(request, files, names, vmod::bundled_modules());
    INFO(result.messages);
    REQUIRE(result.code != nullptr);
    return result.code;
}

struct world {
    events seen;
    tables::param_block params;
    tables::parameter_set settings{params};
    std::vector<vcl_surroundings*> made; // in the order of loading; some may be gone
    vcl_slots slots{[this](const std::string&) {
        auto around = std::make_unique<counted_surroundings>(seen, params);
        made.push_back(around.get());
        return around;
    }};

    void set(std::string_view name, std::string_view value) { settings.set(name, value, false); }

    void load(const std::string& name, const char* state = "1auto",
              const char* text = "vcl 4.1; backend default none;") {
        REQUIRE(slots.load(name, program(text), state).empty());
    }
    std::string status_of(std::string_view name) const {
        for (const auto& row : slots.rows()) {
            if (row.name == name) {
                return std::string(row.status) + "/" + std::string(row.state) + "/" + std::string(row.temperature) +
                       "/" + std::to_string(row.busy);
            }
        }
        return "none";
    }
};

} // namespace

TEST_CASE("a loop follows the active VCL and keeps none busy") {
    world w;
    loop_vcl loop(w.slots);
    CHECK(loop.active() == nullptr);
    w.load("one");
    w.load("two");
    REQUIRE(w.slots.use("one").empty());
    CHECK(loop.active()->name() == "one");
    CHECK(w.status_of("one") == "active/auto/warm/0");
    {
        const flow::vcl_hold task = loop.active();
        const flow::vcl_hold other = loop.active();
        CHECK(w.status_of("one") == "active/auto/warm/2");
    }
    REQUIRE(w.slots.use("two").empty());
    CHECK(loop.active()->name() == "two");
    CHECK(w.slots.generation() == 2);
}

TEST_CASE("a VCL cools when the last task lets go") {
    world w;
    loop_vcl loop(w.slots);
    w.load("one");
    w.load("two");
    w.slots.use("one");
    flow::vcl_hold task = loop.active();
    w.slots.use("two");
    REQUIRE(w.slots.set_state("one", "0auto").empty());
    CHECK(w.status_of("one") == "available/auto/busy/1");
    CHECK(w.seen.cooled == 0);
    w.slots.poll();
    CHECK(w.status_of("one") == "available/auto/busy/1");
    task.reset();
    w.slots.poll();
    CHECK(w.status_of("one") == "available/auto/cold/0");
    CHECK(w.seen.cooled == 1);
    REQUIRE(w.slots.set_state("one", "1warm").empty());
    CHECK(w.status_of("one") == "available/warm/warm/0");
}

TEST_CASE("a discarded VCL lives as long as its tasks") {
    world w;
    loop_vcl loop(w.slots);
    w.load("one");
    w.load("two");
    w.slots.use("one");
    flow::vcl_hold task = loop.active();
    w.slots.use("two");
    CHECK_FALSE(w.slots.discard("two").empty());
    w.slots.set_state("one", "0cold");
    REQUIRE(w.slots.discard("one").empty());
    CHECK(w.status_of("one") == "discarded/cold/busy/1");
    CHECK(w.slots.count().discarded == 1);
    CHECK(w.slots.find("one") == nullptr);
    CHECK(task->name() == "one");
    // The name is free again.
    w.load("one");
    CHECK(w.seen.gone == 0);
    task.reset();
    w.slots.poll();
    CHECK(w.seen.gone == 1);
    CHECK(w.slots.count().loaded == 2);
    CHECK(loop.active()->name() == "two");
}

TEST_CASE("a module may refuse to load, and to be warm") {
    world w;
    const char* text = "vcl 4.1; import debug; backend default none;";
    w.load("one", "1auto", text);
    w.load("two", "0auto", text);
    w.set("max_esi_depth", "42");
    CHECK(w.slots.set_state("two", "1auto").find("max_esi_depth is not the answer.") != std::string::npos);
    CHECK(w.status_of("two") == "available/auto/cold/0");
    CHECK(w.slots.load("three", program(text), "1auto").starts_with("VCL \"three\" Failed warmup"));
    w.set("nuke_limit", "42");
    CHECK(w.slots.load("four", program(text), "1auto").find("nuke_limit is not the answer.") != std::string::npos);
    CHECK(w.slots.rows().size() == 2);
    CHECK(w.seen.gone == 2);
    w.set("max_esi_depth", "5");
    CHECK(w.slots.set_state("two", "1auto").empty());
    CHECK(w.status_of("two") == "available/auto/warm/0");
}

TEST_CASE("a VCL that a module holds cools until it lets go") {
    world w;
    w.load("one");
    w.load("two");
    w.slots.use("two");
    vcl::environment& around = w.made[0]->environment();
    vcl::hold_list::token hold = around.discard_holds().add("somebody");
    REQUIRE(w.slots.set_state("one", "0cold").empty());
    CHECK(w.status_of("one") == "available/cold/cooling/0");
    CHECK(w.seen.cooled == 1);
    CHECK_FALSE(around.is_cold());
    CHECK(w.slots.set_state("one", "1warm").find("VCL one is waiting for:\n\t- somebody") != std::string::npos);
    REQUIRE(w.slots.discard("one").empty());
    CHECK(w.status_of("one") == "discarded/cold/cooling/0");
    hold.drop();
    w.slots.poll();
    CHECK(w.status_of("one") == "none");
    CHECK(w.seen.cooled == 1);
}

TEST_CASE("a VCL that a module keeps warm is busy") {
    world w;
    w.load("one");
    w.load("two");
    w.slots.use("two");
    vcl::hold_list::token hold = w.made[0]->environment().cold_holds().add("somebody");
    CHECK(w.status_of("one") == "available/auto/warm/1");
    REQUIRE(w.slots.set_state("one", "0auto").empty());
    CHECK(w.status_of("one") == "available/auto/busy/1");
    CHECK(w.seen.cooled == 0);
    REQUIRE(w.slots.set_state("one", "1auto").empty());
    hold = {};
    REQUIRE(w.slots.set_state("one", "0auto").empty());
    CHECK(w.status_of("one") == "available/auto/cold/0");
    CHECK(w.made[0]->environment().is_cold());
}

TEST_CASE("what modules keep for vcl_init can fail it, but not vcl_fini") {
    world w;
    const std::string why = w.slots.load("bad",
                                         program("vcl 4.1; import debug; backend default none;"
                                                 "sub vcl_init { debug.fail_task_fini(); }"),
                                         "1auto");
    CHECK(why.find("thou shalt not fini") != std::string::npos);
    w.load("ok", "1auto",
           "vcl 4.1; import debug; backend default none;"
           "sub vcl_init { debug.fail_task_fini(); debug.ok_task_fini(); }"
           "sub vcl_fini { debug.fail_task_fini(); }");
    w.slots.set_state("ok", "0auto");
    REQUIRE(w.slots.discard("ok").empty());
    CHECK(w.slots.rows().empty());
}

TEST_CASE("labels lead to their VCL and can be pointed elsewhere") {
    world w;
    loop_vcl loop(w.slots);
    w.load("one");
    w.load("two");
    CHECK(loop.by_label("lab") == nullptr);
    REQUIRE(w.slots.label("lab", "one").empty());
    CHECK(loop.by_label("lab")->name() == "one");
    CHECK(loop.by_label("one") == nullptr);
    CHECK_FALSE(w.slots.label("other", "lab").empty());
    REQUIRE(w.slots.use("lab").empty());
    CHECK(loop.active()->name() == "one");
    REQUIRE(w.slots.label("lab", "two").empty());
    CHECK(loop.active()->name() == "two");
    w.load("user", "1auto", "vcl 4.1; backend default none; sub vcl_recv { return (vcl(lab)); }");
    bool shown = false;
    for (const auto& row : w.slots.rows()) {
        shown = shown || (row.name == "lab" && row.users == 1 && row.label_target == "two");
    }
    CHECK(shown);
    w.slots.use("one");
    REQUIRE(w.slots.discard("lab").empty());
    CHECK(loop.by_label("lab") == nullptr);
}

TEST_CASE("a VCL whose init fails is refused with the reason") {
    world w;
    const std::string why = w.slots.load(
        "bad", program("vcl 4.1; backend default none; sub vcl_init { return (fail(\"no way\")); }"), "1auto");
    CHECK(why.starts_with("VCL \"bad\" Failed initialization"));
    CHECK(why.find("no way") != std::string::npos);
    CHECK(w.slots.rows().empty());
    CHECK(w.seen.gone == 1);
}
