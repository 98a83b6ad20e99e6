#include "directors_caller.hpp"

#include "base/testable_random.hpp"
#include "tables/vcl_variables.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::named;
using test::text;

namespace {

struct shard_caller : test::directors_caller {
    std::unique_ptr<vcl::module_object> s = make("shard", "s");

    // As in a worker: a task ends before the objects of its VCL.
    ~shard_caller() { task.end_task(); }

    vcl::value on(std::string_view method, std::vector<test::given> arguments = {}) {
        return run(*s, "shard", method, std::move(arguments));
    }
    void add_all() {
        for (auto* one : {&a, &b, &c}) {
            on("add_backend", {test::backend(*one)});
        }
        on("reconfigure");
        place.where = vcl::sub_id::backend_fetch;
    }
    std::string backend(std::vector<test::given> arguments) {
        const vcl::value v = on("backend", std::move(arguments));
        return v.backend == nullptr ? "-" : v.backend->name();
    }
    std::string by_key(std::int64_t key, std::vector<test::given> more = {}) {
        more.push_back(named("by", text("KEY")));
        more.push_back(named("key", test::number(key)));
        return backend(std::move(more));
    }
    std::string in_order(std::int64_t key) {
        std::string all;
        for (int alternative = 0; alternative < 3; ++alternative) {
            all += by_key(key, {named("alt", test::number(alternative))});
        }
        return all;
    }
    vcl::value lazily(std::vector<test::given> arguments) {
        arguments.push_back(named("resolve", text("LAZY")));
        return on("backend", std::move(arguments));
    }
};

} // namespace

TEST_CASE_METHOD(shard_caller, "keys go where the reference sends them") {
    add_all();
    CHECK(in_order(0) == "bca");
    CHECK(in_order(1000000000) == "bca");
    CHECK(in_order(2000000000) == "cab");
    CHECK(in_order(3000000000) == "cba");
    CHECK(in_order(4000000000) == "cab");
    CHECK(in_order(4294967295) == "abc");
    CHECK(on("key", {strands({"hello", "world"})}).integer == 2936508303);
}

TEST_CASE_METHOD(shard_caller, "with identities and weights too") {
    on("add_backend", {test::backend(a), named("ident", text("one"))});
    on("add_backend", {test::backend(b), named("ident", text("two")), named("weight", test::real(2.5))});
    on("add_backend", {test::backend(a), named("ident", text("three"))});
    CHECK(on("reconfigure", {test::number(10)}).boolean);
    place.where = vcl::sub_id::recv;
    std::string all;
    for (std::int64_t key : {0L, 1000000000L, 2000000000L, 3000000000L, 4000000000L, 4294967295L}) {
        all += by_key(key);
    }
    CHECK(all == "abaabb");
}

TEST_CASE_METHOD(shard_caller, "of two points it is always the second, as in the reference") {
    on("add_backend", {test::backend(a)});
    on("add_backend", {test::backend(b)});
    on("reconfigure", {test::number(1)});
    place.where = vcl::sub_id::recv;
    for (std::int64_t key : {0L, 1000000000L, 2000000000L, 3000000000L, 4000000000L, 4294967295L}) {
        CHECK(by_key(key) == "b");
    }
}

TEST_CASE_METHOD(shard_caller, "the key is the hash, or the URL, of the request") {
    add_all();
    task.variables[tables::vcl_variable::req_url] = vcl::value::of(std::string_view("/"));
    CHECK(backend({}) == "a");
    CHECK(backend({named("by", text("URL"))}) == "a");
    const std::array<std::byte, 4> bytes{std::byte{0x77}, std::byte{0x35}, std::byte{0x94}, std::byte{0x00}};
    const vcl::blob two_thousand_million{0, bytes};
    CHECK(backend({named("by", text("BLOB")), named("key_blob", test::blob(&two_thousand_million))}) == "c");
    std::array<std::byte, 32> digest{};
    digest[0] = std::byte{0x77};
    const vcl::blob hash{0, digest};
    task.variables[tables::vcl_variable::bereq_hash] = vcl::value::of(&hash);
    CHECK(backend({}) == by_key(0x77000000));
    const vcl::blob empty;
    CHECK(backend({named("by", text("BLOB")), named("key_blob", test::blob(&empty))}) == by_key(0));
    CHECK(task.records.last(log_tag::Error).find("using key 0") != std::string::npos);
    CHECK(failure().empty());
}

TEST_CASE_METHOD(shard_caller, "the sick are passed over as asked") {
    add_all();
    b.now.healthy = false; // of b, c, a
    CHECK(by_key(0) == "c");
    CHECK(by_key(0, {named("healthy", text("IGNORE"))}) == "b");
    CHECK(by_key(0, {named("alt", test::number(1))}) == "c");
    CHECK(by_key(0, {named("alt", test::number(1)), named("healthy", text("ALL"))}) == "a");
    CHECK(by_key(0, {named("alt", test::number(2)), named("healthy", text("ALL"))}) == "c");
    CHECK(by_key(0, {named("alt", test::number(9))}) == "a");
    CHECK(task.records.last(log_tag::Error) == "vmod_directors: shard s: parameter alt=9 limited to 2");
    a.now.healthy = false;
    CHECK(by_key(0, {named("alt", test::number(2))}) == "-");
    CHECK(by_key(0) == "c");
    c.now.healthy = false;
    CHECK(by_key(0) == "-");
}

TEST_CASE_METHOD(shard_caller, "wrong arguments fail the VCL") {
    add_all();
    backend({named("by", text("KEY"))});
    CHECK(failure() == "vmod_directors: shard s: shard.backend() missing key argument with by=KEY");
    by_key(-1);
    CHECK(failure() == "vmod_directors: shard s: shard.backend() invalid key argument -1 with by=KEY");
    backend({named("key", test::number(1))});
    CHECK(failure() == "vmod_directors: shard s: shard.backend() key and key_blob arguments are invalid with by=HASH");
    by_key(0, {named("alt", test::number(-1))});
    CHECK(failure() == "vmod_directors: shard s: shard.backend() invalid alt argument -1");
    by_key(0, {named("warmup", test::real(1.5))});
    CHECK(failure() == "vmod_directors: shard s: shard.backend() invalid warmup argument 1.500000");
    backend({named("param", test::blob(nullptr))});
    CHECK(failure() == "vmod_directors: shard s: .backend(key_blob) param invalid");
    place.where = vcl::sub_id::init;
    backend({named("resolve", text("NOW"))});
    CHECK(failure() == "vmod_directors: shard s: .backend(resolve=NOW) can not be used in vcl_init{}/vcl_fini{}");
    place.where = vcl::sub_id::recv;
    lazily({named("alt", test::number(1))});
    CHECK(failure().find("only be used in backend/pipe context") != std::string::npos);
}

TEST_CASE_METHOD(shard_caller, "changes are carried out at the end of the task when nobody asked before") {
    on("add_backend", {test::backend(a)});
    place.where = vcl::sub_id::recv;
    CHECK(by_key(0) == "-");
    CHECK(task.records.last(log_tag::Error) == "vmod_directors: shard s: no backends");
    task.end_task();
    CHECK(by_key(0) == "a");
}

TEST_CASE_METHOD(shard_caller, "adding twice, removing and clearing") {
    add_all();
    on("add_backend", {test::backend(a)});
    on("remove_backend", {named("backend", test::backend(b))});
    CHECK(on("reconfigure").boolean);
    CHECK(task.records.last(log_tag::Notice) == "vmod_directors: shard s: backend a already exists - skipping");
    CHECK(listed(*s, vcl::director::listing::row) == "2/2\thealthy");
    on("add_backend", {test::backend(b), named("ident", text("x"))});
    on("add_backend", {test::backend(b), named("ident", text("y"))});
    on("reconfigure");
    on("remove_backend", {named("ident", text("x"))});
    on("reconfigure");
    CHECK(listed(*s, vcl::director::listing::row) == "3/3\thealthy");
    on("add_backend", {test::backend(a)});
    on("clear");
    CHECK_FALSE(on("reconfigure").boolean);
    CHECK(task.records.last(log_tag::Error) == "vmod_directors: shard s: .reconfigure() no backends");
    CHECK(on("reconfigure").boolean); // nothing left to do
    CHECK_FALSE(on("reconfigure", {test::number(0)}).boolean);
    on("remove_backend");
    CHECK(failure() == "vmod_directors: shard s: .remove_backend(): either backend or ident are required");
}

TEST_CASE_METHOD(shard_caller, "a backend that just came up shares its keys while it ramps up") {
    on("set_rampup", {test::real(100)});
    add_all();
    b.now.changed = task.time - 50; // of b, c, a
    base::seed_testable_random(1);
    int there = 0;
    for (int i = 0; i < 1000; ++i) {
        there += by_key(0) == "b" ? 1 : 0;
    }
    CHECK((there > 420 && there < 580));
    CHECK(by_key(0, {named("rampup", test::flag(false))}) == "b");
    c.now.changed = task.time - 1;
    CHECK(by_key(0) == "b");
    b.now.changed = task.time - 100;
    CHECK(by_key(0) == "b");
}

TEST_CASE_METHOD(shard_caller, "warmup sends some to the next") {
    on("set_warmup", {test::real(.25)});
    add_all();
    base::seed_testable_random(1);
    int elsewhere = 0;
    for (int i = 0; i < 1000; ++i) {
        elsewhere += by_key(0) == "c" ? 1 : 0;
    }
    CHECK((elsewhere > 190 && elsewhere < 310));
    CHECK(by_key(0, {named("warmup", test::real(0))}) == "b");
    CHECK(by_key(0, {named("warmup", test::real(1))}) == "c");
    on("set_warmup", {test::real(1)});
    CHECK(task.records.last(log_tag::Notice) == "vmod_directors: shard s: .set_warmup(1.000000) ignored");
}

TEST_CASE_METHOD(shard_caller, "parameters are kept for the fetch that resolves later") {
    add_all();
    CHECK(lazily({named("by", text("KEY")), named("key", test::number(2000000000))}).backend->name() == "s");
    CHECK(chosen(*s) == "c");
    lazily({named("by", text("KEY")), named("key", test::number(0)), named("alt", test::number(2))});
    CHECK(chosen(*s) == "a");
    task.end_task();
    task.variables[tables::vcl_variable::bereq_url] = vcl::value::of(std::string_view("/"));
    CHECK(chosen(*s) == "a");
}

TEST_CASE_METHOD(shard_caller, "parameter sets") {
    auto p = make("shard_param", "p");
    const auto set = [&](std::vector<test::given> arguments) { run(*p, "shard_param", "set", std::move(arguments)); };
    const auto get = [&](std::string_view method) { return run(*p, "shard_param", method); };
    set({named("by", text("KEY")), named("key", test::number(2000000000)), named("alt", test::number(1))});
    on("associate", {{"", run(*p, "shard_param", "use")}});
    add_all();
    CHECK(chosen(*s) == "a");
    CHECK(get("get_by").string() == "KEY");
    CHECK(get("get_key").integer == 2000000000);
    CHECK(get("get_alt").integer == 1);
    CHECK(get("get_warmup").real == -1);
    CHECK(get("get_rampup").boolean);
    CHECK(get("get_healthy").string() == "CHOSEN");

    set({named("alt", test::number(2)), named("healthy", text("ALL"))}); // this fetch's copy
    CHECK(chosen(*s) == "b");
    CHECK(get("get_healthy").string() == "ALL");
    run(*p, "shard_param", "clear");
    CHECK(chosen(*s) == "a");
    set({named("alt", test::number(2))});
    task.end_task();
    CHECK(chosen(*s) == "a");

    place.where = vcl::sub_id::recv;
    set({named("alt", test::number(2))});
    CHECK(failure() == "vmod_directors: shard p: shard_param.set() may only be used in vcl_init and in backend/pipe "
                       "context");
    CHECK(backend({named("alt", test::number(0))}) == "c");
    on("associate");
    task.variables[tables::vcl_variable::req_url] = vcl::value::of(std::string_view("/"));
    CHECK(backend({}) == "a");
    CHECK(backend({named("param", {"", run(*p, "shard_param", "use")})}) == "a");
    const vcl::blob other;
    on("associate", {test::blob(&other)});
    CHECK(failure() == "vmod_directors: shard s: shard .associate param invalid");
}

TEST_CASE_METHOD(shard_caller, "what backend.list shows of a shard director") {
    add_all();
    c.now.healthy = false;
    CHECK(listed(*s, vcl::director::listing::details) ==
          "\n\n\tBackend\tIdent\tHealth\tRampup  Remaining\n\ta\ta\thealthy\t100.00%    0.000s\n"
          "\tb\tb\thealthy\t100.00%    0.000s\n\tc\tc\tsick\t  0.00%    0.000s\n");
    CHECK(listed(*s, vcl::director::listing::json) == "[2, 3, \"healthy\"]");
    CHECK(listed(*s, vcl::director::listing::json_details).starts_with(R"({
  "warmup": 0.000000,
  "rampup_duration": 0.000000,
  "backends": {
    "a": {
      "ident": "a",
      "health": "healthy",
      "rampup": 1.000000,
      "rampup_remaining": 0.000
    },
)"));
}
