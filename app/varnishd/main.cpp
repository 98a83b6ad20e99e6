// varnishd: the manager, or the worker that the manager starts from the same file.
#include "manager/main.hpp"
#include "cli/worker_boot.hpp"
#include "worker/main.hpp"

#include <cstdlib>

int main(int argc, char** argv) {
    if (const char* boot = std::getenv(clearcoat::cli::worker_boot_variable)) {
        return clearcoat::worker::main(std::atoi(boot));
    }
    return clearcoat::manager::main(argc, argv);
}
