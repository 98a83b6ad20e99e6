#include "vcl/code/builder.hpp"

#include "base/panic.hpp"
#include "vcl/sema/symbol.hpp"

#include <algorithm>
#include <limits>

namespace clearcoat::vcl::code {

std::uint32_t builder::emit(opcode op, reg a, reg b, reg c, std::uint32_t d) {
    image_.code.push_back({op, a, b, c, d});
    return static_cast<std::uint32_t>(image_.code.size() - 1);
}

void builder::patch(const jumps& places) {
    for (std::uint32_t place : places) {
        image_.code[place].d = static_cast<std::uint32_t>(image_.code.size());
    }
}

reg builder::take(std::size_t count) {
    CLEARCOAT_ASSERT(next_ + count < std::numeric_limits<reg>::max());
    reg first = next_;
    next_ = static_cast<reg>(next_ + count);
    most_ = std::max(most_, next_);
    return first;
}

std::uint32_t builder::constant(const vcl::value& v) {
    image_.constants.push_back(v);
    return static_cast<std::uint32_t>(image_.constants.size() - 1);
}

std::uint32_t builder::text_constant(std::string_view text) {
    auto known = texts_.find(text);
    if (known != texts_.end()) {
        return known->second;
    }
    const std::string& kept = image_.strings.emplace_back(text);
    return texts_[kept] = constant(vcl::value::of(std::string_view(kept)));
}

std::uint32_t builder::header(const syntax::header_name& name) {
    auto [at, fresh] = headers_.emplace(std::pair(name.where, name.name), image_.headers.size());
    if (fresh) {
        const std::string& kept = image_.strings.emplace_back(name.name);
        image_.headers.push_back({name.where, kept});
    }
    return at->second;
}

std::uint32_t builder::storage(const std::string& name) {
    auto known = std::find(image_.storages.begin(), image_.storages.end(), name);
    if (known == image_.storages.end()) {
        known = image_.storages.insert(image_.storages.end(), name);
    }
    return static_cast<std::uint32_t>(known - image_.storages.begin());
}

void builder::load(reg into, const vcl::value& v) {
    emit(opcode::load, into, 0, 0, constant(v));
}

void builder::sub(const syntax::sub_node& node, subroutine& into) {
    next_ = 0;
    most_ = 0;
    into.entry = static_cast<std::uint32_t>(image_.code.size());
    statements(node.body);
    emit(opcode::leave);
    into.registers = most_;
}

} // namespace clearcoat::vcl::code
