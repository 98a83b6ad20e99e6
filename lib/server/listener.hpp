// What a session knows of the socket it was accepted on. Constant while the worker lives.
#pragma once

#include <string>

namespace clearcoat::server {

struct listener {
    std::string name;     // "a0"
    std::string endpoint; // as given to -a
    bool proxy = false;   // clients begin with a PROXY preamble
    bool is_unix = false;
};

} // namespace clearcoat::server
