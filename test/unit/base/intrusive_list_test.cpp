#include "base/intrusive_list.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace clearcoat::base;

namespace {

struct item : list_hook<> {
    explicit item(int v) : value(v) {}
    int value;
};

std::vector<int> values(intrusive_list<item>& list) {
    std::vector<int> out;
    for (item& i : list) {
        out.push_back(i.value);
    }
    return out;
}

} // namespace

TEST_CASE("a list keeps order and lets its elements leave") {
    item a(1), b(2), c(3);
    intrusive_list<item> list;
    list.push_back(b);
    list.push_front(a);
    list.push_back(c);
    CHECK(values(list) == std::vector<int>{1, 2, 3});
    b.unlink();
    CHECK(values(list) == std::vector<int>{1, 3});
    list.insert_before(c, b);
    CHECK(values(list) == std::vector<int>{1, 2, 3});
    CHECK(list.next(c) == nullptr);
    CHECK(list.prev(c) == &b);
    for (item& i : list) {
        i.unlink();
    }
    CHECK(list.empty());
    CHECK_FALSE(a.linked());
}
