// The second half of the start: pid files, shared memory, the secret, the first VCLs, management connections.
#include "manager/manager.hpp"

#include "cli/words.hpp"
#include "manager/option_error.hpp"
#include "manager/work_folder.hpp"
#include "sys/fd.hpp"
#include "tables/bits.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

constexpr char secret_file[] = "_.secret";
constexpr char implicit_pid_file[] = "_.pid";
constexpr std::size_t secret_size = 256;

/// For who wants to look at the code later (debug=+vcl_keep).
void keep_listing(const std::string& text) {
    const sys::unique_fd file = sys::open_file("boot.listing", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        option_fails("Cannot keep the VCL's code: {}", sys::error_text(errno));
    }
}

} // namespace

void manager::take_pid_files() {
    for (const std::string_view path : options_.values('P')) {
        take_pid_file(std::string(path));
    }
    take_pid_file(work_folder_ + "/" + implicit_pid_file);
}

void manager::take_pid_file(const std::string& path) {
    const sys::raised privileges(jail_);
    pid_t owner = 0;
    sys::pid_file file;
    switch (file.open(path, owner)) {
    case sys::pid_file::verdict::ok:
        pid_files_.push_back(std::move(file));
        break;
    case sys::pid_file::verdict::running:
        option_fails("Varnishd is already running (pid={}) (pidfile={})", owner, path);
    case sys::pid_file::verdict::failed:
        option_fails("Could not open pid-file ({}): {}", path, sys::error_text(errno));
    }
}

void manager::check_hash_and_waiter() {
    const std::string_view hash = options_.value('h', "critbit");
    const cli::split_line split = cli::split_words(hash, cli::separator::commas);
    if (!split.error.empty()) {
        option_fails("{}", split.error);
    }
    if (split.words.empty()) {
        option_fails("-h argument is empty");
    }
    const std::string& method = split.words[0];
    if (method != "classic" && method != "simple" && method != "simple_list" && method != "critbit") {
        option_fails("Unknown hash method \"{}\"", method);
    }
    if (method == "classic" ? split.words.size() > 2 : split.words.size() > 1) {
        option_fails("Hash method \"{}\" takes no arguments", method);
    }
    summary_ += ",-h" + method;
    const std::string_view waiter = options_.value('W', "epoll");
    if (waiter != "epoll" && waiter != "poll") {
        option_fails("Unknown waiter method \"{}\"", waiter);
    }
    if (waiter != "epoll") {
        log_.print(level::info, "-W {}: epoll is used all the same", waiter);
    }
}

void manager::make_shared_memory() {
    const sys::raised privileges(jail_);
    shm::segment_directory::remove(shm::worker_folder);
    shm::segment_directory::prepare(shm::manager_folder, jail_.changes_ids() ? 0750 : 0755);
    if (jail_.changes_ids() && (::chown(shm::manager_folder, jail_.manager_uid(), jail_.manager_gid()) != 0)) {
        option_fails("Cannot give {} to the manager's user: {}", shm::manager_folder, sys::error_text(errno));
    }
    jail_.lower();
    segments_.emplace(shm::manager_folder);
    argument_segments_.push_back(segments_->create_text("Arg", "-i", identity_));
    counters_.emplace(*segments_);
}

void manager::make_secret() {
    char bytes[secret_size];
    if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
        option_fails("Cannot make a secret: {}", sys::error_text(errno));
    }
    const sys::raised privileges(jail_);
    const sys::unique_fd file = sys::open_file(secret_file, O_RDWR | O_CREAT | O_TRUNC, 0640);
    if (!file || sys::write_all(file.get(), {bytes, sizeof bytes}) != 0) {
        option_fails("Cannot create secret-file in {} ({})", work_folder_, sys::error_text(errno));
    }
    secret_ = work_folder_ + "/" + secret_file;
    made_secret_ = true;
}

void manager::load_boot_vcl() {
    for (const boot_vcl& vcl : boot_vcls_) {
        cli::reply out(block_.cli_limit());
        store_->add_startup(vcl.text, boot_vcls_.size() == 1 ? "boot" : "", vcl.origin, out);
        if (!out.ok()) {
            throw refused(out.text());
        }
        if (!out.text().empty()) {
            std::fprintf(stderr, "Warnings:\n%s\n", out.text().c_str());
        }
    }
}

int manager::compile_only() {
    int status = 0;
    std::string listings;
    for (const boot_vcl& vcl : boot_vcls_) {
        const vcl_verdict verdict = compiler_->compile("boot", vcl.text, vcl.origin, {});
        std::fprintf(stderr, "%s%s\n", verdict.message.c_str(), verdict.listing.c_str());
        status |= verdict.ok ? 0 : 2;
        listings += verdict.listing;
    }
    if (status == 0 && block_.debug(tables::debug::vcl_keep)) {
        enter_work_folder(work_folder_, jail_);
        keep_listing(listings);
    }
    return status;
}

void manager::open_management() {
    sessions_.emplace(loop_, log_, jail_, block_, commands_);
    sessions_->set_banner([this] { return banner(); });
    if (!options_.has('S')) {
        make_secret();
    }
    if (secret_ != "none") {
        argument_segments_.push_back(segments_->create_text("Arg", "-S", secret_));
        sessions_->set_secret(secret_);
    }
    if (!options_.has('T')) {
        options_.add('T', "localhost:0");
    }
    for (const option& o : options_.all()) {
        if (o.letter == 'M') {
            sessions_->connect_out(o.value);
        } else if (o.letter == 'T' && o.value != "none") {
            argument_segments_.push_back(segments_->create_text("Arg", "-T", sessions_->listen(o.value)));
        }
    }
    const sys::raised privileges(jail_);
    for (sys::pid_file& file : pid_files_) {
        file.write();
    }
}

} // namespace clearcoat::manager
