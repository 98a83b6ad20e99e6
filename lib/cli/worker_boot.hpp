// What the manager tells a worker that it starts: the listening sockets, storages, identities and shared blocks. The
// manager writes it into an inherited memory file and names that descriptor in the environment variable below; the
// worker reads it first. Pure data: this file neither opens nor maps anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::cli {

/// The environment variable that makes the program a worker: the number of the descriptor with the boot text.
inline constexpr char worker_boot_variable[] = "CLEARCOAT_WORKER_BOOT";

/// One listening address. TCP: one bound socket for each loop in one SO_REUSEPORT group. Unix: one socket in every
/// place, shared by the loops.
struct listen_socket {
    std::string name;     // "a0", or as the user named it
    std::string endpoint; // as messages print it: "127.0.0.1:80", "[::1]:80", "/run/x.sock"
    std::string host;     // numeric; "0.0.0.0" for unix
    std::string port;     // numeric; "0" for unix
    bool is_unix = false;
    bool proxy = false;   // connections begin with a PROXY preamble
    std::vector<int> fds; // bound, not listening before the first start
};

/// One `-s`.
struct storage_spec {
    std::string name;              // "s0", "Transient", or as the user named it
    std::string kind;              // "malloc", "file", "debug"
    std::uint64_t size = 0;        // bytes; 0: without limit
    std::string path;              // file only
    std::uint64_t granularity = 0; // file only; bytes
    std::string advice;            // file only: "normal", "random", "sequential"
    int fd = -1;                   // file only: opened by the manager
};

struct worker_boot {
    std::string workdir; // absolute; also the worker's current folder
    std::string identity;
    std::string version;  // "varnish-7.1.1 revision ...", for the panic text
    std::string platform; // "Linux,6.1.0,x86_64"
    std::int32_t manager_pid = 0;

    int cli_fd = -1;    // both ways
    int params_fd = -1; // memory file with the parameter block
    int panic_fd = -1;  // memory file that takes the text of a panic
    std::uint64_t panic_size = 0;

    std::uint32_t loops = 1;         // event loops, hence sockets in each group
    std::uint64_t log_ring_size = 0; // bytes (vsl_space)
    bool wide_log = false;           // 64-bit ids (vsl_layout)

    bool drop_privileges = false;
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    std::string user;

    std::vector<listen_socket> sockets;
    std::vector<storage_spec> storages;
};

/// As text that parse_worker_boot() reads back; any byte may stand in the strings.
std::string to_text(const worker_boot& boot);
/// Empty when the text is not one that to_text() made.
std::optional<worker_boot> parse_worker_boot(std::string_view text);

} // namespace clearcoat::cli
