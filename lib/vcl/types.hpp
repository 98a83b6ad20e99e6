// The types of VCL and the values the machine computes with. A value carries no tag: the checker knows each value's
// type.
#pragma once

#include "base/clock.hpp"
#include "base/ip_address.hpp"
#include "base/regex.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::vcl {

class acl;
class director;
class storage_handle;
struct probe_spec;
struct subroutine;

enum class type : std::uint8_t {
    none, // VOID
    boolean,
    integer,
    real,
    bytes,
    duration,
    time,
    string,
    strands, // a list of strings, folded when someone needs one
    ip,
    header, // a header of a message, as modules take it (HEADER)
    http,   // a whole message (HTTP)
    body,
    backend,
    acl,
    probe,
    stevedore,
    blob,
    sub,
    regex,
    enumeration, // a word out of a signature's list; passed as a string
    instance     // an object made by `new`
};

/// The name VCL's errors and the module listings use: "STRING", "DURATION", ...
std::string_view name_of(type t) noexcept;

/// The messages whose headers and lines VCL can touch.
enum class message : std::uint8_t { req, req_top, bereq, beresp, obj, resp, obj_stale };

/// A header as an argument of a module: which message, which name.
struct header_ref {
    message where;
    std::string_view name;
    std::uint16_t number = 0; // by which the host knows the name, see compile_request::header_number; 0: it has none
};

/// Bytes with a type number that tells modules what they are.
struct blob {
    std::uint32_t kind = 0;
    std::span<const std::byte> bytes;
};

/// A string list in the task's arena.
struct strand_list {
    const std::string_view* parts;
    std::size_t count;
};

/// 16 bytes, trivially copyable. What a pointer refers to lives as long as the task or the loaded VCL.
union value {
    bool boolean;
    std::int64_t integer; // INT and BYTES
    double real;          // REAL, DURATION and TIME (seconds)
    struct {
        const char* data; // nullptr: the string is undefined, which differs from empty
        std::size_t size;
    } text;
    strand_list strands;
    const base::ip_address* ip; // nullptr: none
    const header_ref* header;
    message http;
    director* backend; // nullptr: none
    const vcl::acl* acl;
    const probe_spec* probe;
    const storage_handle* storage;
    const vcl::blob* blob; // nullptr: none
    const subroutine* sub;
    const base::regex* regex;
    void* instance;

    value() noexcept : text{nullptr, 0} {}
    static value of(bool v) noexcept {
        return make([v](value& x) { x.boolean = v; });
    }
    static value of_integer(std::int64_t v) noexcept {
        return make([v](value& x) { x.integer = v; });
    }
    static value of_real(double v) noexcept {
        return make([v](value& x) { x.real = v; });
    }
    static value of(std::string_view v) noexcept {
        return make([v](value& x) { x.text = {v.data(), v.size()}; });
    }
    static value of(const base::ip_address* v) noexcept {
        return make([v](value& x) { x.ip = v; });
    }
    static value of(director* v) noexcept {
        return make([v](value& x) { x.backend = v; });
    }
    static value of(const vcl::blob* v) noexcept {
        return make([v](value& x) { x.blob = v; });
    }
    static value of(const storage_handle* v) noexcept {
        return make([v](value& x) { x.storage = v; });
    }
    static value of_instance(void* v) noexcept {
        return make([v](value& x) { x.instance = v; });
    }

    /// data() is nullptr where the string is undefined.
    std::string_view string() const noexcept { return {text.data, text.size}; }

  private:
    template<class F>
    static value make(F set) noexcept {
        value v;
        set(v);
        return v;
    }
};
static_assert(sizeof(value) == 16);

/// The built-in subroutines.
enum class sub_id : std::uint8_t {
    recv,
    pipe,
    pass,
    hash,
    purge,
    miss,
    hit,
    deliver,
    synth,
    backend_fetch,
    backend_response,
    backend_error,
    backend_refresh,
    init,
    fini
};
constexpr std::size_t sub_count = 15;

/// "vcl_recv", ...; as the error messages print it.
std::string_view name_of(sub_id s) noexcept;

/// What a subroutine returned. VCL_call and VCL_return records print the names in upper and lower case as vsl(7) shows.
enum class action : std::uint8_t {
    none,
    fail,
    synth,
    restart,
    pass,
    pipe,
    hash,
    purge,
    lookup,
    miss,
    fetch,
    deliver,
    retry,
    abandon,
    error,
    connect,
    ok,
    vcl,
    merge, // vcl_backend_refresh, as the next two
    obj_stale,
    beresp
};

/// "fetch", "deliver", ...
std::string_view name_of(action a) noexcept;

} // namespace clearcoat::vcl
