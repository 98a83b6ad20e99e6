// Only in builds with AddressSanitizer: its search for leaks at a program's end attaches to the program, which the
// system refuses to one whose effective user has changed. The manager's real user is still who started it.
#include <sys/prctl.h>
#include <unistd.h>

/// Asked right before the search (sanitizer/lsan_interface.h). 0: search.
extern "C" int __lsan_is_turned_off() {
    const bool own_user = ::seteuid(::getuid()) == 0;
    return own_user && ::prctl(PR_SET_DUMPABLE, 1) == 0 ? 0 : 1;
}
