#include "vcl/code/listing.hpp"

#include "tables/vcl_variables.hpp"

#include <iterator>

#include <fmt/core.h>

namespace clearcoat::vcl::code {

namespace {

struct shape {
    std::string_view name;
    std::string_view operands;
};

constexpr shape shapes[] = {
#define CLEARCOAT_VCL_SHAPE(name, operands) {#name, operands},
    CLEARCOAT_VCL_OPCODES(CLEARCOAT_VCL_SHAPE)
#undef CLEARCOAT_VCL_SHAPE
};

std::string header_text(const header_ref& h) {
    static constexpr std::string_view messages[] = {"req", "req_top", "bereq", "beresp", "obj", "resp", "obj_stale"};
    return fmt::format("{}.http.{}", messages[static_cast<std::size_t>(h.where)], h.name);
}

std::string native_text(const program_image& image, const native_site& site) {
    const std::string& module = image.modules[site.module].name;
    if (site.object < 0) {
        return fmt::format("{}.{}", module, site.function->name);
    }
    const std::string& object = image.objects[static_cast<std::size_t>(site.object)].name;
    return fmt::format("{} ({}.{}).{}", object, module, site.made_by->name, site.function->name);
}

/// Whether a constant is a string of the program, the one kind that can be shown.
const std::string* string_of(const program_image& image, const value& v) {
    for (const std::string& s : image.strings) {
        if (s.data() == v.text.data && s.size() == v.text.size) {
            return &s;
        }
    }
    return nullptr;
}

std::string operand_text(const program_image& image, char what, std::uint32_t v) {
    static constexpr std::string_view comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
    switch (what) {
    case 'r':
        return fmt::format("r{}", v);
    case 'j':
        return fmt::format("-> {}", v);
    case 'n':
    case 'f':
        return fmt::format("{}", v);
    case 'a':
        return std::string(name_of(static_cast<action>(v)));
    case 'c':
        return std::string(comparisons[v]);
    case 's':
        return image.subs[v].name;
    case 'h':
        return header_text(image.headers[v]);
    case 'v':
        return std::string(tables::row_of(static_cast<tables::vcl_variable>(v)).name);
    case 'b':
        return image.backends[v].name;
    case 't':
        return "storage." + image.storages[v];
    case 'm':
        return native_text(image, image.natives[v]);
    case 'p':
        return fmt::format("{}.{}.{}", image.places[v - 1].source, image.places[v - 1].line,
                           image.places[v - 1].column);
    default: {
        const std::string* s = string_of(image, image.constants[v]);
        return s != nullptr ? fmt::format("\"{}\"", *s) : fmt::format("constant {}", v);
    }
    }
}

void list_instruction(const program_image& image, std::size_t number, std::string& out) {
    const instruction& i = image.code[number];
    const shape& s = shapes[static_cast<std::size_t>(i.op)];
    fmt::format_to(std::back_inserter(out), "{:6}  {:<22}", number, s.name);
    const std::uint32_t operands[] = {i.a, i.b, i.c, i.d};
    std::string_view separator = " ";
    for (std::size_t o = 0; o < 4; ++o) {
        if (s.operands[o] != '.') {
            out += separator;
            out += operand_text(image, s.operands[o], operands[o]);
            separator = ", ";
        }
    }
    out += '\n';
}

void list_declarations(const program_image& image, std::string& out) {
    auto put = std::back_inserter(out);
    fmt::format_to(put, "VCL {}.{}\n", image.version / 10, image.version % 10);
    for (std::size_t i = 0; i < image.sources.size(); ++i) {
        fmt::format_to(put, "source {}: {} ({} bytes)\n", i, image.sources[i].name, image.sources[i].text.size());
    }
    for (const imported_module& m : image.modules) {
        fmt::format_to(put, "import {}\n", m.name);
    }
    for (std::size_t i = 0; i < image.backends.size(); ++i) {
        const backend_spec& b = image.backends[i];
        fmt::format_to(put, "backend {}{}: {}{}\n", b.name, image.default_backend == i ? " (default)" : "",
                       b.none ? "none" : b.host + b.path, b.port.empty() ? "" : " port " + b.port);
    }
    for (const probe_spec& p : image.probes) {
        fmt::format_to(put, "probe {}: {}\n", p.name, p.request.empty() ? p.url : "own request");
    }
    for (const acl& a : image.acls) {
        fmt::format_to(put, "acl {}: {} networks\n", a.name(), a.rules().size());
    }
    for (const declared_object& o : image.objects) {
        fmt::format_to(put, "new {}: {}.{}\n", o.name, image.modules[o.module].name, o.made_by->name);
    }
}

} // namespace

std::string listing(const program_image& image) {
    std::string out;
    list_declarations(image, out);
    for (std::size_t s = 0; s < image.subs.size(); ++s) {
        const subroutine& sub = image.subs[s];
        std::size_t end = s + 1 < image.subs.size() ? image.subs[s + 1].entry : image.code.size();
        if (end - sub.entry <= 1) {
            continue;
        }
        fmt::format_to(std::back_inserter(out), "\nsub {} ({} registers)\n", sub.name, sub.registers);
        for (std::size_t i = sub.entry; i < end; ++i) {
            list_instruction(image, i, out);
        }
    }
    return out;
}

} // namespace clearcoat::vcl::code
