#include "manager/listings.hpp"

#include "manager/option_error.hpp"
#include "manager/options.hpp"
#include "tables/cli_verbs.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "tables/params.hpp"
#include "vcl/builtin.hpp"

#include <memory>

namespace clearcoat::manager {

namespace {

struct usage_row {
    std::string_view option;
    std::string_view text;
};

struct usage_part {
    std::string_view title;
    std::initializer_list<usage_row> rows;
};

const usage_part parts[] = {
    {"Basic options:",
     {{"-a [<name>=]address[:port][,proto]", "Where to accept HTTP; may be repeated"},
      {"   [,user=<u>][,group=<g>]", "  default: \":80,HTTP\""},
      {"   [,mode=<m>]", "  proto is \"HTTP\" (default) or \"PROXY\";"},
      {"", "  user, group and mode are for unix sockets"},
      {"-b none", "No backend"},
      {"-b [addr[:port]|path]", "The one backend: address or unix socket"},
      {"", "  default port: 80"},
      {"-f vclfile", "VCL to load; may be repeated"},
      {"-n dir", "Work folder"}}},
    {"\n-b is for once, and not together with -f\n\nDocumentation options:",
     {{"-?", "This text"},
      {"-x parameter", "About the parameters"},
      {"-x vsl", "About the log records"},
      {"-x cli", "About the management commands"},
      {"-x builtin", "The builtin VCL"},
      {"-x optstring", "The option letters"}}},
    {"\nOperations options:",
     {{"-F", "Stay in the foreground"},
      {"-T address[:port]", "Accept management connections; may be repeated"},
      {"-M address:port", "Connect to a management master; may be repeated"},
      {"-P file", "Pid file; may be repeated"},
      {"-i identity", "This instance's name"},
      {"-I clifile", "Management commands to run at the start"}}},
    {"\nTuning options:",
     {{"-t TTL", "Default time to live"},
      {"-p param=value", "Set a parameter; may be repeated"},
      {"-s [name=]kind[,options]", "Storage; may be repeated"},
      {"", "  -s default (=malloc)"},
      {"", "  -s malloc[,size]"},
      {"", "  -s file,path[,size[,granularity[,advice]]]"},
      {"-l vsl", "Size of the log in shared memory [80m]"}}},
    {"\nSecurity options:",
     {{"-r param[,param...]", "Parameters that management cannot change"},
      {"-S secret-file", "Secret for management connections, or none"},
      {"-j jail[,options]", "How to give up privileges"},
      {"", "  -j linux[,transparent_hugepage=<setting>][,as unix]"},
      {"", "  -j unix[,user=<u>][,workuser=<u>]"},
      {"", "  -j none"}}},
    {"\nAdvanced/Dev/Debug options:",
     {{"-d", "Foreground, management on stdin"},
      {"-C", "Check the VCL, print its code and end"},
      {"-V", "Version"},
      {"-h kind[,options]", "Hash method; accepted, without effect"},
      {"-W waiter", "Waiter (epoll or poll); accepted, always epoll"}}},
};

std::string cli_reference() {
    std::string out;
    for (const tables::cli_verb& verb : tables::cli_verbs()) {
        if (verb.name.starts_with("debug.")) {
            continue;
        }
        std::string anchor(verb.name);
        for (char& c : anchor) {
            c = c == '.' ? '_' : c;
        }
        out += fmt::format(".. _ref_cli_{}:\n\n{}\n{}\n  {}\n", anchor, verb.syntax,
                           std::string(verb.syntax.size(), '~'), verb.help);
        out += verb.doc.empty() ? "\n" : fmt::format("\n{}\n\n", verb.doc);
    }
    return out;
}

std::string log_reference() {
    std::string out = "\n.. Made by varnishd -x vsl\n\n";
    for (unsigned number = 1; number < tables::log_tag_count; ++number) {
        const auto tag = static_cast<log_tag>(number);
        const std::string_view name = tables::name_of(tag);
        if (name.empty()) {
            continue;
        }
        out += fmt::format("\n{}\n{}\n\n", name, std::string(name.size(), '-'));
        switch (tables::kind_of(tag)) {
        case tables::log_tag_kind::plain:
            out += "Text. vsl(7) tells its fields.\n";
            break;
        case tables::log_tag_kind::unused:
            out += "Not written any more.\n";
            break;
        case tables::log_tag_kind::unsafe:
            out += "Text that may hold any byte. vsl(7) tells its fields.\n";
            break;
        case tables::log_tag_kind::binary:
            out += "Bytes, shown in hexadecimal.\n";
            break;
        }
    }
    return out;
}

std::string parameter_reference() {
    const auto block = std::make_unique<tables::param_block>();
    return tables::parameter_set(*block).describe();
}

} // namespace

std::string usage() {
    std::string out = "Usage: varnishd [options]\n\n";
    for (const usage_part& part : parts) {
        out += fmt::format("{}\n", part.title);
        for (const usage_row& row : part.rows) {
            out += fmt::format("  {:<28} # {}\n", row.option, row.text);
        }
    }
    return out;
}

std::string listing(std::string_view what) {
    if (what == "parameter") {
        return parameter_reference();
    }
    if (what == "vsl") {
        return log_reference();
    }
    if (what == "cli") {
        return cli_reference();
    }
    if (what == "builtin") {
        return std::string(vcl::builtin_vcl()) + "\n";
    }
    if (what == "optstring") {
        return std::string(option_letters) + "\n";
    }
    option_fails("Invalid -x argument");
}

} // namespace clearcoat::manager
