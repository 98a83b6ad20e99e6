// The table of module std: vmod_std(3).
#include "vmod/registry.hpp"
#include "vmod/std/functions.hpp"

namespace clearcoat::vmod {

namespace {

constexpr vcl::function_row functions[] = {
    {"REAL random(REAL lo, REAL hi)", standard::random},
    {"REAL round(REAL r)", standard::round},
    {"VOID collect(HEADER hdr, STRING sep=\", \")", standard::collect},
    {"STRING querysort(STRING)", standard::querysort},
    {"STRING toupper(STRANDS s)", standard::toupper},
    {"STRING tolower(STRANDS s)", standard::tolower},
    {"STRING strstr(STRING s1, STRING s2)", standard::strstr},
    {"BOOL fnmatch(STRING pattern, STRING subject, BOOL pathname=1, BOOL noescape=0, BOOL period=0)",
     standard::fnmatch},
    {"STRING fileread(PRIV_CALL, STRING)", standard::fileread},
    {"BLOB blobread(PRIV_CALL, STRING)", standard::blobread},
    {"BOOL file_exists(STRING path)", standard::file_exists},
    {"BOOL healthy(BACKEND be)", standard::healthy},
    {"INT port(IP ip)", standard::port},
    {"DURATION duration([STRING s], [DURATION fallback], [REAL real], [INT integer])", standard::duration},
    {"BYTES bytes([STRING s], [BYTES fallback], [REAL real], [INT integer])", standard::bytes},
    {"INT integer([STRING s], [INT fallback], [BOOL bool], [BYTES bytes], [DURATION duration], [REAL real], "
     "[TIME time])",
     standard::integer},
    {"IP ip(STRING s, [IP fallback], BOOL resolve=1, [STRING p])", standard::ip},
    {"REAL real([STRING s], [REAL fallback], [INT integer], [BOOL bool], [BYTES bytes], [DURATION duration], "
     "[TIME time])",
     standard::real},
    {"TIME time([STRING s], [TIME fallback], [REAL real], [INT integer])", standard::time},
    {"STRING strftime(TIME time, STRING format)", standard::strftime},
    {"VOID log(STRANDS s)", standard::log},
    {"VOID syslog(INT priority, STRANDS s)", standard::syslog},
    {"VOID timestamp(STRING s)", standard::timestamp},
    {"BOOL syntax(REAL)", standard::syntax},
    {"STRING getenv(STRING name)", standard::getenv},
    {"BOOL cache_req_body(BYTES size)", standard::cache_req_body},
    {"VOID late_100_continue(BOOL late)", standard::late_100_continue},
    {"VOID set_ip_tos(INT tos)", standard::set_ip_tos},
    {"VOID rollback(HTTP h)", standard::rollback},
    {"BOOL ban(STRING)", standard::ban},
    {"STRING ban_error()", standard::ban_error},
    {"TIME now()", standard::now},
    {"VOID rfc_ttl()", standard::rfc_ttl, vcl::sub_set{vcl::sub_id::backend_response, vcl::sub_id::backend_refresh}},
    {"INT real2integer(REAL r, INT fallback)", standard::real2integer},
    {"TIME real2time(REAL r, TIME fallback)", standard::real2time},
    {"INT time2integer(TIME t, INT fallback)", standard::time2integer},
    {"REAL time2real(TIME t, REAL fallback)", standard::time2real},
};

} // namespace

const vcl::module_row std_module{"std", "what VCL itself does not have", functions, {}, standard::files_event};

} // namespace clearcoat::vmod
