// Backend declarations.
#include "vcl/syntax/parser.hpp"

#include "vcl/syntax/base64.hpp"

#include <utility>

namespace clearcoat::vcl::syntax {

namespace {

constexpr std::string_view backend_fields[] = {"host",
                                               "port",
                                               "path",
                                               "host_header",
                                               "connect_timeout",
                                               "first_byte_timeout",
                                               "between_bytes_timeout",
                                               "probe",
                                               "max_connections",
                                               "proxy_header",
                                               "preamble",
                                               "via",
                                               "authority",
                                               "wait_limit",
                                               "wait_timeout"};

constexpr std::pair<std::string_view, std::optional<base::seconds> backend_spec::*> timeouts[] = {
    {"connect_timeout", &backend_spec::connect_timeout},
    {"first_byte_timeout", &backend_spec::first_byte_timeout},
    {"between_bytes_timeout", &backend_spec::between_bytes_timeout},
    {"wait_timeout", &backend_spec::wait_timeout}};

} // namespace

bool parser::backend_name(const token& first, backend_spec& spec) {
    spec.name = current().text;
    auto index = static_cast<std::uint32_t>(tree_.backends.size());
    if (current().is_name("default")) {
        if (first_backend_ != nullptr) {
            first_backend_->uncounted = false;
            first_backend_ = nullptr;
            tree_.default_backend.reset();
        }
        if (tree_.default_backend) {
            return error_at(first, "Only one default director possible.\n");
        }
        advance();
        tree_.default_backend = index;
        return true;
    }
    sema::symbol* s = define_handle(vcl::type::backend);
    if (s == nullptr) {
        return false;
    }
    s->index = index;
    if (!tree_.default_backend) {
        first_backend_ = s;
        tree_.default_backend = index;
        s->uncounted = true;
    }
    return true;
}

bool parser::parse_backend() {
    const token& first = current();
    advance();
    if (!expect_identifier("backend")) {
        return false;
    }
    const token& name = current();
    backend_spec spec;
    if (!backend_name(first, spec)) {
        return false;
    }
    // The number is taken before the body: a probe of the same name must not get it.
    std::size_t index = tree_.backends.size();
    tree_.backends.emplace_back();
    if (!parse_backend_body(spec, name)) {
        messages_.print("\nIn {} specification starting at:\n", first.text);
        messages_.where(first);
        return false;
    }
    tree_.backends[index] = std::move(spec);
    return true;
}

bool parser::parse_backend_body(backend_spec& spec, const token& name) {
    if (current().is_name("none") || current().is_name("None")) {
        advance();
        spec.none = true;
        return skip(';');
    }
    if (!skip('{')) {
        return false;
    }
    if (current().is_name("set")) {
        messages_.print("NB: Backend Syntax has changed:\n"
                        "Remove \"set\" and \"backend\" in front of backend fields.\n");
        messages_.token_name(current());
        return error_here(" at ");
    }
    fields_.clear();
    redefined_ = nullptr;
    places_ = {};
    while (!current().is('}')) {
        const token* field = field_name(backend_fields);
        if (field == nullptr || !parse_backend_field(spec, *field)) {
            return false;
        }
    }
    if (!finish_backend(spec, name)) {
        return false;
    }
    advance();
    return true;
}

bool parser::parse_backend_field(backend_spec& spec, const token& field) {
    if (field.is_name("host")) {
        return !redefinition("Address", field) && string_value(spec.host, places_.host) && skip(';');
    }
    if (field.is_name("port")) {
        return string_value(spec.port, places_.port) && skip(';');
    }
    if (field.is_name("path")) {
        return backend_path(spec, field);
    }
    if (field.is_name("host_header")) {
        return string_value(spec.host_header, places_.host_header) && skip(';');
    }
    for (auto [name, member] : timeouts) {
        if (field.is_name(name)) {
            return optional_duration(spec.*member);
        }
    }
    if (field.is_name("max_connections")) {
        return unsigned_value(spec.max_connections) && skip(';');
    }
    if (field.is_name("wait_limit")) {
        spec.wait_limit = 0;
        return unsigned_value(*spec.wait_limit) && skip(';');
    }
    if (field.is_name("proxy_header")) {
        return backend_proxy_header(spec);
    }
    if (field.is_name("probe")) {
        return backend_probe(spec);
    }
    if (field.is_name("preamble")) {
        return backend_preamble(spec);
    }
    if (field.is_name("authority")) {
        return string_value(spec.authority, places_.authority) && skip(';');
    }
    return backend_via(spec);
}

bool parser::backend_via(backend_spec& spec) {
    const sema::symbol* s = lookup(sema::symbol_kind::backend, {}, reference::refers);
    if (s == nullptr) {
        return false;
    }
    const backend_spec& proxy = tree_.backends[s->index];
    const bool is_itself = s->index + 1 == tree_.backends.size();
    if (is_itself || !proxy.via.empty()) {
        return error_here("Cannot stack .via backends at\n");
    }
    spec.via = s->name;
    places_.via = s->index;
    return skip(';');
}

bool parser::backend_path(backend_spec& spec, const token& field) {
    if (version_ < sema::highest_version) {
        messages_.print("Unix socket backends only supported in VCL4.1 and higher.\n");
        messages_.token_name(current());
        return error_here(" at ");
    }
    return !redefinition("Address", field) && string_value(spec.path, places_.path) && skip(';');
}

bool parser::backend_proxy_header(backend_spec& spec) {
    const token& number = current();
    if (!unsigned_value(spec.proxy_header)) {
        return false;
    }
    bool known = spec.proxy_header == 1 || spec.proxy_header == 2;
    return known ? skip(';') : error_at(number, ".proxy_header must be 1 or 2\n");
}

bool parser::backend_preamble(backend_spec& spec) {
    if (!expect(kind::blob)) {
        return false;
    }
    for (std::byte b : decode_base64(current().string)) {
        spec.preamble += static_cast<char>(b);
    }
    advance();
    return skip(';');
}

bool parser::backend_probe(backend_spec& spec) {
    if (current().is('{')) {
        // Inline: the fields seen so far are the backend's, not the probe's.
        auto outer_fields = std::exchange(fields_, {});
        const token* outer = std::exchange(redefined_, nullptr);
        probe_spec probe;
        bool good = parse_probe_body(probe);
        fields_ = std::move(outer_fields);
        redefined_ = outer;
        spec.probe = std::move(probe);
        return good;
    }
    if (!current().is(kind::name)) {
        messages_.print("Expected '{{' or name of probe, got ");
        messages_.token_name(current());
        return error_here(" at\n");
    }
    if (current().is_name("default")) {
        advance();
        if (!tree_.default_probe) {
            messages_.print("No default probe defined\n");
            messages_.token_name(current());
            return error_here(" at\n");
        }
        spec.probe = tree_.probes[*tree_.default_probe];
        return skip(';');
    }
    const sema::symbol* s = lookup(sema::symbol_kind::probe, {}, reference::refers);
    if (s == nullptr) {
        return false;
    }
    if (s->index < tree_.probes.size()) {
        spec.probe = tree_.probes[s->index];
    }
    return skip(';');
}

bool parser::finish_backend(backend_spec& spec, const token& name) {
    if (places_.host == nullptr && places_.path == nullptr) {
        return error_at(name, "Expected .host or .path.\n");
    }
    if (places_.via && places_.path != nullptr) {
        return error_at(name, "Cannot set both .via and .path.\n");
    }
    if (places_.via && !finish_via(spec)) {
        return false;
    }
    if (places_.path != nullptr) {
        return check_backend_path(spec);
    }
    return resolve_backend(spec);
}

/// What the destination takes from the proxy, and the name the proxy is told: never an address, which no certificate
/// would be for.
bool parser::finish_via(backend_spec& spec) {
    const backend_spec& proxy = tree_.backends[*places_.via];
    for (const auto& [name, member] : timeouts) {
        if (!(spec.*member)) {
            spec.*member = proxy.*member;
        }
    }
    const bool own = places_.authority != nullptr;
    const bool by_header = !own && places_.host_header != nullptr;
    const std::string& text = own ? spec.authority : by_header ? spec.host_header : spec.host;
    const token& place = own ? *places_.authority : by_header ? *places_.host_header : *places_.host;
    if (base::parse_ip(text, 0)) {
        if (own) {
            messages_.print(".authority can not be an ip address with .via.\n");
        } else {
            messages_.print(".{} used as authority can not be an ip address with .via.\n",
                            by_header ? "host_header" : "host");
            messages_.print("Hint: configure .authority explicitly\n");
        }
        messages_.where(place);
        return false;
    }
    spec.authority = text.substr(0, text.find(':'));
    return true;
}

bool parser::resolve_backend(backend_spec& spec) {
    std::string written = places_.port == nullptr ? spec.host : spec.host + " " + spec.port;
    std::vector<base::ip_address> found;
    if (!lookup_addresses(written, *places_.host, "Backend host", 2, found)) {
        return false;
    }
    for (const base::ip_address& a : found) {
        (a.kind == base::ip_address::family::v4 ? spec.ipv4 : spec.ipv6) = a;
    }
    return true;
}

bool parser::check_backend_path(const backend_spec& spec) {
    const token& place = *places_.path;
    if (!spec.path.starts_with('/')) {
        return error_at(place, "Backend path: Must be an absolute path:\n");
    }
    bool fatal = false;
    std::string problem = around_.files.check_socket(spec.path, fatal);
    if (problem.empty()) {
        return true;
    }
    bool not_socket = problem == "Not a socket";
    messages_.print("Backend path: {}{}{}\n", not_socket ? "" : "Cannot stat: ", problem, not_socket ? ":" : "");
    messages_.where(place);
    if (!fatal) {
        messages_.only_warning();
    }
    return !fatal;
}

} // namespace clearcoat::vcl::syntax
