// The native functions of module std, one for each row of its table (module.cpp). They run on the calling task's
// thread.
#pragma once

#include "vmod/support/arguments.hpp"

namespace clearcoat::vmod::standard {

// conversions.cpp
vcl::value duration(vcl::call& c, arguments args);
vcl::value bytes(vcl::call& c, arguments args);
vcl::value integer(vcl::call& c, arguments args);
vcl::value real(vcl::call& c, arguments args);
vcl::value time(vcl::call& c, arguments args);

// old_conversions.cpp
vcl::value real2integer(vcl::call& c, arguments args);
vcl::value real2time(vcl::call& c, arguments args);
vcl::value time2integer(vcl::call& c, arguments args);
vcl::value time2real(vcl::call& c, arguments args);

// addresses.cpp
vcl::value ip(vcl::call& c, arguments args);
vcl::value port(vcl::call& c, arguments args);

// texts.cpp
vcl::value toupper(vcl::call& c, arguments args);
vcl::value tolower(vcl::call& c, arguments args);
vcl::value strstr(vcl::call& c, arguments args);
vcl::value fnmatch(vcl::call& c, arguments args);
vcl::value strftime(vcl::call& c, arguments args);
vcl::value collect(vcl::call& c, arguments args);

// querysort.cpp
vcl::value querysort(vcl::call& c, arguments args);

// files.cpp
bool files_event(vcl::event_call& e);
vcl::value fileread(vcl::call& c, arguments args);
vcl::value blobread(vcl::call& c, arguments args);
vcl::value file_exists(vcl::call& c, arguments args);

// logging.cpp
vcl::value log(vcl::call& c, arguments args);
vcl::value syslog(vcl::call& c, arguments args);
vcl::value timestamp(vcl::call& c, arguments args);

// control.cpp
vcl::value random(vcl::call& c, arguments args);
vcl::value round(vcl::call& c, arguments args);
vcl::value healthy(vcl::call& c, arguments args);
vcl::value syntax(vcl::call& c, arguments args);
vcl::value getenv(vcl::call& c, arguments args);
vcl::value cache_req_body(vcl::call& c, arguments args);
vcl::value late_100_continue(vcl::call& c, arguments args);
vcl::value set_ip_tos(vcl::call& c, arguments args);
vcl::value rollback(vcl::call& c, arguments args);
vcl::value ban(vcl::call& c, arguments args);
vcl::value ban_error(vcl::call& c, arguments args);
vcl::value now(vcl::call& c, arguments args);
vcl::value rfc_ttl(vcl::call& c, arguments args);

} // namespace clearcoat::vmod::standard
