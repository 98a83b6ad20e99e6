// From VCL text to a program: the one entry into the front end. The manager calls it to judge a VCL and to learn its
// source files, the worker calls it again with those files to run it; nothing compiled is ever shipped between them.
// Everything it asks of the outside (files, names, modules) goes through the interfaces below. Any thread may call it.
#pragma once

#include "base/ip_address.hpp"
#include "vcl/vm/program.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {

class module_catalog;
struct module_info;

/// How the compiler reaches files.
class file_reader {
  public:
    virtual ~file_reader() = default;
    /// The whole file; std::nullopt with `error` ("No such file or directory") when it cannot be read.
    virtual std::optional<std::string> read(const std::string& path, std::string& error) = 0;
    /// The paths that match a glob(3) pattern, sorted; empty when none does.
    virtual std::vector<std::string> glob(const std::string& pattern) = 0;
    /// What a backend's `.path` names: empty for a socket, else the reason ("No such file or directory", "Not a
    /// socket"); `fatal` tells whether the reference refuses it (a missing socket is a warning only).
    virtual std::string check_socket(const std::string& path, bool& fatal) = 0;
};

/// How the compiler turns host names into addresses.
class resolver {
  public:
    virtual ~resolver() = default;
    /// All addresses of `host` with `service` (number or name) as port, without repetitions, in getaddrinfo()'s order;
    /// `error` gets gai_strerror()'s text when there is none. Numeric hosts must work without a network.
    virtual std::vector<base::ip_address> lookup(const std::string& host, const std::string& service,
                                                 std::string& error) = 0;
};

/// Where `import` looks for modules that are not built in.
class module_finder {
  public:
    virtual ~module_finder() = default;
    /// `from` is what the VCL wrote behind it: a file, or a folder when it ends in a slash; empty: nothing. nullptr,
    /// and `error` as the compiler words it, a line end behind it.
    virtual std::shared_ptr<const module_info> find(const std::string& name, const std::string& from,
                                                    std::string& error) = 0;
};

/// The bits of parameter vcc_feature, and what else changes verdicts.
struct compile_options {
    bool err_unref = true;       // an unused symbol is an error, not a warning
    bool allow_inline_c = false; // never honoured; decides between two error texts
    bool unsafe_path = true;     // include and import may name paths
    bool trace = false;          // emit VCL_trace points
    bool legacy = false;         // a VCL of declarations without a version line loads as 4.0
    bool jit = true;             // off: compiled only to be judged
};

struct compile_request {
    std::string name;                    // of the VCL ("boot"), for messages only
    std::string text;                    // the VCL itself
    std::string origin = "<vcl.inline>"; // its file's path, or "<vcl.inline>"
    std::string vcl_path;                // parameter vcl_path: folders joined by ':'
    std::string builtin;                 // the text of config/builtin.vcl
    std::vector<std::string> storages;   // names that storage.NAME may use
    std::vector<std::string> labels;     // labels that return (vcl(NAME)) may use
    compile_options options;
    /// A number for a header's name that the tasks' host finds faster; 0 for none. nullptr: no name has one.
    std::uint16_t (*header_number)(std::string_view name) = nullptr;
};

struct compile_result {
    std::shared_ptr<const program> code; // nullptr: refused
    /// Warnings and errors as the compiler words them; each ends with a newline. The CLI's frame around them ("Message
    /// from VCC-compiler:") is cli_message().
    std::string messages;
};

/// `others` may be nullptr: then only `modules` can be imported.
compile_result compile(const compile_request& request, file_reader& files, resolver& names,
                       const module_catalog& modules, module_finder* others = nullptr);

/// The first step of vcl.load: the main file, found along vcl_path. Gives text and sets `path`; or std::nullopt and
/// `messages` as compile() would word it.
std::optional<std::string> read_main_file(const std::string& name, const std::string& vcl_path, file_reader& files,
                                          bool unsafe_path, std::string& path, std::string& messages);

/// What vcl.load, vcl.inline and -C print for a result: "Message from VCC-compiler:" and the last two lines of a
/// failure; empty for a success without warnings.
std::string cli_message(const compile_result& result);

} // namespace clearcoat::vcl
