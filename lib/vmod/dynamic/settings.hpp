// What a dynamic director was made with, and what its domains share.
#pragma once

#include "base/clock.hpp"
#include "vcl/vm/acl.hpp"
#include "vcl/vm/environment.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace clearcoat::vmod::dynamic {

/// Constant after the constructor.
struct settings {
    std::string name; // of the director in VCL
    std::string port;
    std::string host_header;
    bool share_by_host = false;
    std::optional<vcl::probe_spec> probe;
    const vcl::acl* allowed = nullptr; // addresses that may be used; nullptr: all
    base::seconds ttl = 3600;
    base::seconds patience = 10; // how long a request waits for the first answer
    vcl::backend_spec pattern;   // timeouts, connections, PROXY header
};

/// The backends of one director. Lookups work on helper threads and may end when the VCL is gone: then `surroundings`
/// is nullptr.
struct backend_store {
    std::mutex mutex;
    vcl::environment* surroundings;                 // guarded by mutex
    std::map<std::string, vcl::director*> backends; // guarded by mutex; by name
};

} // namespace clearcoat::vmod::dynamic
