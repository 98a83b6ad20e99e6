#include "manager/storages.hpp"

#include "base/numbers.hpp"
#include "manager/named_argument.hpp"
#include "manager/option_error.hpp"
#include "manager/storage_file.hpp"

#include <algorithm>

namespace clearcoat::manager {

namespace {

constexpr std::string_view transient = "Transient";
constexpr std::string_view default_storage = "default,100m"; // without any -s

// The strategies by the names users give them, and what they are here.
struct strategy {
    std::string_view name;
    std::string_view kind;
};
constexpr strategy strategies[] = {
    {"malloc", "malloc"}, {"default", "malloc"}, {"umem", "malloc"}, {"file", "file"}, {"debug", "debug"},
};

std::string_view kind_of(std::string_view name) {
    for (const strategy& s : strategies) {
        if (s.name == name) {
            return s.kind;
        }
    }
    if (name == "persistent" || name == "deprecated_persistent") {
        option_fails("-spersistent is not supported: its files were never safe to reuse after a crash");
    }
    option_fails("Unknown storage method \"{}\"", name);
}

} // namespace

bool storages::knows(std::string_view name) const noexcept {
    return std::any_of(storages_.begin(), storages_.end(), [&](const storage& s) { return s.spec.name == name; });
}

void storages::add(std::string_view argument) {
    named_argument split = split_named_argument(argument, "-s");
    if (split.words.empty()) {
        option_fails("-s argument lacks strategy {{malloc, file, ...}}");
    }
    const std::string method = split.words[0];
    storage made;
    made.spec.kind = kind_of(method);
    summary_ += ",-s" + method;
    made.spec.name = split.name ? *split.name : "s" + std::to_string(unnamed_++);
    if (knows(made.spec.name)) {
        option_fails("(-s {}) '{}' is already defined", argument, made.spec.name);
    }
    split.words.erase(split.words.begin());
    if (made.spec.kind == "file") {
        make_file(made, split.words);
    } else {
        if (method == "umem") {
            std::fprintf(stderr, "Note: -s umem is served by malloc.\n");
        }
        if (made.spec.kind == "debug") {
            // Its one word of its own makes fetches get less memory than they ask for.
            const auto less = std::remove(split.words.begin(), split.words.end(), "lessspace");
            made.spec.advice = less != split.words.end() ? "lessspace" : "";
            split.words.erase(less, split.words.end());
        }
        make_malloc(made, split.words);
    }
    storages_.push_back(std::move(made));
}

void storages::make_malloc(storage& s, const std::vector<std::string>& arguments) const {
    if (arguments.size() > 1) {
        option_fails("(-s{}) too many arguments", s.spec.kind);
    }
    if (!arguments.empty() && !arguments[0].empty()) {
        s.spec.size = parse_storage_size("-s" + s.spec.kind, arguments[0]);
    }
}

void storages::make_file(storage& s, const std::vector<std::string>& arguments) const {
    if (arguments.size() > 4) {
        option_fails("(-sfile) too many arguments");
    }
    if (arguments.empty() || arguments[0].empty()) {
        option_fails("(-sfile) path is mandatory");
    }
    const auto word = [&](std::size_t i) { return i < arguments.size() ? arguments[i] : std::string(); };
    std::uint64_t granularity = 4096;
    if (const std::string text = word(2); !text.empty()) {
        const base::parsed_bytes parsed = base::parse_bytes(text);
        if (parsed.error != nullptr) {
            option_fails("(-sfile) granularity \"{}\": {}", text, parsed.error);
        }
        granularity = std::max<std::uint64_t>(parsed.value, 1);
    }
    s.spec.advice = word(3).empty() ? "random" : word(3);
    if (s.spec.advice != "normal" && s.spec.advice != "random" && s.spec.advice != "sequential") {
        option_fails("(-s file) invalid advice: \"{}\"", s.spec.advice);
    }
    opened_storage opened = open_storage_file(jail_, arguments[0], word(1), granularity);
    s.spec.path = std::move(opened.path);
    s.spec.size = opened.size;
    s.spec.granularity = opened.granularity;
    s.fd = std::move(opened.fd);
}

void storages::finish() {
    if (storages_.empty()) {
        add(default_storage);
    }
    if (!knows(transient)) {
        add(std::string(transient) + "=default");
    }
    std::stable_partition(storages_.begin(), storages_.end(),
                          [](const storage& s) { return s.spec.name != transient; });
}

std::vector<std::string> storages::names() const {
    std::vector<std::string> out;
    for (const storage& s : storages_) {
        out.push_back(s.spec.name);
    }
    return out;
}

std::vector<cli::storage_spec> storages::for_worker() const {
    std::vector<cli::storage_spec> out;
    for (const storage& s : storages_) {
        out.push_back(s.spec);
        out.back().fd = s.fd.get();
    }
    return out;
}

void storages::list(cli::reply& out) const {
    out.out("Storage devices:\n");
    for (const storage& s : storages_) {
        out.print("\tstorage.{} = {}\n", s.spec.name, s.spec.kind);
    }
}

void storages::list_json(const std::vector<std::string>& words, double now, cli::reply& out) const {
    out.json_begin(words, now);
    out.out(",\n");
    for (std::size_t i = 0; i < storages_.size(); ++i) {
        out.out(i > 0 ? ",\n" : "");
        out.out("{\n");
        out.indent(2);
        out.out("\"name\": ");
        out.json_string(storages_[i].spec.name);
        out.out(",\n");
        out.out("\"storage\": ");
        out.json_string(storages_[i].spec.kind);
        out.indent(-2);
        out.out("\n}");
    }
    out.json_end();
}

} // namespace clearcoat::manager
