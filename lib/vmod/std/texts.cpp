// Texts and headers in module std.
#include "vmod/std/functions.hpp"

#include "base/ascii.hpp"

#include <cmath>
#include <ctime>

#include <fnmatch.h>

namespace clearcoat::vmod::standard {

namespace {

/// The parts in a row in the workspace, each byte changed by `change`.
template<class Change>
vcl::value changed(vcl::call& c, const vcl::strand_list& list, Change change) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
        size += list.parts[i].size();
    }
    auto* room = static_cast<char*>(c.workspace().allocate(size + 1, 1));
    if (room == nullptr) {
        return no_value();
    }
    char* to = room;
    for (std::size_t i = 0; i < list.count; ++i) {
        for (char byte : list.parts[i]) {
            *to++ = change(byte);
        }
    }
    *to = '\0';
    return text_value({room, size});
}

bool exists_here(vcl::message m, vcl::sub_id where) noexcept {
    using enum vcl::message;
    switch (m) {
    case req:
    case req_top:
        return vcl::client_subs.contains(where);
    case bereq:
        return vcl::backend_subs.contains(where) || where == vcl::sub_id::pipe;
    case beresp:
        return vcl::backend_subs.contains(where) && where != vcl::sub_id::backend_fetch;
    case resp:
        return where == vcl::sub_id::deliver || where == vcl::sub_id::synth;
    case obj:
    case obj_stale:
        break; // an object's headers never change
    }
    return false;
}

} // namespace

// toupper(STRANDS s)
vcl::value toupper(vcl::call& c, arguments args) {
    return changed(c, args[0].strands, base::to_upper);
}

// tolower(STRANDS s)
vcl::value tolower(vcl::call& c, arguments args) {
    return changed(c, args[0].strands, base::to_lower);
}

// strstr(STRING s1, STRING s2)
vcl::value strstr(vcl::call&, arguments args) {
    if (undefined(args[0]) || undefined(args[1])) {
        return no_value();
    }
    const std::size_t at = args[0].string().find(args[1].string());
    return at == std::string_view::npos ? no_value() : text_value(args[0].string().substr(at));
}

// fnmatch(STRING pattern, STRING subject, BOOL pathname=1, BOOL noescape=0, BOOL period=0)
vcl::value fnmatch(vcl::call& c, arguments args) {
    if (undefined(args[0]) || undefined(args[1])) {
        c.fail(undefined(args[0]) ? "std.fnmatch(): pattern is NULL" : "std.fnmatch(): subject is NULL");
        return vcl::value::of(false);
    }
    const base::arena::mark before = c.workspace().position();
    const std::string_view pattern = c.workspace().copy(args[0].string());
    const std::string_view subject = c.workspace().copy(args[1].string());
    if (pattern.data() == nullptr || subject.data() == nullptr) {
        return vcl::value::of(false);
    }
    const int flags = (args[2].boolean ? FNM_PATHNAME : 0) | (args[3].boolean ? FNM_NOESCAPE : 0) |
                      (args[4].boolean ? FNM_PERIOD : 0);
    const bool matches = ::fnmatch(pattern.data(), subject.data(), flags) != FNM_NOMATCH;
    c.workspace().rewind(before);
    return vcl::value::of(matches);
}

// strftime(TIME time, STRING format)
vcl::value strftime(vcl::call& c, arguments args) {
    constexpr std::size_t room_size = 1024;
    const auto seconds = static_cast<std::time_t>(args[0].real);
    std::tm parts;
    if (undefined(args[1]) || ::gmtime_r(&seconds, &parts) == nullptr) {
        return text_value("");
    }
    const std::string_view format = c.workspace().copy(args[1].string());
    const std::span<char> room = c.workspace().reserve(room_size);
    if (format.data() == nullptr || room.empty()) {
        return text_value("");
    }
    const std::size_t size = std::strftime(room.data(), room.size(), format.data(), &parts);
    if (size == 0) {
        c.workspace().commit(0);
        return text_value("");
    }
    c.workspace().commit(size + 1);
    return text_value({room.data(), size});
}

// collect(HEADER hdr, STRING sep=", ")
vcl::value collect(vcl::call& c, arguments args) {
    if (args[0].header == nullptr) {
        c.fail("std.collect(): header argument is NULL");
    } else if (!exists_here(args[0].header->where, c.where())) {
        c.fail("std.collect(): header argument can not be used here");
    } else {
        c.task().collect_header(args[0].header->where, args[0].header->name, args[1].string());
    }
    return no_value();
}

} // namespace clearcoat::vmod::standard
