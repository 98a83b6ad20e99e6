#include "cli/vcl_bundle.hpp"

#include "cli/field_text.hpp"

namespace clearcoat::cli {

namespace {

// One description of the order serves both directions.
template<class Codec, class Bundle>
void visit(Codec& codec, Bundle& b) {
    codec.field(b.name);
    codec.field(b.origin);
    codec.field(b.vcl_path);
    codec.field(b.vmod_path);
    codec.list(b.labels, [&](auto& label) { codec.field(label); });
    codec.field(b.err_unref);
    codec.field(b.unsafe_path);
    codec.field(b.trace);
    codec.field(b.legacy);
    codec.list(b.sources, [&](auto& source) {
        codec.field(source.name);
        codec.field(source.kind);
        codec.field(source.text);
    });
}

} // namespace

std::string to_text(const vcl_bundle& bundle) {
    field_writer writer;
    visit(writer, bundle);
    return writer.take();
}

std::optional<vcl_bundle> parse_vcl_bundle(std::string_view text) {
    field_reader reader(text);
    vcl_bundle bundle;
    visit(reader, bundle);
    if (!reader.ok() || !reader.at_end()) {
        return std::nullopt;
    }
    return bundle;
}

} // namespace clearcoat::cli
