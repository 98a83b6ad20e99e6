#include "vmod/directors/simple_director.hpp"

#include <fmt/core.h>

namespace clearcoat::vmod::directors {

simple_director::simple_director(std::string_view name, vcl::environment& surroundings)
    : vcl::director(std::string(name)), surroundings_(surroundings) {
    surroundings_.add_director(*this);
}

simple_director::~simple_director() {
    surroundings_.remove_director(*this);
}

std::string simple_director::list(listing form) {
    return member_listing::list(*this, members_, form, style());
}

void simple_director::add(const vcl::call& c, vcl::director* backend, double weight) {
    if (backend == nullptr) {
        c.fail(fmt::format("{}: None backend cannot be added", name()));
    } else {
        members_.add(*backend, weight);
    }
}

void simple_director::remove(const vcl::call& c, const vcl::director* backend) {
    if (backend == nullptr) {
        c.fail(fmt::format("{}: None backend cannot be removed", name()));
    } else if (const std::size_t index = members_.remove(*backend); index != member_list::absent) {
        removed(index);
    }
}

member_listing::style simple_director::style() const {
    return {"Weight", [](std::size_t, const member&, bool, double) { return std::string("\t-\t"); }, {}, {}};
}

member_listing::style weighted_style() {
    member_listing::style s;
    s.column = "Weight";
    s.cell = [](std::size_t, const member& m, bool healthy, double total) {
        return fmt::format("\t{:6.2f}%\t", healthy && total > 0 ? 100 * m.weight / total : 0.);
    };
    s.field = [](std::size_t, const member& m, bool healthy) {
        return fmt::format("      \"weight\": {:f},\n", healthy ? m.weight : 0.);
    };
    s.head = [](double total) { return fmt::format("  \"total_weight\": {:f},\n", total); };
    return s;
}

} // namespace clearcoat::vmod::directors
