// Modules that compute on texts and numbers alone: str, digest, uuid, math, querystring, accept.
#include "module_caller.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::number;
using test::real;
using test::text;

namespace {

struct str_caller : test::module_caller {
    str_caller() : module_caller("str") {}
    std::string take(std::string_view s, std::int64_t n, std::int64_t offset) {
        return text_of("take", {text(s), number(n), number(offset)});
    }
    std::string split(std::string_view s, std::int64_t n) { return text_of("split", {text(s), number(n)}); }
    bool intersect(std::string_view a, std::string_view b) {
        return run("token_intersect", {text(a), text(b)}).boolean;
    }
};

struct digest_caller : test::module_caller {
    digest_caller() : module_caller("digest") {}
    std::string of(std::string_view function, std::string_view s) { return text_of(function, {text(s)}); }
};

struct uuid_caller : test::module_caller {
    uuid_caller() : module_caller("uuid") {}
};

struct math_caller : test::module_caller {
    math_caller() : module_caller("math") {}
};

struct query_caller : test::module_caller {
    query_caller() : module_caller("querystring") { place.where = vcl::sub_id::init; }
    std::string apply(vcl::module_object& self, std::string_view url, std::string_view mode = "drop") {
        return std::string(run(self, "filter", "apply", {text(url), text(mode)}).string());
    }
};

struct accept_caller : test::module_caller {
    accept_caller() : module_caller("accept") {}
};

} // namespace

TEST_CASE_METHOD(str_caller, "questions about strings") {
    CHECK(run("count", {text("abc")}).integer == 3);
    CHECK(run("count", {test::undefined_text()}).integer == -1);
    CHECK(run("startswith", {text("abc"), text("ab")}).boolean);
    CHECK_FALSE(run("startswith", {text("ab"), text("abc")}).boolean);
    CHECK(run("endswith", {text("abc"), text("bc")}).boolean);
    CHECK_FALSE(run("endswith", {text("abc"), text("ab")}).boolean);
    CHECK(run("contains", {text("abc"), text("b")}).boolean);
    CHECK(run("contains", {text("abc"), text("")}).boolean);
    CHECK_FALSE(run("contains", {test::undefined_text(), text("")}).boolean);
    CHECK(text_of("reverse", {text("abc")}) == "cba");
    CHECK(text_of("reverse", {test::undefined_text()}) == "(undefined)");
}

TEST_CASE_METHOD(str_caller, "parts are taken from either end and clipped") {
    CHECK(take("abcdef", 3, 0) == "abc");
    CHECK(take("abcdef", 3, 2) == "cde");
    CHECK(take("abcdef", 9, 4) == "ef");
    CHECK(take("abcdef", 2, -3) == "de");
    CHECK(take("abcdef", -2, 0) == "ef");
    CHECK(take("abcdef", -2, 4) == "cd");
    CHECK(take("abcdef", -9, 2) == "ab");
    CHECK(take("abc", 8, -10) == "a");
    CHECK(take("abcdef", 0, 3) == "");
    CHECK(take("abcdef", 2, 9) == "");
    CHECK(take("abcdef", 3, INT64_MIN) == "");
    CHECK(take("abcdef", INT64_MIN, 2) == "ab");
    CHECK(text_of("take", {test::undefined_text(), number(1)}) == "(undefined)");
}

TEST_CASE_METHOD(str_caller, "words are counted from either end") {
    CHECK(split(" one  two\tthree ", 1) == "one");
    CHECK(split(" one  two\tthree ", 3) == "three");
    CHECK(split(" one  two\tthree ", 4) == "(undefined)");
    CHECK(split(" one  two\tthree ", -1) == "three");
    CHECK(split(" one  two\tthree ", -3) == "one");
    CHECK(split(" one  two\tthree ", -4) == "(undefined)");
    CHECK(split("one", 0) == "(undefined)");
    CHECK(split("", 1) == "(undefined)");
    CHECK(split("one", INT64_MIN) == "(undefined)");
    CHECK(text_of("split", {text("a,b;c"), number(2), text(",;")}) == "b");
}

TEST_CASE_METHOD(str_caller, "lists intersect in whole words") {
    CHECK(intersect("a, b", "b c"));
    CHECK_FALSE(intersect("ab", "a b"));
    CHECK_FALSE(intersect("", "a"));
    CHECK_FALSE(intersect(",,", ",,"));
    CHECK(run("token_intersect", {text("a|b"), text("c|b"), text("|")}).boolean);
    CHECK_FALSE(run("token_intersect", {text("a b"), text("b a"), text("|")}).boolean);
}

TEST_CASE_METHOD(digest_caller, "hashes and HMACs are those of the standards") {
    CHECK(of("hash_md5", "abc") == "900150983cd24fb0d6963f7d28e17f72");
    CHECK(of("hash_sha1", "abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
    CHECK(of("hash_sha256", "") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(of("hash_sha512", "abc").starts_with("ddaf35a193617aba"));
    CHECK(of("hash_crc32b", "123456789") == "cbf43926");
    CHECK(of("hash_adler32", "Wikipedia") == "11e60398");
    // RFC 2202 and RFC 4231, the second test case of each
    CHECK(text_of("hmac_md5", {text("Jefe"), text("what do ya want for nothing?")}) ==
          "0x750c783e6ab0b503eaa86e310a5db738");
    CHECK(text_of("hmac_sha256", {text("Jefe"), text("what do ya want for nothing?")}) ==
          "0x5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(text_of("hmac_sha256", {test::undefined_text(), text("x")}) == "(undefined)");
    CHECK(task.records.last(log_tag::VCL_Error) == "digest: an HMAC needs a key");
    run("hash_tiger", {text("x")});
    CHECK(failure() == "digest: this hash is not available; take hash_sha256()");
}

TEST_CASE_METHOD(digest_caller, "base64 with and without padding, of texts and of hex digits") {
    CHECK(of("base64", "a?>b") == "YT8+Yg==");
    CHECK(of("base64url", "a?>b") == "YT8-Yg==");
    CHECK(of("base64url_nopad", "a?>b") == "YT8-Yg");
    CHECK(of("base64_hex", "0x613f3e62") == "YT8+Yg==");
    CHECK(of("base64url_nopad_hex", "613F3E62") == "YT8-Yg");
    CHECK(of("base64_decode", "YT8+Yg==") == "a?>b");
    CHECK(of("base64_decode", "YT8+Yg") == "a?>b");
    CHECK(of("base64url_decode", "YT8-Yg==") == "a?>b");
    CHECK(of("base64url_nopad_decode", "YT8-Yg") == "a?>b");
    CHECK(of("base64_decode", "YT8*") == "(undefined)");
    CHECK(of("base64_hex", "0x61zz") == "(undefined)");
}

TEST_CASE_METHOD(uuid_caller, "identifiers carry their version") {
    const std::string random = text_of("uuid_v4");
    CHECK(random.size() == 36);
    CHECK(random[14] == '4');
    CHECK(std::string_view("89ab").find(random[19]) != std::string_view::npos);
    CHECK(text_of("get_rand_uuid") != random);
    const std::string timed = text_of("uuid");
    CHECK(timed[14] == '1');
    CHECK(text_of("uuid_v1") != timed);
    // RFC 9562 and the RFC's errata name these for www.example.com
    CHECK(text_of("uuid_v3", {text("ns:DNS"), text("www.example.com")}) == "5df41881-3aed-3515-88a7-2f4a814cf09e");
    CHECK(text_of("uuid_v5", {text("ns:DNS"), text("www.example.com")}) == "2ed6657d-e927-568b-95e1-2665a8aea6a2");
    CHECK(text_of("uuid_v5", {text("6BA7B810-9dad-11d1-80b4-00c04fd430c8"), text("www.example.com")}) ==
          "2ed6657d-e927-568b-95e1-2665a8aea6a2");
    run("uuid_v5", {text("dns"), text("x")});
    CHECK(failure().starts_with("uuid: the namespace"));
}

TEST_CASE_METHOD(math_caller, "numbers as the C library has them") {
    CHECK(run("sqrt", {real(2.25)}).real == 1.5);
    CHECK(run("pow", {real(2), real(10)}).real == 1024);
    CHECK(run("atan2", {real(1), real(0)}).real == Approx(1.5707963));
    CHECK(run("fma", {real(2), real(3), real(4)}).real == 10);
    CHECK(run("ldexp", {real(3), number(2)}).real == 12);
    CHECK(run("lround", {real(-2.5)}).integer == -3);
    CHECK(run("isnan", {run("nan", {text("")}).real == 0 ? real(0) : real(run("sqrt", {real(-1)}).real)}).integer == 1);
    CHECK(run("isless", {real(1), real(2)}).integer == 1);
    CHECK(run("signbit", {real(-0.0)}).integer == 1);
    CHECK(run("constant", {text("M_PI")}).real == Approx(3.14159265));
    CHECK(run("fpclassify", {real(0)}).integer == run("fpclass", {text("FP_ZERO")}).integer);
    CHECK(run("approx", {real(100), real(101), real(0.5), real(0.02)}).boolean);
    CHECK_FALSE(run("approx", {real(100), real(101), real(0.5), real(0.001)}).boolean);
    CHECK(text_of("strfromd", {text("%.2f"), real(2.0 / 3)}) == "0.67");
    CHECK(text_of("strfromd", {text("%g"), real(1e20)}) == "1e+20");
    for (const char* wrong : {"", "%", "f", "%s", "%5f", "%.x2f", "%.1234f", "%n"}) {
        run("strfromd", {text(wrong), real(1)});
        CHECK(failure() == "math.strfromd(): the format must be like %.3f");
    }
}

TEST_CASE_METHOD(query_caller, "queries are cleaned, sorted and removed") {
    CHECK(text_of("clean", {text("/a?&b=2&&=x&a=1&c&")}) == "/a?b=2&a=1&c");
    CHECK(text_of("clean", {text("/a?&&")}) == "/a");
    CHECK(text_of("clean", {text("/a")}) == "/a");
    CHECK(text_of("sort", {text("/a?b=2&a=2&b=1&a=2")}) == "/a?a=2&a=2&b=1&b=2");
    CHECK(text_of("sort", {text("/a?b=2&a=2&b=1&a=2"), test::flag(true)}) == "/a?a=2&b=1&b=2");
    CHECK(text_of("remove", {text("/a?b?c")}) == "/a");
    CHECK(text_of("remove", {test::undefined_text()}) == "(undefined)");
    CHECK(text_of("clean", {test::undefined_text()}) == "(undefined)");
}

TEST_CASE_METHOD(query_caller, "filters drop or keep what their criteria name") {
    const auto f = make("filter", "f");
    run(*f, "filter", "add_string", {text("_")});
    run(*f, "filter", "add_glob", {text("utm_*")});
    run(*f, "filter", "add_regex", {text("^sess\\d+$")});
    CHECK(apply(*f, "/a?z=1&utm_source=x&_=9&sess12=y&__=2&a=3") == "/a?z=1&__=2&a=3");
    CHECK(apply(*f, "/a?z=1&utm_source=x&_=9", "keep") == "/a?utm_source=x&_=9");
    CHECK(apply(*f, "/a?utm_source=x") == "/a");
    CHECK(run(*f, "filter", "extract", {text("/a?utm_source=x&b=1")}).string() == "b=1");
    CHECK(run(*f, "filter", "extract", {text("/a?utm_source=x")}).text.data == nullptr);
    CHECK(run(*f, "filter", "extract", {text("/a")}).text.data == nullptr);
    run(*f, "filter", "add_regex", {text("(")});
    CHECK(failure().starts_with("querystring: wrong expression"));
    place.where = vcl::sub_id::recv;
    run(*f, "filter", "add_string", {text("x")});
    CHECK(failure() == "querystring: filters are filled in vcl_init");
}

TEST_CASE_METHOD(query_caller, "filters sort by the part they match") {
    const auto named = make("filter", "n", {test::flag(true), test::flag(true)});
    CHECK(apply(*named, "/?b=2&a=2&b=1&a=1") == "/?a=2&b=2");
    const auto whole = make("filter", "w", {test::flag(true), test::flag(true), text("param")});
    run(*whole, "filter", "add_string", {text("b=2")});
    CHECK(apply(*whole, "/?b=2&a=2&b=1&a=2") == "/?a=2&b=1");
}

TEST_CASE_METHOD(accept_caller, "the first known choice of a header wins") {
    const auto rule = make("rule", "r", {text("text/plain")});
    run(*rule, "rule", "add", {text("text/html")});
    run(*rule, "rule", "add", {text("application/json")});
    const auto filter = [&](std::string_view header) {
        return std::string(run(*rule, "rule", "filter", {text(header)}).string());
    };
    CHECK(filter("image/png, application/json;q=0.3 , text/html") == "application/json");
    CHECK(filter("text/html;level=1") == "text/html");
    CHECK(filter("TEXT/HTML") == "text/plain");
    CHECK(filter("") == "text/plain");
    run(*rule, "rule", "remove", {text("text/html")});
    CHECK(filter("text/html") == "text/plain");
    CHECK(run(*rule, "rule", "filter", {test::undefined_text()}).string() == "text/plain");
}
