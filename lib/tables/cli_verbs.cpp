#include "tables/cli_verbs.hpp"

#include <algorithm>
#include <array>

namespace clearcoat::tables {

namespace {

constexpr cli_side manager = cli_side::manager;
constexpr cli_side worker = cli_side::worker;
constexpr cli_side both = cli_side::both;
constexpr bool with_json = true;
constexpr bool no_json = false;
constexpr bool open_to_all = true;
constexpr bool hidden = true;

// Sorted by name, as strcmp orders.
constexpr auto verbs = std::to_array<cli_verb>({
    {"auth", "auth <response>", "Answer the challenge that the greeting of a protected connection gave.", "", 1, 1,
     manager, no_json, open_to_all},
    {"backend.list", "backend.list [-j] [-p] [<backend_pattern>]", "Show the backends and how they are.",
     "  ``-p`` adds what each probe or director knows, ``-j`` gives JSON.\n\n"
     "  Columns: name; admin state (``probe``, ``healthy``, ``sick`` or ``deleted``); checks that went well and "
     "checks\n"
     "  that count, as ``good/all``; health; the time of its last change. The admin state wins over the health.",
     0, 2, worker, with_json},
    {"backend.set_health", "backend.set_health <backend_pattern> [auto|healthy|sick]",
     "Decide the health of the matching backends by hand, or leave it to their probes.",
     "  ``auto`` goes by the probe, ``healthy`` and ``sick`` hold whatever the probe says.", 2, 2, worker},
    {"ban", "ban <field> <operator> <arg> [&& <field> <oper> <arg> ...]",
     "Make every object that meets all the conditions unusable.",
     "  vcl(7) tells which fields and operators there are.", 3, -1, worker},
    {"ban.list", "ban.list [-j]", "Show the bans that are in force.",
     "  Columns: time; objects that were tested up to this ban; ``C`` when it is completed, ``-`` otherwise; the\n"
     "  conditions. ``-j`` gives JSON.",
     0, 0, worker, with_json},
    {"banner", "banner", "Show the greeting again.", "", 0, 0, manager},
    {"debug.fragfetch", "debug.fragfetch", "Cut what fetches read into pieces of so many bytes.", "", 1, 1, worker,
     no_json, false, hidden},
    {"debug.listen_address", "debug.listen_address", "Show the addresses and ports in use, once they accept.", "", 0, 0,
     worker, no_json, false, hidden},
    {"debug.panic.master", "debug.panic.master", "Make the manager process panic.", "", 0, 0, manager, no_json, false,
     hidden},
    {"debug.panic.worker", "debug.panic.worker", "Make the worker process panic.", "", 0, 0, worker, no_json, false,
     hidden},
    {"debug.reqpool.fail", "debug.reqpool.fail", "Make allocations of requests fail in a pattern.", "", 1, 1, worker,
     no_json, false, hidden},
    {"debug.shutdown.delay", "debug.shutdown.delay", "Make the worker wait before it ends.", "", 1, 1, worker, no_json,
     false, hidden},
    {"debug.srandom", "debug.srandom", "Start the random numbers from a known point.", "", 0, 1, worker, no_json, false,
     hidden},
    {"debug.vmod", "debug.vmod", "Show the modules in use.", "", 0, 0, worker, no_json, false, hidden},
    {"debug.xid", "debug.xid [<xid> [<cachesize>]]", "Show or set the next transaction number.", "", 0, 2, worker,
     no_json, false, hidden},
    {"help", "help [-j|<command>]", "List the commands, or explain one.", "  ``-j`` gives JSON.", 0, 1, both, with_json,
     open_to_all},
    {"panic.clear", "panic.clear [-z]", "Forget the last panic; -z sets its counter to zero too.", "", 0, 1, manager},
    {"panic.show", "panic.show [-j]", "Show the last panic.", "  ``-j`` gives the text as one JSON string.", 0, 0,
     manager, with_json},
    {"param.reset", "param.reset [-j] <param>", "Give a parameter its default value.",
     "  ``-j`` answers as ``param.show -j`` does for the parameter.", 1, 1, manager, with_json},
    {"param.set", "param.set [-j] <param> <value>", "Change a parameter.",
     "  ``-j`` answers as ``param.show -j`` does for the changed parameter.", 2, 2, manager, with_json},
    {"param.show", "param.show [-l|-j] [<param>|changed]", "Show parameters and their values.",
     "  ``-l`` adds limits, default and description, ``-j`` gives JSON. ``changed`` shows those that differ from "
     "their\n"
     "  default.",
     0, 2, manager, with_json},
    {"pid", "pid [-j]", "Show the process ids of manager and worker.", "  ``-j`` gives JSON.", 0, 0, manager,
     with_json},
    {"ping", "ping [-j] [<timestamp>]", "Ask for a sign of life.", "  ``-j`` gives JSON.", 0, 1, both, with_json,
     open_to_all},
    {"quit", "quit", "End this connection.", "", 0, 0, manager, no_json, open_to_all},
    {"start", "start", "Start the worker process.", "", 0, 0, both},
    {"status", "status [-j]", "Show the state of the worker process.", "  ``-j`` gives JSON.", 0, 0, manager,
     with_json},
    {"stop", "stop", "Stop the worker process.", "", 0, 0, manager},
    {"storage.list", "storage.list [-j]", "Show the storages.", "  ``-j`` gives JSON.", 0, 0, manager, with_json},
    {"vcl.deps", "vcl.deps [-j]", "Show which VCL needs which other one.",
     "  Two columns: a VCL or label, and what it needs directly; a line for each such pair. ``-j`` gives JSON.", 0, 0,
     manager, with_json},
    {"vcl.discard", "vcl.discard <name_pattern>...", "Unload the VCLs whose names match.",
     "  VCLs and labels go in the order their dependencies ask for. When one cannot go because something else needs "
     "it,\n"
     "  none goes. Each pattern must match something.",
     1, -1, both},
    {"vcl.inline", "vcl.inline <configname> <quoted_VCLstring> [auto|cold|warm]",
     "Load a VCL whose text follows in the command.", "  A here-document carries more than one line.", 2, 3, manager},
    {"vcl.label", "vcl.label <label> <configname>", "Point a label at a VCL.",
     "  A label is a name for a VCL that can be pointed elsewhere. A VCL reaches another only through a label.", 2, 2,
     both},
    {"vcl.list", "vcl.list [-j]", "Show the loaded VCLs.",
     "  Columns: active, available or discarded; state (auto, warm, cold, label); temperature (init, cold, warm, "
     "busy,\n"
     "  cooling); tasks that use it; name; for labels the VCL they point to, for labelled VCLs how many labels they\n"
     "  have. ``-j`` gives JSON.",
     0, 0, both, with_json},
    {"vcl.load", "vcl.load <configname> <filename> [auto|cold|warm]", "Load a VCL from a file.", "", 2, 3, both},
    {"vcl.show", "vcl.show [-v] [<configname>]", "Show a VCL's text.",
     "  Without a name that of the active one. ``-v`` shows included files and the builtin VCL too.", 0, 2, worker},
    {"vcl.state", "vcl.state <configname> [auto|cold|warm]", "Change whether a VCL is kept ready.", "", 2, 2, both},
    {"vcl.symtab", "vcl.symtab", "Show what the loaded VCLs declare.", "", 0, 0, manager, no_json, false, hidden},
    {"vcl.use", "vcl.use <configname|label>", "Run new requests with this VCL.", "", 1, 1, both},
});

static_assert(std::is_sorted(verbs.begin(), verbs.end(),
                             [](const cli_verb& a, const cli_verb& b) { return a.name < b.name; }));

} // namespace

std::span<const cli_verb> cli_verbs() noexcept {
    return verbs;
}

const cli_verb* find_cli_verb(std::string_view name) noexcept {
    const auto at = std::lower_bound(verbs.begin(), verbs.end(), name,
                                     [](const cli_verb& v, std::string_view n) { return v.name < n; });
    return at != verbs.end() && at->name == name ? &*at : nullptr;
}

} // namespace clearcoat::tables
