#include "manager/option_error.hpp"
#include "manager/options.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::manager;

namespace {

options parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "varnishd");
    return options::parse(static_cast<int>(arguments.size()), arguments.data());
}

std::string flat(const options& o) {
    std::string out;
    for (const option& each : o.all()) {
        out += (out.empty() ? "" : " ") + std::string(1, each.letter) + "=" + each.value;
    }
    return out;
}

std::string failure(const std::vector<const char*>& arguments) {
    try {
        parse(arguments);
    } catch (const option_error& e) {
        return e.what();
    } catch (const usage_error& e) {
        return std::string("usage: ") + e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("options are read as getopt reads them") {
    struct {
        std::vector<const char*> arguments;
        std::string expected;
    } const cases[] = {
        {{"-b", "127.0.0.1", "-F"}, "b=127.0.0.1 F="},
        {{"-a:80", "-a", ":81", "-b", "x"}, "a=:80 a=:81 b=x"},
        {{"-Fb", "x"}, "F= b=x"},
        {{"-Fbx"}, "F= b=x"},
        {{"-f", ""}, "f="},
        {{"-f", "", "-f", "b.vcl"}, "f= f=b.vcl"},
        {{"-p", "-1", "-b", "x"}, "p=-1 b=x"},
        {{"-p", "debug=+vtc_mode", "-b", "x"}, "p=debug=+vtc_mode b=x"},
        {{"-d", "-d"}, "d= d="},
        {{"-b", "x", "--"}, "b=x"},
        {{"-j", "unix,user=vcache", "-F", "-a", ":8080", "-T", "localhost:6082", "-f", "/etc/varnish/default.vcl", "-S",
          "/etc/varnish/secret", "-s", "malloc,256m"},
         "j=unix,user=vcache F= a=:8080 T=localhost:6082 f=/etc/varnish/default.vcl S=/etc/varnish/secret "
         "s=malloc,256m"},
        {{"-V"}, "V="},
        {{"-x", "vsl"}, "x=vsl"},
    };
    for (const auto& c : cases) {
        CHECK(flat(parse(c.arguments)) == c.expected);
    }
}

TEST_CASE("wrong command lines get the reference's words") {
    struct {
        std::vector<const char*> arguments;
        std::string expected;
    } const cases[] = {
        {{}, "Neither -b nor -f given. (use -f '' to override)\n"},
        {{"-?"}, "usage: "},
        {{"-z"}, "usage: varnishd: invalid option -- 'z'\n"},
        {{"--foo"}, "usage: varnishd: invalid option -- '-'\n"},
        {{"-a"}, "usage: varnishd: option requires an argument -- 'a'\n"},
        {{"foo", "-b", "x"}, "Too many arguments (foo...)\n"},
        {{"-b", "x", "--", "-F"}, "Too many arguments (-F...)\n"},
        {{"-d", "-F"}, "Only one of -d or -F can be specified\n"},
        {{"-b", "a", "-f", "b"}, "Only one of -b or -f can be specified\n"},
        {{"-C"}, "-C needs either -b <backend> or -f <vcl_file>\n"},
        {{"-d", "-C", "-b", "x"}, "-d makes no sense with -C\n"},
        {{"-F", "-C", "-b", "x"}, "-F makes no sense with -C\n"},
        {{"-b", "x", "-I", "a", "-I", "b"}, "\tOnly one -I allowed\n"},
        {{"-F", "-V"}, "-V must be the first argument\n"},
        {{"-V", "foo"}, "Too many arguments for -V\n"},
        {{"-x", "vsl", "foo"}, "Too many arguments for -x\n"},
    };
    for (const auto& c : cases) {
        CHECK(failure(c.arguments) == c.expected);
    }
    CHECK(failure({"-E", "x", "-b", "y"}).starts_with("-E is refused: "));
}

TEST_CASE("the options of Varnish 3.0 become parameters and a jail") {
    options o = parse({"-f", "x", "-t", "120", "-w", "50,1000,120", "-u", "daemon", "-g", "daemon"});
    const std::string said = translate_legacy_options(o);
    CHECK(flat(o) == "f=x t=120 p=thread_pool_max=1000 p=thread_pool_min=50 p=thread_pool_timeout=120 "
                     "j=unix,user=daemon,group=daemon");
    CHECK(o.legacy());
    CHECK(said.find('\n') == std::string::npos);
    CHECK(said.find("-u and -g as -j unix,user=daemon,group=daemon") != std::string::npos);

    options modern = parse({"-b", "x"});
    CHECK(translate_legacy_options(modern).empty());
    CHECK_FALSE(modern.legacy());

    options one = parse({"-b", "x", "-w", "7"});
    translate_legacy_options(one);
    CHECK(flat(one) == "b=x p=thread_pool_max=7 p=thread_pool_min=7");

    options bad = parse({"-b", "x", "-w", "1,2,3,4"});
    CHECK_THROWS_AS(translate_legacy_options(bad), option_error);
    options nobody = parse({"-b", "x", "-g", "no-such-group"});
    CHECK_THROWS_AS(translate_legacy_options(nobody), option_error);
}
