#include "vcl/compile.hpp"

#include "vcl/code/lowering.hpp"
#include "vcl/sema/references.hpp"
#include "vcl/syntax/legacy.hpp"
#include "vcl/syntax/lexer.hpp"
#include "vcl/syntax/parser.hpp"
#include "vcl/syntax/source.hpp"

#include <algorithm>

namespace clearcoat::vcl {

namespace {

using syntax::diagnostics;
using syntax::kind;
using syntax::token;

/// The names of the subroutines a text defines: the built-in ones first, in the order of their names, then the others.
std::vector<std::string> subs_in(const std::string& text) {
    syntax::source from;
    from.name = "<builtin>";
    from.text = text;
    std::vector<token> tokens;
    diagnostics ignored;
    std::vector<std::string> names;
    std::vector<std::string> others;
    if (!syntax::lex(from, tokens, ignored)) {
        return names;
    }
    for (std::size_t i = 0; i < sub_count; ++i) {
        names.emplace_back(name_of(static_cast<sub_id>(i)));
    }
    std::sort(names.begin(), names.end());
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (tokens[i - 1].is_name("sub") && tokens[i].is(kind::name) && !sema::builtin_named(tokens[i].text)) {
            others.emplace_back(tokens[i].text);
        }
    }
    names.insert(names.end(), others.begin(), others.end());
    return names;
}

class compilation {
  public:
    compilation(const compile_request& request, file_reader& files, resolver& names, const module_catalog& modules,
                module_finder* others)
        : request_(request), files_(files), names_(names), modules_(modules), others_(others),
          sources_(files, {request.vcl_path, request.options.unsafe_path}, messages_),
          builtin_subs_(subs_in(request.builtin)) {}

    compile_result run() {
        compile_result result;
        if (read()) {
            result.code = translate();
        }
        result.messages = messages_.take();
        return result;
    }

  private:
    bool read() {
        std::string_view origin_kind = request_.origin.starts_with('<') ? "vcl.inline" : "file";
        if (!sources_.add(request_.origin, origin_kind, request_.text, false)) {
            return false;
        }
        if (request_.options.legacy) {
            syntax::add_missing_version(sources_.tokens(), messages_);
        }
        return sources_.add("<builtin>", "builtin", request_.builtin, true);
    }

    std::shared_ptr<const program> translate() {
        syntax::parser parser(sources_.tokens(), {request_, files_, names_, modules_, others_, builtin_subs_},
                              messages_);
        if (!parser.parse() || !sema::check_references(parser, messages_, request_.options.err_unref)) {
            return nullptr;
        }
        syntax::tree& tree = parser.result();
        if (!tree.default_backend) {
            messages_.print("No backends or directors found in VCL program, at least one is necessary.\n");
            messages_.set_failed();
            return nullptr;
        }
        for (const sema::procedure& p : parser.procedures()) {
            tree.subs[p.index].allowed = p.allowed;
        }
        std::unique_ptr<program_image> image = code::lower(std::move(tree));
        if (request_.header_number != nullptr) {
            for (header_ref& h : image->headers) {
                h.number = request_.header_number(h.name);
            }
        }
        for (const auto& s : sources_.sources()) {
            image->sources.push_back({s->name, std::string(s->kind), s->text});
        }
        return std::make_shared<program>(std::move(image));
    }

    const compile_request& request_;
    file_reader& files_;
    resolver& names_;
    const module_catalog& modules_;
    module_finder* others_;
    diagnostics messages_;
    syntax::source_set sources_;
    std::vector<std::string> builtin_subs_;
};

} // namespace

compile_result compile(const compile_request& request, file_reader& files, resolver& names,
                       const module_catalog& modules, module_finder* others) {
    return compilation(request, files, names, modules, others).run();
}

std::optional<std::string> read_main_file(const std::string& name, const std::string& vcl_path, file_reader& files,
                                          bool unsafe_path, std::string& path, std::string& messages) {
    diagnostics d;
    std::string text;
    bool found = syntax::find_file(files, {vcl_path, unsafe_path}, name, path, text, d);
    messages = d.take();
    return found ? std::optional(std::move(text)) : std::nullopt;
}

std::string cli_message(const compile_result& result) {
    std::string out;
    if (!result.messages.empty()) {
        out = "Message from VCC-compiler:\n" + result.messages;
    }
    if (!out.empty() && !out.ends_with('\n')) {
        out += '\n';
    }
    if (result.code == nullptr) {
        out += "Running VCC-compiler failed, exited with 2\nVCL compilation failed";
    }
    return out;
}

} // namespace clearcoat::vcl
