#include "vcl/code/lowering.hpp"

#include "vcl/code/builder.hpp"
#include "vcl/code/quicken.hpp"

#include <algorithm>

namespace clearcoat::vcl::code {

namespace {

void move_declarations(program_image& image, syntax::tree& from) {
    image.version = from.version;
    image.labels = std::move(from.labels);
    image.default_backend = from.default_backend;
    image.backends = std::move(from.backends);
    for (backend_spec& b : image.backends) {
        if (from.default_probe && !b.probe && !b.none) {
            b.probe = from.probes[*from.default_probe];
        }
    }
    image.regexes = std::move(from.regexes);
    for (syntax::module_node& m : from.modules) {
        image.modules.push_back({std::move(m.name), std::move(m.info)});
    }
    for (probe_spec& p : from.probes) {
        image.probes.push_back(std::move(p));
    }
    for (syntax::acl_node& a : from.acls) {
        std::vector<acl::rule> rules;
        for (syntax::acl_entry_node& e : a.entries) {
            rules.push_back({e.address, e.bits, e.negated, std::move(e.written)});
        }
        image.acls.emplace_back(std::move(a.name), a.log, std::move(rules));
    }
    for (const syntax::object_node& o : from.objects) {
        image.objects.push_back({o.name, o.module, o.made_by});
    }
    for (const syntax::trace_point& p : from.points) {
        image.places.push_back({p.source, p.line, p.column});
    }
}

/// How many registers a subroutine needs with all it calls. The checker has refused recursion.
std::uint32_t registers_of(const program_image& image, const subroutine& sub, std::vector<std::uint32_t>& known) {
    std::uint32_t& total = known[sub.number];
    if (total != 0) {
        return total - 1;
    }
    std::uint32_t most = sub.registers;
    for (std::size_t i = sub.entry; i < image.code.size(); ++i) {
        const instruction& in = image.code[i];
        if (in.op == opcode::call) {
            most = std::max(most, in.a + registers_of(image, image.subs[in.d], known));
        }
        if (sub.number + 1 < image.subs.size() && i + 1 == image.subs[sub.number + 1].entry) {
            break;
        }
    }
    known[sub.number] = most + 1;
    return most;
}

void count_registers(program_image& image) {
    std::vector<std::uint32_t> known(image.subs.size());
    std::vector<std::uint32_t> totals;
    for (const subroutine& s : image.subs) {
        totals.push_back(registers_of(image, s, known));
    }
    for (subroutine& s : image.subs) {
        s.registers = totals[s.number];
    }
}

} // namespace

std::unique_ptr<program_image> lower(syntax::tree&& from) {
    auto image = std::make_unique<program_image>();
    move_declarations(*image, from);
    for (const syntax::sub_node& node : from.subs) {
        subroutine& s = image->subs.emplace_back();
        s.name = node.name;
        s.allowed = node.allowed;
        s.is_own = node.is_own;
        s.number = static_cast<std::uint32_t>(image->subs.size() - 1);
        if (node.builtin && node.defined) {
            image->builtins[static_cast<std::size_t>(*node.builtin)] = &s;
        }
    }
    builder b(*image, from);
    for (std::size_t i = 0; i < from.subs.size(); ++i) {
        b.sub(from.subs[i], image->subs[i]);
    }
    count_registers(*image);
    quicken(*image);
    return image;
}

} // namespace clearcoat::vcl::code
