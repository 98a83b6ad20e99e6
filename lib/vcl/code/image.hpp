// What a compiled VCL consists of: the instructions and everything they refer to. Built once by the lowering, read by
// machine and instance from any thread.
#pragma once

#include "base/ip_address.hpp"
#include "base/regex.hpp"
#include "vcl/code/instruction.hpp"
#include "vcl/module.hpp"
#include "vcl/types.hpp"
#include "vcl/vm/acl.hpp"
#include "vcl/vm/environment.hpp"
#include "vcl/vm/program.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clearcoat::vcl {

/// A subroutine; what a SUB value points to.
struct subroutine {
    std::string name;
    std::uint32_t entry = 0;       // index of its first instruction
    std::uint32_t quick_entry = 0; // the same in the quick code
    std::uint32_t registers = 0;   // it needs, those of the subroutines it calls included
    std::uint32_t allowed = 0;     // bits of the built-in subroutines it may run in
    std::uint32_t number = 0;
    bool is_own = false; // the VCL has text for it, not only the builtin VCL
};

/// One call of a module's function, method or constructor in the text.
struct native_site {
    const function_info* function = nullptr;
    const object_info* made_by = nullptr; // of methods and constructors
    std::uint32_t module = 0;
    std::int32_t object = -1; // of methods and constructors
    std::uint64_t given = 0;
    int version = 41;
};

struct declared_object {
    std::string name;
    std::uint32_t module = 0;
    const object_info* made_by = nullptr;
};

struct imported_module {
    std::string name;
    std::shared_ptr<const module_info> info;
};

struct source_place {
    std::uint32_t source = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct program_image {
    int version = 0;
    std::vector<source_text> sources;
    std::vector<std::string> labels;
    std::vector<imported_module> modules;

    std::vector<instruction> code;
    std::vector<instruction> quick; // see quicken.hpp
    std::deque<subroutine> subs;
    std::array<const subroutine*, sub_count> builtins{}; // nullptr: the VCL has no text for it

    // What operands index. Deques, because values point into them.
    std::vector<value> constants;
    std::deque<std::string> strings;
    std::deque<base::ip_address> addresses;
    std::deque<std::vector<std::byte>> blob_bytes;
    std::deque<blob> blobs;
    std::deque<header_ref> headers;
    std::vector<std::shared_ptr<const base::regex>> regexes;
    std::deque<acl> acls;
    std::deque<probe_spec> probes;
    std::vector<backend_spec> backends;
    std::optional<std::uint32_t> default_backend;
    std::vector<declared_object> objects;
    std::vector<native_site> natives;
    std::vector<std::string> storages;
    std::vector<source_place> places; // by VCL_trace's number less one
};

} // namespace clearcoat::vcl
