// The management protocol: bytes become lines and here-documents, words are split, quoted words read back as
// themselves, and the texts that manager and worker exchange survive damage.
#include "cli/line_reader.hpp"
#include "cli/registry.hpp"
#include "cli/vcl_bundle.hpp"
#include "cli/words.hpp"
#include "cli/worker_boot.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace cli = clearcoat::cli;

namespace {

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

const cli::registry& commands() {
    static const cli::registry made = [] {
        cli::registry r;
        r.add(
            "ping", [](const cli::words&, cli::reply& out) { cli::answer_ping(1, out); },
            [](const cli::words& w, cli::reply& out) { cli::answer_ping_json(w, 1, out); });
        r.add("vcl.load", [](const cli::words&, cli::reply&) {});
        return r;
    }();
    return made;
}

void feed(std::string_view bytes, bool authenticated) {
    cli::line_reader reader;
    reader.set_authenticated(authenticated);
    // In two pieces, cut anywhere: it must not matter.
    const std::size_t cut = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]) % (bytes.size() + 1);
    const auto run = [authenticated](const cli::command_line& command) {
        cli::reply out(1000);
        commands().run(command, authenticated, out);
        const std::string framed = out.framed();
        const auto line = cli::parse_status_line(std::string_view(framed).substr(0, cli::status_line_size));
        require(line && line->size + cli::status_line_size + 1 == framed.size());
        return true;
    };
    reader.feed(bytes.substr(0, cut), run);
    reader.feed(bytes.substr(cut), run);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    feed(bytes, true);
    feed(bytes, false);
    const cli::split_line commas = cli::split_words(bytes, cli::separator::commas);
    require(commas.error.empty() || commas.words.empty());
    const cli::split_line back = cli::split_words(cli::quote_word(bytes));
    require(back.error.empty() && back.words.size() == 1 && back.words[0] == bytes);
    if (const auto boot = cli::parse_worker_boot(bytes)) {
        require(cli::parse_worker_boot(to_text(*boot)).has_value());
    }
    if (const auto bundle = cli::parse_vcl_bundle(bytes)) {
        require(cli::parse_vcl_bundle(to_text(*bundle)).has_value());
    }
    return 0;
}
