#include "module_caller.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::named;
using test::text;

namespace {

struct blob_caller : test::module_caller {
    blob_caller() : module_caller("blob") {}

    std::string transcode(std::string_view from, std::string_view to, std::string_view what,
                          std::string_view letter_case = "DEFAULT", std::int64_t length = 0) {
        return text_of("transcode", {text(from), text(to), text(letter_case), test::number(length), strands({what})});
    }
    const vcl::blob* decoded(std::string_view scheme, std::string_view what) {
        return run("decode", {text(scheme), test::number(0), strands({what})}).blob;
    }
};

} // namespace

TEST_CASE_METHOD(blob_caller, "base64 in its four dresses") {
    CHECK(transcode("IDENTITY", "BASE64", "f") == "Zg==");
    CHECK(transcode("IDENTITY", "BASE64", "fo") == "Zm8=");
    CHECK(transcode("IDENTITY", "BASE64", "foobar") == "Zm9vYmFy");
    CHECK(transcode("HEX", "BASE64", "fbff") == "+/8=");
    CHECK(transcode("HEX", "BASE64URL", "fbff") == "-_8=");
    CHECK(transcode("HEX", "BASE64URLNOPAD", "fbff") == "-_8");
    CHECK(transcode("HEX", "BASE64CF", "fbff") == "-~8_");
    for (const char* scheme : {"BASE64", "BASE64URL", "BASE64URLNOPAD", "BASE64CF"}) {
        for (const char* hex : {"00", "0001", "fbfffe", "0102030405"}) {
            INFO(scheme << " " << hex);
            CHECK(transcode(scheme, "HEX", transcode("HEX", scheme, hex)) == hex);
        }
    }
    CHECK(transcode("BASE64", "IDENTITY", "Zg") == "f");
    CHECK(transcode("BASE64", "IDENTITY", "Zm9v", "DEFAULT", 3) == "fo");
    CHECK(failure().empty());
}

TEST_CASE_METHOD(blob_caller, "illegal texts are refused") {
    for (const char* wrong : {"Z", "Zg=x", "Zm9v=", "====", "Zg===", "Zm 9v", "Zm9v-"}) {
        INFO(wrong);
        CHECK(transcode("BASE64", "HEX", wrong) == "(undefined)");
        CHECK(failure() ==
              "vmod blob error: cannot decode, illegal encoding beginning with \"" + std::string(wrong) + "\"");
    }
    CHECK(transcode("BASE64URLNOPAD", "HEX", "Zg==") == "(undefined)");
    CHECK(transcode("HEX", "HEX", "0x12") == "(undefined)");
    CHECK(transcode("URL", "HEX", "%4") == "(undefined)");
    CHECK(transcode("URL", "HEX", "%") == "(undefined)");
    CHECK(transcode("URL", "HEX", "%4g") == "(undefined)");
}

TEST_CASE_METHOD(blob_caller, "hex and its case") {
    CHECK(transcode("HEX", "HEX", "aBcDeF0") == "0abcdef0");
    CHECK(transcode("HEX", "HEX", "abcdef", "UPPER") == "ABCDEF");
    CHECK(transcode("HEX", "HEX", "abcdef", "DEFAULT", 3) == "0abc");
    CHECK(transcode("IDENTITY", "BASE64", "x", "UPPER") == "(undefined)");
    CHECK(failure() == "vmod blob error: case UPPER is illegal with encoding BASE64");
}

TEST_CASE_METHOD(blob_caller, "percent-encoding") {
    CHECK(transcode("IDENTITY", "URL", "a b/c~-._\xff") == "a%20b%2fc~-._%ff");
    CHECK(transcode("IDENTITY", "URL", "a b\xff", "UPPER") == "a%20b%FF");
    CHECK(transcode("URL", "IDENTITY", "a%20b%2Fc+") == "a b/c+");
}

TEST_CASE_METHOD(blob_caller, "a text ends at its first zero byte") {
    CHECK(transcode("HEX", "IDENTITY", "666f6f00626172") == "foo");
    CHECK(run("length", {test::blob(decoded("HEX", "666f6f00626172"))}).integer == 7);
}

TEST_CASE_METHOD(blob_caller, "texts in parts") {
    CHECK(text_of("transcode",
                  {text("BASE64"), text("IDENTITY"), named("encoded", strands({"Zm", "9", "vYg", "=="}))}) == "foob");
    CHECK(text_of("transcode", {named("encoded", strands({"a", std::string_view(), "b"}))}) == "ab");
    CHECK(text_of("transcode", {named("encoded", strands({}))}) == "");
}

TEST_CASE_METHOD(blob_caller, "comparing and cutting blobs") {
    const vcl::blob* a = decoded("IDENTITY", "foobar");
    const vcl::blob* b = decoded("HEX", "666f6f626172");
    const vcl::blob* none = decoded("IDENTITY", "");
    CHECK(run("equal", {test::blob(a), test::blob(b)}).boolean);
    CHECK_FALSE(run("same", {test::blob(a), test::blob(b)}).boolean);
    CHECK(run("same", {test::blob(a), test::blob(a)}).boolean);
    CHECK(run("same", {test::blob(none), test::blob(nullptr)}).boolean);
    CHECK_FALSE(run("equal", {test::blob(a), test::blob(none)}).boolean);
    const vcl::blob* part = run("sub", {test::blob(a), test::number(3), test::number(2)}).blob;
    CHECK(text_of("encode", {named("blob", test::blob(part))}) == "oba");
    CHECK(failure().empty());
    run("sub", {test::blob(a), test::number(5), test::number(2)});
    CHECK(failure() == "vmod blob error: size 5 from offset 2 requires more bytes than blob length 6 in blob.sub()");
    run("sub", {test::blob(none), test::number(1)});
    CHECK(failure() == "vmod blob error: blob is empty in blob.sub()");
}

TEST_CASE_METHOD(blob_caller, "objects keep a blob and its encodings") {
    auto o = make("blob", "o", {text("BASE64"), named("encoded", strands({"Zm9v", "YmFy"}))});
    REQUIRE(o != nullptr);
    CHECK(run(*o, "blob", "encode").string() == "foobar");
    const vcl::value once = run(*o, "blob", "encode", {text("HEX"), text("UPPER")});
    CHECK(once.string() == "666F6F626172");
    CHECK(run(*o, "blob", "encode", {text("HEX"), text("UPPER")}).text.data == once.text.data);
    CHECK(run(*o, "blob", "get").blob->bytes.size() == 6);
    CHECK(make("blob", "p", {text("HEX"), named("encoded", strands({"xyz"}))}) == nullptr);
    CHECK(failure() == "vmod blob error: cannot create blob p, illegal encoding beginning with \"xyz\"");
}
