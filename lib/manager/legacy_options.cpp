// Command lines of Varnish 3.0: -w, -u and -g become parameters and a jail.
#include "cli/words.hpp"
#include "manager/option_error.hpp"
#include "manager/options.hpp"

#include <algorithm>
#include <grp.h>

namespace clearcoat::manager {

namespace {

std::string threads_to_parameters(std::string_view value, options& o) {
    const auto words = cli::split_words(value, cli::separator::commas);
    if (!words.error.empty() || words.words.empty() || words.words.size() > 3 || words.words[0].empty()) {
        option_fails("-w takes min[,max[,timeout]], not \"{}\"", value);
    }
    const std::string& least = words.words[0];
    const std::string& most = words.words.size() > 1 ? words.words[1] : least;
    // The upper limit first: the lower one must not pass it.
    std::string taken = "-p thread_pool_max=" + most + " -p thread_pool_min=" + least;
    o.add('p', "thread_pool_max=" + most);
    o.add('p', "thread_pool_min=" + least);
    if (words.words.size() > 2) {
        o.add('p', "thread_pool_timeout=" + words.words[2]);
        taken += " -p thread_pool_timeout=" + words.words[2];
    }
    return taken;
}

std::string identity_to_jail(options& o) {
    const std::string group(o.value('g'));
    if (o.has('g') && ::getgrnam(group.c_str()) == nullptr) {
        option_fails("Unix jail: {} group not found.", group);
    }
    if (o.has('j')) {
        return "nothing (-j says it already)";
    }
    std::string words = "unix";
    if (o.has('u')) {
        words += ",user=" + std::string(o.value('u'));
    }
    if (o.has('g')) {
        words += ",group=" + group;
    }
    o.add('j', words);
    return "-j " + words;
}

} // namespace

std::string translate_legacy_options(options& o) {
    if (!o.has('w') && !o.has('u') && !o.has('g')) {
        return {};
    }
    std::string taken;
    if (o.has('w')) {
        taken += "-w as " + threads_to_parameters(std::string(o.value('w')), o);
    }
    if (o.has('u') || o.has('g')) {
        const char* which = !o.has('g') ? "-u" : !o.has('u') ? "-g" : "-u and -g";
        taken += (taken.empty() ? "" : ", ") + std::string(which) + " as " + identity_to_jail(o);
    }
    o.set_legacy();
    auto& all = o.all();
    all.erase(std::remove_if(
                  all.begin(), all.end(),
                  [](const option& each) { return each.letter == 'w' || each.letter == 'u' || each.letter == 'g'; }),
              all.end());
    return "options of Varnish 3.0: taking " + taken + ", and VCL without a version line as 4.0";
}

} // namespace clearcoat::manager
