// Probe declarations, named or inside a backend.
#include "vcl/syntax/parser.hpp"

namespace clearcoat::vcl::syntax {

namespace {

constexpr std::string_view probe_fields[] = {"url",      "request", "expected_response", "timeout",
                                             "interval", "window",  "threshold",         "initial"};
constexpr std::uint32_t widest_window = 64;

} // namespace

bool parser::parse_probe() {
    advance();
    if (!expect_identifier("backend probe")) {
        return false;
    }
    probe_spec spec;
    spec.name = current().text;
    auto index = static_cast<std::uint32_t>(tree_.probes.size());
    if (current().is_name("default")) {
        advance();
        tree_.default_probe = index;
    } else {
        sema::symbol* s = define_handle(vcl::type::probe);
        if (s == nullptr) {
            return false;
        }
        s->index = index;
    }
    tree_.probes.emplace_back();
    fields_.clear();
    redefined_ = nullptr;
    if (!parse_probe_body(spec)) {
        return false;
    }
    tree_.probes[index] = std::move(spec);
    return true;
}

bool parser::parse_probe_body(probe_spec& spec) {
    places_.window = nullptr;
    places_.threshold = nullptr;
    if (!skip('{')) {
        return false;
    }
    spec.window = 0;
    spec.threshold = 0;
    while (!current().is('}')) {
        const token* field = field_name(probe_fields);
        if (field == nullptr || !parse_probe_field(spec, *field) || !skip(';')) {
            return false;
        }
    }
    return finish_probe(spec) && skip('}');
}

bool parser::parse_probe_field(probe_spec& spec, const token& field) {
    const token* place = &current();
    if (field.is_name("url")) {
        return !redefinition("Probe request", field) && string_value(spec.url, place);
    }
    if (field.is_name("request")) {
        if (redefinition("Probe request", field) || !expect(kind::string)) {
            return false;
        }
        for (; current().is(kind::string); advance()) {
            spec.request.append(current().string).append("\r\n");
        }
        spec.request += "\r\n";
        return true;
    }
    if (field.is_name("timeout")) {
        return duration_value(spec.timeout);
    }
    if (field.is_name("interval")) {
        return duration_value(spec.interval);
    }
    if (field.is_name("window")) {
        places_.window = place;
        return unsigned_value(spec.window);
    }
    if (field.is_name("threshold")) {
        places_.threshold = place;
        return unsigned_value(spec.threshold);
    }
    if (field.is_name("initial")) {
        std::uint32_t initial = 0;
        bool good = unsigned_value(initial);
        spec.initial = initial;
        return good;
    }
    if (!unsigned_value(spec.expected_response)) {
        return false;
    }
    if (spec.expected_response < 100 || spec.expected_response > 999) {
        return error_here("Must specify .expected_response with exactly three digits (100 <= x <= 999)\n");
    }
    return true;
}

bool parser::finish_probe(probe_spec& spec) {
    const token* window = places_.window;
    const token* threshold = places_.threshold;
    if (window == nullptr && threshold == nullptr) {
        spec.window = probe_spec().window;
        spec.threshold = probe_spec().threshold;
        return true;
    }
    if (threshold == nullptr) {
        return error_at(*window, "Must specify .threshold with .window\n");
    }
    if (window == nullptr) {
        if (spec.threshold > widest_window) {
            return error_at(*threshold, "Threshold must be 64 or less.\n");
        }
        spec.window = spec.threshold + 1;
    } else if (spec.window > widest_window) {
        return error_at(*window, "Window must be 64 or less.\n");
    }
    if (spec.threshold > spec.window) {
        error_at(*threshold, "Threshold can not be greater than window.\n");
        return error_at(*window, "");
    }
    return true;
}

} // namespace clearcoat::vcl::syntax
