#include "body/esi/parser.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace clearcoat::body::esi;

namespace {

struct reading final : parser_listener {
    std::string text;                  // what is sent, with [host|url] where something is included
    std::vector<std::string> problems; // with E, W or N before them
    std::string all;                   // text and markup
    bool found = false;

    void esi_problem(const problem& p) noexcept override {
        constexpr const char* letters[] = {"N ", "W ", "E "};
        problems.push_back(letters[static_cast<int>(p.how_bad)] + std::string(p.text));
    }
    void esi_include(std::string_view host, std::string_view url, bool continue_on_error) override {
        text += "[" + std::string(host) + "|" + std::string(url) + (continue_on_error ? "|continue" : "") + "]";
    }
};

reading read(const std::string& page, std::size_t piece, const parser_options& options = {}) {
    reading r;
    parser p("/dir/page?a=/b", options, r);
    for (std::size_t at = 0; at == 0 || at < page.size(); at += piece) {
        std::string in = page.substr(at, piece);
        p.feed(in, at + piece >= page.size());
        for (parser::piece next = p.next(); next.what != parser::piece::kind::none; next = p.next()) {
            r.all += next.bytes;
            r.text += next.what == parser::piece::kind::text ? next.bytes : std::string_view();
        }
    }
    r.found = p.found();
    return r;
}

struct row {
    std::string page, text;
    std::vector<std::string> problems = {};
};

void check(const std::vector<row>& rows, const parser_options& options = {}) {
    for (const row& r : rows) {
        for (std::size_t piece : {1, 2, 3, 5, 1000}) {
            CAPTURE(r.page, piece);
            reading got = read(r.page, piece, options);
            CHECK(got.text == r.text);
            CHECK(got.all == r.page);
            CHECK(got.problems == r.problems);
        }
    }
}

} // namespace

TEST_CASE("pages without ESI come through whole") {
    const std::string pages[] = {
        "",
        "<html><body class=\"x\">text</body></html>",
        "  \r\n<p>a</p>",
        "<!-- <esi:include src=\"/x\"/> --><p>",
        "<![CDATA[ <esi:include src=\"/x\"/> ]] > ]]><p>",
        "<p title=\"<esi:include\">",
        "<!----><p>",
        "<es><e><!-><!doctype html></esi>",
        "<a --> b <!x>",
    };
    for (const std::string& page : pages) {
        for (std::size_t piece : {1, 2, 4, 1000}) {
            CAPTURE(page, piece);
            reading r = read(page, piece);
            CHECK(r.text == page);
            CHECK(r.all == page);
            CHECK(r.problems.empty());
            CHECK_FALSE(r.found);
        }
    }
}

TEST_CASE("elements that do what they say") {
    check({
        {"<a><esi:include src=\"/x\"/><b>", "<a>[|/x]<b>"},
        {"<esi:include src='/x' onerror=\"continue\" />", "[|/x|continue]"},
        {"<esi:include onerror=\"other\" src=/x />", "[|/x]"},
        {"<esi:include alt=\"y\" src=\"/x\" max-age='3'/>", "[|/x]"},
        {"<esi:include\n\tsrc=\"x\"/>", "[|/dir/x]"},
        {"<esi:include src=\"http://host:80/a/b?c\"/>", "[host:80|/a/b?c]"},
        {"<esi:include src=\"/a?b&amp;c&lt;&gt;&quot;&apos;&x\"/>", "[|/a?b&c<>\"'&x]"},
        {"<a><esi:remove>x<b>y</esi:remove>z", "<a>z"},
        {"<a><esi:comment text=\"x\"/>z", "<a>z"},
        {"<a><!--esi b<esi:include src=\"/x\"/>c-->d", "<a> b[|/x]cd"},
        {"<a><!--esi x - y -- z --><b>", "<a> x - y -- z <b>"},
        {"<a><!--esi <!-- plain --> --><b>", "<a> <!-- plain --> --><b>"},
        {"<a><!-- x ---><esi:include src=\"/x\"/>", "<a><!-- x --->[|/x]"},
        {"<a><![CDATA[x]]]><esi:include src=\"/x\"/>", "<a><![CDATA[x]]]>[|/x]"},
        {"<esi:include src=\"/1\"/><esi:include src=\"/2\"/>", "[|/1][|/2]"},
    });
}

TEST_CASE("elements that are wrong") {
    check({
        {"<a><esi:include src=\"/x\">b", "<a>[|/x]b", {"W ESI 1.0 <esi:include> lacks final '/'"}},
        {"<a><esi:include/>b", "<a>b", {"E ESI 1.0 <esi:include> lacks src attr"}},
        {"<a></esi:include>b", "<a>b", {"E ESI 1.0 </esi:include> illegal end-tag"}},
        {"<a><esi:include src=\"/x\" src=\"/y\"/>b", "<a>b", {"E ESI 1.0 <esi:include> has multiple src= attributes"}},
        {"<a><esi:include src=\"/x y\"/>b", "<a>b", {"E ESI 1.0 <esi:include> has whitespace in src= attribute"}},
        {"<a><esi:include src=\"http://host\"/>b", "<a>b", {"E ESI 1.0 <esi:include> invalid src= URL"}},
        {"<a><esi:include src=\"https://host/x\"/>b", "<a>b", {"W ESI 1.0 <esi:include> with https:// ignored"}},
        {"<a><esi:includes src=\"/x\"/>b", "<a>b", {"E XML 1.0 Illegal attribute start char"}},
        {"<a><esi:include src=\"/x\"/ >b", "<a>b", {"E XML 1.0 '>' does not follow '/' in tag"}},
        {"<a><esi:include src=/x/>b", "<a>b", {"E XML 1.0 Missing end attribute delimiter"}},
        {"<a><esi:include src= \"/x\"/>b", "<a>b", {"E XML 1.0 Illegal attribute delimiter"}},
        {"<a><esi:include s?c=\"/x\"/>b", "<a>b", {"E XML 1.0 Illegal attr char"}},
        {"<a><esi:remove/>b", "<a>b", {"E ESI 1.0 <esi:remove/> not legal"}},
        {"<a></esi:remove>b", "<a>b", {"E ESI 1.0 <esi:remove> not open"}},
        {"<a><esi:remove>x<esi:remove>y</esi:remove>b", "<a>b", {"E ESI 1.0 <esi:remove> already open"}},
        {"<a><esi:remove><esi:include src=\"/x\"/></esi:remove>b",
         "<a>b",
         {"E ESI 1.0 <esi:include> element nested in <esi:remove>"}},
        {"<a><esi:remove><!--esi x--></esi:remove>b", "<a>b", {"E ESI 1.0 Nested <!--esi element in <esi:remove>"}},
        {"<a><esi:comment>b", "<a>b", {"E ESI 1.0 <esi:comment> needs final '/'"}},
        {"<a></esi:comment>b", "<a>b", {"E ESI 1.0 </esi:comment> illegal end-tag"}},
        {"<a><esi:bogus x/>b", "<a>b", {"E ESI 1.0 <esi:bogus> element"}},
        {"<a><esi:include src=\"/x\"", "<a>", {"E VEP ended inside a tag"}},
        {"<a><esi:incl", "<a>", {"E ESI 1.0 <esi:bogus> element", "E VEP ended inside a tag"}},
        {"<a><esi:", "<a><esi:", {"E VEP ended inside a tag"}},
        {"<a></esi:", "<a></esi:", {"E VEP ended inside a tag"}},
        {"<a><b", "<a><b", {"E VEP ended inside a tag"}},
        {"<a><!-- x --", "<a><!-- x --", {"E VEP ended inside a tag"}},
    });
}

TEST_CASE("pages that are no XML are left alone, unless told otherwise") {
    const std::string page = " {\"a\": \"<esi:include src='/x'/>\"}";
    check({{page, page, {"N No ESI processing, first char not '<'. (See feature esi_disable_xml_check)"}}});
    const std::string marked = "\xef\xbb\xbf<esi:include src='/x'/>";
    check({{marked, marked, {"N No ESI processing, first char not '<' but BOM. (See feature esi_remove_bom)"}}});
    parser_options anything;
    anything.disable_xml_check = true;
    check({{page, " {\"a\": \"[|/x]\"}"}}, anything);
    parser_options no_bom;
    no_bom.remove_bom = true;
    check({{marked, "[|/x]"}, {"\xef\xbb\xbf\xef\xbb\xbf<a>", "<a>"}}, no_bom);
}

TEST_CASE("other options") {
    parser_options everywhere;
    everywhere.ignore_other_elements = true;
    check({{"<p title=\"<esi:include src='/x'/>\">", "<p title=\"[|/x]\">"}}, everywhere);
    parser_options https;
    https.ignore_https = true;
    check({{"<esi:include src=\"https://host/x\"/>",
            "[host|/x]",
            {"W ESI 1.0 <esi:include> https:// treated as http://"}}},
          https);
}
