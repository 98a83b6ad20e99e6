#include "manager/vcl_store.hpp"

#include "manager/named_argument.hpp"
#include "tables/param_block.hpp"

#include <algorithm>

namespace clearcoat::manager {

namespace {

constexpr base::seconds first_cooling_round = 3;
constexpr double cooling_rounds = 0.45; // of vcl_cooldown

// A here-document's end that the text does not hold.
std::string unused_token(const std::string& text) {
    for (unsigned i = 0;; ++i) {
        std::string token = fmt::format("%{}%", i);
        if (text.find(token) == std::string::npos) {
            return token;
        }
    }
}

} // namespace

vcl_store::vcl_store(event_loop& loop, complaints& log, supervisor& worker, const tables::param_block& params,
                     const vcl_compiler& compiler)
    : loop_(loop), log_(log), worker_(worker), params_(params), compiler_(compiler) {
    loop_.after(first_cooling_round, [this] { cool_down(); });
}

void vcl_store::add_commands(cli::registry& commands) {
    const auto bind = [this](void (vcl_store::*member)(const cli::words&, cli::reply&)) {
        return [this, member](const cli::words& w, cli::reply& out) { (this->*member)(w, out); };
    };
    commands.add("vcl.load", bind(&vcl_store::cmd_load));
    commands.add("vcl.inline", bind(&vcl_store::cmd_inline));
    commands.add("vcl.use", bind(&vcl_store::cmd_use));
    commands.add("vcl.state", bind(&vcl_store::cmd_state));
    commands.add("vcl.discard", bind(&vcl_store::cmd_discard));
    commands.add("vcl.list", bind(&vcl_store::cmd_list), bind(&vcl_store::cmd_list_json));
    commands.add("vcl.deps", bind(&vcl_store::cmd_deps), bind(&vcl_store::cmd_deps_json));
    commands.add("vcl.label", bind(&vcl_store::cmd_label));
    commands.add("vcl.symtab", bind(&vcl_store::cmd_symtab));
}

std::string_view vcl_store::missing() const noexcept {
    if (entries_.empty()) {
        return "No VCL loaded";
    }
    return active_ == nullptr ? "No active VCL" : "";
}

std::string_view vcl_store::text_of(state s) noexcept {
    switch (s) {
    case state::automatic:
        return "auto";
    case state::cold:
        return "cold";
    case state::warm:
        return "warm";
    case state::label:
        break;
    }
    return "label";
}

std::optional<vcl_store::state> vcl_store::parse_state(std::string_view text, cli::reply& out) {
    for (const state s : {state::automatic, state::cold, state::warm}) {
        if (text == text_of(s)) {
            return s;
        }
    }
    out.fail(cli::status::parameter, "State must be one of auto, cold or warm.");
    return std::nullopt;
}

bool vcl_store::name_is_fine(std::string_view name, cli::reply& out) {
    const auto bad = bad_name_byte(name);
    if (!bad) {
        return true;
    }
    out.fail(cli::status::parameter, "Illegal character in VCL name ");
    const auto byte = static_cast<unsigned char>(*bad);
    if (byte > 0x20 && byte < 0x7f) {
        out.print("('{}')", *bad);
    } else {
        out.print("(0x{:02x})", byte);
    }
    return false;
}

vcl_store::entry* vcl_store::by_name(std::string_view name) noexcept {
    const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) { return e.name == name; });
    return at == entries_.end() ? nullptr : &*at;
}

vcl_store::entry* vcl_store::find(std::string_view name, cli::reply& out) {
    if (!name_is_fine(name, out)) {
        return nullptr;
    }
    entry* e = by_name(name);
    if (e == nullptr) {
        out.fail(cli::status::parameter, "No VCL named {} known\n", name);
    }
    return e;
}

bool vcl_store::is_free(std::string_view name, cli::reply& out) {
    if (!name_is_fine(name, out)) {
        return false;
    }
    if (by_name(name) != nullptr) {
        out.fail(cli::status::parameter, "Already a VCL named {}", name);
        return false;
    }
    return true;
}

std::size_t vcl_store::program_count() const noexcept {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(), [](const entry& e) { return e.kept != state::label; }));
}

std::vector<std::string> vcl_store::label_names() const {
    std::vector<std::string> out;
    for (const entry& e : entries_) {
        if (e.kept == state::label) {
            out.push_back(e.name);
        }
    }
    return out;
}

void vcl_store::depend(entry& from, entry& to) {
    set_cooldown(from, false);
    set_cooldown(to, false);
    from.needs.push_back(&to);
    to.needed_by.push_back(&from);
}

void vcl_store::undepend(entry& from, entry& to) {
    from.needs.erase(std::find(from.needs.begin(), from.needs.end(), &to));
    to.needed_by.erase(std::find(to.needed_by.begin(), to.needed_by.end(), &from));
    if (to.needed_by.empty()) {
        set_cooldown(to, true);
    }
}

void vcl_store::erase(entry& e) {
    while (!e.needs.empty()) {
        undepend(e, *e.needs.back());
    }
    entries_.remove_if([&](const entry& each) { return &each == &e; });
}

worker_link::answer vcl_store::send_load(worker_link& link, const entry& e) const {
    const std::string text = to_text(e.bundle);
    const std::string token = unused_token(text);
    return link.ask(fmt::format("vcl.load \"{}\" vcl_{}/sources {:d}{} << {}\n{}{}", e.name, e.name, e.warm,
                                text_of(e.kept), token, text, token));
}

worker_link::answer vcl_store::send_entry(worker_link& link, const entry& e) const {
    if (e.kept == state::label) {
        return link.ask(fmt::format("vcl.label {} {}", e.name, e.needs.at(0)->name));
    }
    return send_load(link, e);
}

std::string vcl_store::push(worker_link& link) {
    // Whatever others need goes first; there are no cycles.
    std::vector<const entry*> sent;
    while (sent.size() < entries_.size()) {
        for (const entry& e : entries_) {
            const auto is_sent = [&](const entry* n) { return std::find(sent.begin(), sent.end(), n) != sent.end(); };
            if (is_sent(&e) || !std::all_of(e.needs.begin(), e.needs.end(), is_sent)) {
                continue;
            }
            if (const auto got = send_entry(link, e); !got.ok()) {
                return got.text;
            }
            sent.push_back(&e);
        }
    }
    const auto used = link.ask(fmt::format("vcl.use \"{}\"", active_->name));
    return used.ok() ? std::string() : used.text;
}

void vcl_store::set_cooldown(entry& e, bool may_cool) {
    const bool stays =
        &e == active_ || e.kept != state::automatic || !e.warm || !e.needs.empty() || !e.needed_by.empty() || !may_cool;
    e.cool_since = stays ? -1 : base::system_clock().monotonic();
}

void vcl_store::cool_down() {
    const base::seconds limit = params_.vcl_cooldown();
    loop_.after(limit * cooling_rounds, [this] { cool_down(); });
    const base::seconds now = base::system_clock().monotonic();
    for (entry& e : entries_) {
        if (e.cool_since >= 0 && e.cool_since + limit < now) {
            set_warm(e, false, nullptr);
        }
    }
}

bool vcl_store::set_warm(entry& e, bool warm, cli::reply* out) {
    if (warm == e.warm) {
        return true;
    }
    if (e.kept != state::automatic && e.kept != state::label) {
        return set_state(e, warm ? state::warm : state::cold, out);
    }
    set_cooldown(e, false);
    const bool done = tell_worker_state(e, warm, out);
    set_cooldown(e, true);
    return done;
}

bool vcl_store::require_warm(entry& e, cli::reply& out) {
    if (e.kept == state::cold) {
        out.fail(cli::status::cannot, "VCL '{}' is cold - set to auto or warm first", e.name);
        return false;
    }
    return set_warm(e, true, &out);
}

bool vcl_store::tell_worker_state(entry& e, bool warm, cli::reply* out) {
    if (worker_.has_worker()) {
        const std::string command = fmt::format("vcl.state {} {:d}{}", e.name, warm, text_of(e.kept));
        const auto got = worker_.link().ask(command);
        if (!got.ok()) {
            if (out != nullptr) {
                out->fail(got.code, "{}", got.text);
            } else {
                log_.print(level::error, "The worker refused '{}': {} '{}'", command, static_cast<unsigned>(got.code),
                           got.text);
            }
            return false;
        }
    }
    e.warm = warm;
    return true;
}

bool vcl_store::set_state(entry& e, state s, cli::reply* out) {
    if (e.kept == state::label || e.kept == s) {
        return true;
    }
    const state before = std::exchange(e.kept, s);
    const bool warm = &e == active_ || (s == state::automatic ? e.warm : s == state::warm);
    if (!tell_worker_state(e, warm, out)) {
        e.kept = before;
        return false;
    }
    set_cooldown(e, true);
    return true;
}

} // namespace clearcoat::manager
