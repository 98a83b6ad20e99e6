#include "logread/signals.hpp"

#include <initializer_list>

namespace clearcoat::logread::signals {

volatile std::sig_atomic_t ended = 0;
volatile std::sig_atomic_t hups = 0;
volatile std::sig_atomic_t usr1s = 0;

namespace {

void handle(int signal) {
    switch (signal) {
    case SIGHUP:
        hups = hups + 1;
        break;
    case SIGUSR1:
        usr1s = usr1s + 1;
        break;
    default:
        ended = 1;
        break;
    }
}

} // namespace

void take_over() noexcept {
    struct sigaction action {};
    action.sa_handler = handle;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
        sigaction(signal, &action, nullptr);
    }
}

} // namespace clearcoat::logread::signals
