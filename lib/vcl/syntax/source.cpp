#include "vcl/syntax/source.hpp"

#include "vcl/compile.hpp"
#include "vcl/syntax/flags.hpp"
#include "vcl/syntax/lexer.hpp"

namespace clearcoat::vcl::syntax {

namespace {

constexpr std::size_t most_sources = 10000; // an include that multiplies must end some time

bool error_at(diagnostics& d, const token& t, std::string_view text) {
    d.print("{}", text);
    d.where(t);
    return false;
}

} // namespace

bool source_set::add(std::string name, std::string_view kind, std::string text, bool last) {
    auto s = std::make_unique<source>();
    s->name = std::move(name);
    s->kind = kind;
    s->text = std::move(text);
    return read(std::move(s), last);
}

bool source_set::read(std::unique_ptr<source> text, bool last) {
    for (const source* p = text->parent; p != nullptr; p = p->parent) {
        if (p->name == text->name && p->kind == text->kind) {
            messages_->print("Recursive use of {} \"{}\"\n\n", text->kind, text->name);
            messages_->set_failed();
            return false;
        }
    }
    if (sources_.size() >= most_sources) {
        messages_->print("Too many source files.\n");
        messages_->set_failed();
        return false;
    }
    text->index = static_cast<std::uint32_t>(sources_.size());
    std::size_t nul = text->text.find('\0');
    if (nul != std::string::npos) {
        text->text.resize(nul);
    }
    sources_.push_back(std::move(text));
    const source& from = *sources_.back();
    std::vector<token> own;
    return lex(from, own, *messages_) && splice(own, from, last);
}

bool source_set::splice(std::vector<token>& own, const source& from, bool last) {
    const std::size_t count = own.size() - (last ? 0 : 1); // the end of an included text is none
    std::size_t begin = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (own[i].is_name("include")) {
            tokens_.insert(tokens_.end(), own.data() + begin, own.data() + i);
            if (!include(own, i, from)) {
                return false;
            }
            begin = i + 1;
        }
    }
    if (begin == 0 && tokens_.empty()) {
        own.resize(count);
        tokens_ = std::move(own);
    } else {
        tokens_.insert(tokens_.end(), own.data() + begin, own.data() + count);
    }
    return true;
}

bool source_set::include_flags(const std::vector<token>& own, std::size_t& at, bool& glob) {
    while (own[at].is('+') || own[at].is('-')) {
        flag f = flag_at(own[at], own[at + 1], *messages_);
        if (f == flag::none) {
            return !messages_->failed();
        }
        if (!own[at + 1].is_name("glob")) {
            return error_at(*messages_, own[at + 1], "Unknown include flag:\n");
        }
        glob = f == flag::on;
        at += 2;
    }
    return true;
}

bool source_set::include(const std::vector<token>& own, std::size_t& at, const source& from) {
    ++at;
    bool glob = false;
    if (!include_flags(own, at, glob)) {
        return false;
    }
    const token& file = own[at];
    if (!file.is(kind::string)) {
        return error_at(*messages_, file, "include not followed by string constant.\n");
    }
    ++at;
    if (!own[at].is(';')) {
        return error_at(*messages_, file, "include <string> not followed by semicolon.\n");
    }
    std::string name(file.string);
    if (name.starts_with("./")) {
        if (!from.name.starts_with('/')) {
            return error_at(*messages_, file, "include \"./xxxxx\"; needs absolute filename of including file.\n");
        }
        name = from.name.substr(0, from.name.rfind('/')) + name.substr(1);
    }
    bool good = glob ? include_glob(name, from) : include_file(name, from);
    if (!good) {
        messages_->where(file);
    }
    return good;
}

bool source_set::include_file(const std::string& path, const source& from) {
    auto s = std::make_unique<source>();
    if (!find_file(*files_, options_, path, s->name, s->text, *messages_)) {
        return false;
    }
    s->kind = "file";
    s->parent = &from;
    return read(std::move(s), false);
}

bool source_set::include_glob(const std::string& pattern, const source& from) {
    std::vector<std::string> paths = files_->glob(pattern);
    if (paths.empty()) {
        messages_->print("glob pattern matched no files.\n");
        messages_->set_failed();
        return false;
    }
    for (const std::string& path : paths) {
        if (!include_file(path, from)) {
            return false;
        }
    }
    return true;
}

bool find_file(file_reader& files, const reading_options& options, const std::string& name, std::string& path,
               std::string& text, diagnostics& messages) {
    if (!options.unsafe_path && name.find('/') != std::string::npos) {
        messages.print("VCL filename '{}' is unsafe.\n", name);
        messages.set_failed();
        return false;
    }
    std::string error;
    std::string_view folders = name.starts_with('/') ? std::string_view() : options.vcl_path;
    do {
        std::size_t colon = folders.find(':');
        std::string_view folder = folders.substr(0, colon);
        folders = colon == std::string_view::npos ? std::string_view() : folders.substr(colon + 1);
        path = folder.empty() ? name : fmt::format("{}/{}", folder, name);
        if (std::optional<std::string> found = files.read(path, error)) {
            text = *std::move(found);
            return true;
        }
    } while (!folders.empty());
    messages.print("Cannot read file '{}' ({})\n", name, error);
    messages.set_failed();
    return false;
}

} // namespace clearcoat::vcl::syntax
