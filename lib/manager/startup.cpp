// From options to a manager that could start a worker: each step may still refuse, and the order is the reference's.
#include "manager/manager.hpp"

#include "base/ascii.hpp"
#include "base/version.hpp"
#include "cli/words.hpp"
#include "manager/option_error.hpp"
#include "manager/work_folder.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

tables::param_block& block_in(const sys::mapping& memory) {
    if (!memory) {
        throw std::runtime_error("cannot share memory for parameters: " + sys::error_text(errno));
    }
    return *new (memory.data()) tables::param_block;
}

} // namespace

manager::manager(options given, std::vector<std::string> arguments, sys::daemoniser& daemon)
    : options_(std::move(given)), arguments_(std::move(arguments)), daemon_(daemon),
      params_fd_(sys::make_memfd("clearcoat-params", sizeof(tables::param_block))),
      params_memory_(sys::mapping::shared(params_fd_.get(), sizeof(tables::param_block))),
      block_(block_in(params_memory_)), parameters_(block_), log_(block_) {
    log_.to_stderr(options_.debug() || options_.foreground());
}

void manager::prepare() {
    make_jail();
    listeners_.emplace(jail_, sys::usable_cpus());
    storages_.emplace(jail_);
    parameters_.set_storage_check(
        [this](std::string_view name) { return name == "Transient" || storages_->knows(name); });
    take_backend_option();
    apply_options();
    check_secret();
    choose_work_folder();
    if (options_.compile_only()) {
        storages_->finish();
        make_compiler();
        return;
    }
    enter_work_folder(work_folder_, jail_);
    if (jail_.name() == "linux" && !lies_on_tmpfs(work_folder_)) {
        log_.print(level::info, "Working directory not mounted on tmpfs partition");
    }
    storages_->finish();
    summary_ += storages_->summary();
    take_pid_files();
    if (listeners_->empty()) {
        listeners_->add(":80");
    }
    check_hash_and_waiter();
    make_shared_memory();
    make_parts();
    load_boot_vcl();
    add_commands();
    open_management();
}

void manager::make_compiler() {
    compiler_.emplace(parameters_, storages_->names(), listeners_->has_unix_socket() ? 41 : 40, options_.legacy());
}

void manager::make_parts() {
    worker_settings settings;
    settings.workdir = work_folder_;
    settings.identity = identity_;
    settings.version = base::version_text;
    settings.platform = sys::platform();
    settings.arguments = arguments_;
    settings.loops = sys::usable_cpus();
    settings.params_fd = params_fd_.get();
    supervisor_.emplace(loop_, log_, jail_, block_, *listeners_, *storages_, **counters_, std::move(settings));
    supervisor_->on_lost_sockets([this] {
        forced_status_ = 1;
        loop_.stop();
    });
    make_compiler();
    store_.emplace(loop_, log_, *supervisor_, block_, *compiler_);
    supervisor_->set_feeder([this](worker_link& link) { return store_->push(link); });
}

void manager::make_jail() {
    const std::string_view argument = options_.value('j');
    std::vector<std::string> words;
    if (options_.has('j')) {
        cli::split_line split = cli::split_words(argument, cli::separator::commas);
        if (!split.error.empty()) {
            option_fails("-j argument: {}", split.error);
        }
        if (split.words.empty()) {
            option_fails("-j argument is empty");
        }
        words = std::move(split.words);
    }
    std::string error;
    auto made = sys::jail::from_words(words, error);
    if (!made) {
        throw option_error(error);
    }
    jail_ = std::move(*made);
    if (!jail_.warning().empty()) {
        log_.print(level::info, "{}", jail_.warning());
    }
    jail_.lower();
    summary_ = ",-j" + std::string(jail_.name());
}

void manager::apply_options() {
    for (const option& o : options_.all()) {
        apply(o);
    }
}

void manager::apply(const option& o) {
    switch (o.letter) {
    case 'a':
        listeners_->add(o.value);
        break;
    case 'f':
        if (!o.value.empty()) {
            read_vcl_file(o.value);
        }
        break;
    case 'I':
        open_initial_commands(o.value);
        break;
    case 'l':
        set_parameter("vsl_space", o.value);
        break;
    case 't':
        set_parameter("default_ttl", o.value);
        break;
    case 'p':
        set_parameter(o.value);
        break;
    case 'r':
        if (const auto done = parameters_.protect(o.value); !done.ok()) {
            throw refused(done.text);
        }
        break;
    case 's':
        storages_->add(o.value);
        break;
    default:
        break;
    }
}

void manager::open_initial_commands(const std::string& path) {
    const sys::raised privileges(jail_);
    initial_commands_ = sys::open_file(path, O_RDONLY);
    if (!initial_commands_) {
        option_fails("\tCan't open {}: {}", path, sys::error_text(errno));
    }
}

void manager::set_parameter(std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) {
        option_fails("\t-p lacks '='");
    }
    set_parameter(assignment.substr(0, equals), assignment.substr(equals + 1));
}

void manager::set_parameter(std::string_view name, std::string_view value) {
    const tables::param_answer done = parameters_.set(name, value, false);
    if (!done.ok()) {
        throw refused(done.text);
    }
    if (!done.text.empty()) {
        std::fprintf(stderr, "Warnings:\n%s\n", done.text.c_str());
    }
}

void manager::read_vcl_file(const std::string& name) {
    std::string tried;
    const auto text = read_along_path(parameters_.vcl_path(), name, tried);
    if (!text) {
        option_fails("Cannot read -f file '{}' ({})", tried, sys::error_text(errno));
    }
    boot_vcls_.push_back({*text, tried});
}

void manager::take_backend_option() {
    if (!options_.has('b')) {
        return;
    }
    const std::string backend(options_.value('b'));
    std::string text = "vcl 4.1;\nbackend default ";
    if (base::equal_nocase(backend, "none")) {
        text += "none;\n";
    } else {
        text += fmt::format("{{\n    .{} = \"{}\";\n}}\n", backend.starts_with('/') ? "path" : "host", backend);
    }
    boot_vcls_.push_back({text, "<-b argument>"});
}

void manager::check_secret() {
    if (!options_.has('S')) {
        return;
    }
    secret_ = options_.value('S');
    if (secret_ == "none") {
        std::fprintf(stderr, "Warning: CLI authentication disabled.\n");
        return;
    }
    const sys::raised privileges(jail_);
    if (!sys::open_file(secret_, O_RDONLY)) {
        option_fails("Cannot open -S file ({}): {}", secret_, sys::error_text(errno));
    }
    // The work folder becomes the current one.
    secret_ = absolute_path(secret_);
}

void manager::choose_work_folder() {
    const char* otherwise = std::getenv("VARNISH_DEFAULT_N");
    work_folder_ = work_folder_path(options_.value('n', otherwise == nullptr ? "" : otherwise));
    identity_ = options_.value('i');
    if (identity_.empty()) {
        identity_ = sys::host_name();
    }
}

} // namespace clearcoat::manager
