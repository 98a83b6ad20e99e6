// The parts of the tools' screens that draw nothing.
#include "logread/counters.hpp"
#include "shm/counter_segment.hpp"
#include "shm/segment_directory.hpp"
#include "unit/logread/log_words.hpp"
#include "unit/shm/folder.hpp"
#include "varnishhist/histogram.hpp"
#include "varnishstat/cells.hpp"
#include "varnishstat/listings.hpp"
#include "varnishstat/table.hpp"
#include "varnishtop/ranking.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;

namespace {

struct running_instance {
    running_instance() {
        shm::segment_directory::prepare(folder.path + "/" + shm::manager_folder, 0755);
        manager.emplace(folder.path + "/" + shm::manager_folder);
        uptime.emplace(*manager);
        start();
    }
    void start() {
        main.reset();
        backend.reset();
        worker.reset();
        shm::segment_directory::prepare(folder.path + "/" + shm::worker_folder, 0755);
        worker.emplace(folder.path + "/" + shm::worker_folder);
        main.emplace(*worker);
        backend.emplace(*worker, "boot.default");
    }

    test::folder folder;
    std::optional<shm::segment_directory> manager;
    std::optional<shm::segment_directory> worker;
    std::optional<shm::counter_segment<tables::mgt_counters>> uptime;
    std::optional<shm::counter_segment<tables::main_counters>> main;
    std::optional<shm::counter_segment<tables::vbe_counters>> backend;
};

std::vector<std::string> names_of(const logread::counter_list& list) {
    std::vector<std::string> names;
    for (const logread::counter* c : list.all()) {
        names.push_back(c->name);
    }
    return names;
}

logread::transaction transaction_of(const std::vector<std::uint32_t>& words) {
    return {1, 2, 0, logread::transaction_type::req, {}, logread::record_range(words)};
}

} // namespace

TEST_CASE("counters are found, chosen and read in place", "[counters]") {
    running_instance r;
    logread::instance instance(r.folder.path);
    logread::counter_filter filter;
    filter.take('X', "*.uptime");
    filter.take('I', "MAIN.cache_*");
    filter.take('f', "^VBE.*.req");
    filter.take('f', "VBE.*.re*");
    filter.require("MGT.uptime");
    logread::counter_list list(instance, filter);
    CHECK(list.refresh());
    CHECK_FALSE(list.refresh());
    CHECK(list.find("MGT.uptime") != nullptr);
    CHECK(list.find("MAIN.uptime") == nullptr);
    CHECK(list.find("VBE.boot.default.req") == nullptr);
    CHECK(list.find("MAIN.s_sess") == nullptr);
    const logread::counter* hits = list.find("MAIN.cache_hit");
    REQUIRE(hits != nullptr);
    tables::bump((*r.main)->cache_hit, 7);
    CHECK(hits->value(false) == 7);
    CHECK(hits->semantics == 'c');
}

TEST_CASE("hidden counters and those of a new worker are followed", "[counters]") {
    running_instance r;
    logread::instance instance(r.folder.path);
    logread::counter_filter filter;
    filter.take('I', "VBE.*.conn");
    filter.take('I', "MAIN.cache_hit");
    logread::counter_list list(instance, filter);
    list.refresh();
    CHECK(names_of(list) == std::vector<std::string>{"MAIN.cache_hit", "VBE.boot.default.conn"});
    tables::drop((*r.backend)->conn);
    CHECK(list.find("VBE.boot.default.conn")->value(false) == 0);
    CHECK(list.find("VBE.boot.default.conn")->value(true) == ~std::uint64_t{0});
    r.backend->hide();
    CHECK(list.refresh());
    CHECK(names_of(list).size() == 1);
    tables::bump((*r.main)->cache_hit, 3);
    r.start();
    CHECK(list.refresh());
    CHECK(list.find("MAIN.cache_hit")->value(false) == 0);
    CHECK(names_of(list).size() == 2);
}

TEST_CASE("counters are listed as text, XML and JSON", "[varnishstat]") {
    running_instance r;
    tables::bump((*r.main)->cache_hit, 30);
    logread::instance instance(r.folder.path);
    logread::counter_filter filter;
    filter.take('I', "MAIN.cache_hit");
    logread::counter_list list(instance, filter);
    list.refresh();
    const std::string meaning = list.all().front()->oneliner;
    CHECK(varnishstat::as_text(list, false, 20) == "MAIN.cache_hit              30         1.50 " + meaning + "\n");
    CHECK(varnishstat::as_json(list, false, "now").find("    \"MAIN.cache_hit\": {\n      \"description\": \"") !=
          std::string::npos);
    CHECK(varnishstat::as_xml(list, false, "now").find("\t\t<name>MAIN.cache_hit</name>\n\t\t<value>30</value>\n") !=
          std::string::npos);
}

TEST_CASE("the table samples changes and averages", "[varnishstat]") {
    running_instance r;
    logread::instance instance(r.folder.path);
    logread::counter_filter filter;
    logread::counter_list list(instance, filter);
    varnishstat::counter_table table(list);
    CHECK(table.refresh());
    tables::store((*r.main)->uptime, 10);
    tables::bump((*r.main)->cache_hit, 100);
    CHECK(table.sample(1000, false));
    tables::bump((*r.main)->cache_hit, 50);
    tables::bump((*r.main)->cache_miss, 50);
    CHECK(table.sample(1002, false));
    CHECK_FALSE(table.sample(1003, false));
    const auto row = std::find_if(table.rows().begin(), table.rows().end(),
                                  [](const auto& one) { return one.name == "MAIN.cache_hit"; });
    REQUIRE(row != table.rows().end());
    CHECK(row->seen);
    CHECK(row->current == 150);
    CHECK(row->average == 15);
    CHECK(row->recent.ten.count == 2);
    CHECK(row->recent.ten.mean == 12.5);
    CHECK(table.hit_rate().ten.count == 3);
    CHECK(table.hit_rate().ten.mean == 0.5);
    table.restart_averages();
    CHECK(row->recent.ten.count == 0);
    CHECK(table.hit_rate().thousand.count == 0);
    tables::bump((*r.main)->cache_hit, 30);
    CHECK_FALSE(table.sample(1004, false));
    CHECK(row->recent.hundred.mean == 30);
    CHECK(table.hit_rate().ten.mean == 1);
    CHECK(table.worker_uptime() == 10);
    r.start();
    CHECK(table.refresh());
    CHECK(table.worker_uptime() == 0);
}

TEST_CASE("values are written by their format and to fit", "[varnishstat]") {
    logread::counter c;
    varnishstat::table_row row{&c, "x", true, 2048, 1, true, -1.5, 0, {}};
    c.format = 'i';
    CHECK(varnishstat::value_cells(row, 28, true) == "         2048         -1.50 ");
    CHECK(varnishstat::value_cells(row, 13, true).empty());
    row.current = 1234567890123;
    CHECK(varnishstat::value_cells(row, 14, true) == " 1234567890...");
    c.format = 'B';
    row.current = 3 * 1024 * 1024;
    CHECK(varnishstat::value_cells(row, 14, true) == "         3.00M");
    CHECK(varnishstat::value_cells(row, 14, false) == "      3145728 ");
    c.format = 'd';
    row.current = 90061;
    CHECK(varnishstat::value_cells(row, 84, true) == "    1+01:01:01");
    c.format = 'b';
    row.current = 5;
    CHECK(varnishstat::value_cells(row, 42, true) == "   0000000000     _____________________V_V");
    CHECK(varnishstat::heading_cells(30) == "      CURRENT        CHANGE ");
}

TEST_CASE("records are ranked and fade", "[varnishtop]") {
    const auto words = test::log_words("2 ReqHeader c A: 1\n2 ReqHeader c A: 2\n2 ReqHeader c A: 1\n2 ReqURL c /x\n"
                                       "2 Debug c secret\n2 VCL_Log c\n");
    const auto t = transaction_of(words);
    varnishtop::ranking all(false);
    all.add({&t, 1}, {});
    CHECK(list_text(all) == "     2.00 ReqHeader A: 1\n     1.00 ReqURL /x\n     1.00 ReqHeader A: 2\n");
    varnishtop::ranking fields(true);
    fields.add({&t, 1}, {});
    CHECK(list_text(fields) == "     3.00 ReqHeader A\n     1.00 ReqURL /x\n");
    fields.fade(1, 0, 10);
    CHECK(fields.size() == 2);
    CHECK(fields.sorted().front()->count == Approx(1.0 / 3));
    fields.fade(2, 100, 10);
    CHECK(fields.size() == 0);
}

TEST_CASE("values fall into columns, hits apart from misses", "[varnishhist]") {
    std::string error;
    const auto profile = varnishhist::parse_profile("responsetime", error);
    REQUIRE(profile);
    varnishhist::histogram h(*profile);
    const auto miss = test::log_words("2 Timestamp c Process: 1700000000.5 0.02 0.01\n");
    const auto hit = test::log_words("2 Hit c 3 1 2 3\n2 Timestamp c Process: 1700000001.5 0.1 0.00001\n");
    const auto restarted = test::log_words("2 Timestamp c Process: 1 1 1\n2 VCL_return c restart\n");
    const auto other = test::log_words("2 Timestamp c Resp: 1 1 1\n");
    for (const auto* words : {&miss, &hit, &restarted, &other}) {
        const auto t = transaction_of(*words);
        h.add({&t, 1});
    }
    CHECK(h.values() == 2);
    CHECK(h.latest() == 1700000001.5);
    const auto columns = h.columns(9);
    CHECK(columns[4].misses == 1);
    CHECK(columns[5].hits == 1);
    for (int i = 0; i < 3000; ++i) {
        const auto t = transaction_of(hit);
        h.add({&t, 1});
    }
    CHECK(h.values() == 2000);
    CHECK(h.columns(9)[4].misses == 0);
    CHECK(h.columns(9)[5].hits == 2000);
}

TEST_CASE("profiles are named or defined", "[varnishhist]") {
    std::string error;
    const auto defined = varnishhist::parse_profile("b:BereqAcct::5:-1:1", error);
    REQUIRE(defined);
    CHECK(defined->side == 'b');
    CHECK(defined->field == 5);
    CHECK((defined->low == -1 && defined->high == 1));
    const auto wrong = [](const std::string& text) {
        std::string message;
        CHECK_FALSE(varnishhist::parse_profile(text, message));
        return message;
    };
    CHECK(wrong("foo") == "-P: No such profile 'foo'");
    CHECK(wrong("foo:") == "-P: 'foo:' is not a valid tag name");
    CHECK(wrong("b:") == "-P: 'b:' is not a valid profile name or definition");
    CHECK(wrong("b:Debug:") == "-P: 'b:Debug:' is an unsafe or binary record");
    CHECK(wrong("b:BereqAcct:x") == "-P: 'b:BereqAcct:x' is not a valid profile name or definition");
    CHECK(wrong("b:BereqAcct:x:") == "-P: 'b:BereqAcct:x' is not a valid profile name or definition");
    CHECK(wrong("BereqAcct::5:1:a") == "-P: 'BereqAcct:' is not a valid profile name or definition");
    CHECK(wrong("BereqAcct::5:3:1") == "-P: 'BereqAcct:' is not a valid profile name or definition");
}
