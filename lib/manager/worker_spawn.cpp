#include "manager/worker_spawn.hpp"

#include "sys/fd.hpp"
#include "sys/memory.hpp"
#include "sys/process.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

// Gives each descriptor of ours a number in the worker, from 3 upwards.
class renumbering {
  public:
    int add(int ours) {
        if (ours < 0) {
            return -1;
        }
        const auto at = std::find_if(moves_.begin(), moves_.end(), [ours](const auto& m) { return m.first == ours; });
        if (at != moves_.end()) {
            return at->second;
        }
        moves_.emplace_back(ours, next_);
        return next_++;
    }
    std::vector<std::pair<int, int>> take() { return std::move(moves_); }

  private:
    std::vector<std::pair<int, int>> moves_;
    int next_ = STDERR_FILENO + 1;
};

void renumber(cli::worker_boot& boot, int cli_fd, renumbering& numbers) {
    boot.cli_fd = numbers.add(cli_fd);
    boot.params_fd = numbers.add(boot.params_fd);
    boot.panic_fd = numbers.add(boot.panic_fd);
    for (cli::listen_socket& s : boot.sockets) {
        for (int& fd : s.fds) {
            fd = numbers.add(fd);
        }
    }
    for (cli::storage_spec& s : boot.storages) {
        s.fd = numbers.add(s.fd);
    }
}

sys::unique_fd boot_file(const cli::worker_boot& boot) {
    sys::unique_fd fd = sys::make_memfd("clearcoat-boot", 0);
    if (fd && (sys::write_all(fd.get(), to_text(boot)) != 0 || ::lseek(fd.get(), 0, SEEK_SET) != 0)) {
        fd.reset();
    }
    return fd;
}

} // namespace

pid_t spawn_worker(cli::worker_boot boot, const worker_channels& channels, const std::vector<std::string>& arguments) {
    renumbering numbers;
    renumber(boot, channels.cli, numbers);
    const sys::unique_fd text = boot_file(boot);
    const sys::unique_fd null = sys::open_file("/dev/null", O_RDWR);
    if (!text || !null) {
        return -1;
    }
    const int boot_number = numbers.add(text.get());
    sys::spawn_request request;
    request.program = "/proc/self/exe";
    request.arguments = arguments;
    request.environment =
        sys::environment_with(std::string(cli::worker_boot_variable) + "=" + std::to_string(boot_number));
    request.descriptors = numbers.take();
    request.descriptors.emplace_back(null.get(), STDIN_FILENO);
    request.descriptors.emplace_back(channels.output, STDOUT_FILENO);
    request.descriptors.emplace_back(channels.output, STDERR_FILENO);
    request.no_core_dump = channels.no_core_dump;
    return sys::spawn(request);
}

} // namespace clearcoat::manager
