#include "manager/main.hpp"

#include "base/version.hpp"
#include "manager/listings.hpp"
#include "manager/manager.hpp"
#include "manager/option_error.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

constexpr int wrong_usage = 2;

void close_inherited_descriptors() noexcept {
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
}

int run_manager(options given, int argc, char** argv, sys::daemoniser& daemon) {
    const std::string translated = translate_legacy_options(given);
    if (!translated.empty()) {
        std::fprintf(stderr, "Warning: %s\n", translated.c_str());
    }
    close_inherited_descriptors();
    if (!given.compile_only() && !given.debug() && !given.foreground()) {
        daemon.go_background();
    }
    const bool compile_only = given.compile_only();
    manager m(std::move(given), std::vector<std::string>(argv, argv + argc), daemon);
    m.prepare();
    return compile_only ? m.compile_only() : m.run();
}

int start(int argc, char** argv, sys::daemoniser& daemon) {
    if (argc == 2 && std::string_view(argv[1]) == "--optstring") {
        std::fputs(listing("optstring").c_str(), stdout);
        return 0;
    }
    options given = options::parse(argc, argv);
    if (given.has('V')) {
        std::fputs(base::version_lines("varnishd").c_str(), stderr);
        return 0;
    }
    if (given.has('x')) {
        std::fputs(listing(given.value('x')).c_str(), stdout);
        return 0;
    }
    return run_manager(std::move(given), argc, argv, daemon);
}

int start_or_explain(int argc, char** argv, sys::daemoniser& daemon) {
    try {
        return start(argc, argv, daemon);
    } catch (const option_error& e) {
        std::fprintf(stderr, "Error: %s(-? gives usage)\n", e.what());
    } catch (const usage_error& e) {
        std::fputs(e.what(), stderr);
        std::fputs(usage().c_str(), stdout);
    } catch (const refused& e) {
        std::fprintf(stderr, "Error:\n%s\n", e.what());
    } catch (const early_exit& e) {
        return e.status;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "Error: %s\n", e.what());
    }
    return wrong_usage;
}

} // namespace

int main(int argc, char** argv) {
    std::setbuf(stdout, nullptr);
    std::setbuf(stderr, nullptr);
    sys::daemoniser daemon;
    const int status = start_or_explain(argc, argv, daemon);
    daemon.tell_parent(status);
    return status;
}

} // namespace clearcoat::manager
