// Loading, using, labelling and changing the state of VCLs.
#include "manager/vcl_store.hpp"

#include "tables/param_block.hpp"

namespace clearcoat::manager {

namespace {

constexpr unsigned refuse_when_many = 2; // max_vcl_handling
constexpr unsigned warn_when_many = 1;

std::string_view word(const cli::words& w, std::size_t i) {
    return i < w.size() ? std::string_view(w[i]) : std::string_view();
}

} // namespace

bool vcl_store::room_for_more(cli::reply& out) const {
    if (program_count() < params_.max_vcl() || params_.max_vcl_handling() != refuse_when_many) {
        return true;
    }
    out.print("Too many ({}) VCLs already loaded\n", program_count());
    out.fail(cli::status::cannot, "(See max_vcl and max_vcl_handling parameters)");
    return false;
}

void vcl_store::warn_if_many(cli::reply& out) const {
    if (!out.ok() || program_count() <= params_.max_vcl() || params_.max_vcl_handling() != warn_when_many) {
        return;
    }
    out.print("{} VCLs loaded\n", program_count());
    out.out("Remember to vcl.discard the old/unused VCLs.\n");
    out.out("(See max_vcl and max_vcl_handling parameters)");
}

vcl_store::entry* vcl_store::add(const std::string& name, const std::optional<std::string>& text,
                                 const std::string& origin, std::string_view state_word, cli::reply& out) {
    if (!room_for_more(out)) {
        return nullptr;
    }
    const auto kept = state_word.empty() ? std::optional(state::automatic) : parse_state(state_word, out);
    if (!kept) {
        return nullptr;
    }
    vcl_verdict verdict = compiler_.compile(name, text, origin, label_names());
    out.out(verdict.message);
    if (!verdict.ok) {
        out.set(cli::status::parameter);
        return nullptr;
    }
    entry& e = entries_.emplace_back();
    e.name = name;
    e.kept = *kept;
    e.warm = *kept != state::cold;
    e.bundle = std::move(verdict.bundle);
    for (const std::string& label : verdict.labels) {
        depend(e, *by_name(label));
    }
    warn_if_many(out);
    if (worker_.has_worker()) {
        if (const auto got = send_load(worker_.link(), e); !got.ok()) {
            erase(e);
            out.fail(got.code, "{}", got.text);
            return nullptr;
        }
    }
    set_cooldown(e, true);
    return &e;
}

void vcl_store::add_startup(const std::string& text, const std::string& name, const std::string& origin,
                            cli::reply& out) {
    const std::string chosen = name.empty() ? "boot" + std::to_string(startup_count_++) : name;
    if (entry* e = add(chosen, text, origin, {}, out); e != nullptr) {
        active_ = e;
    }
}

void vcl_store::cmd_load(const cli::words& w, cli::reply& out) {
    if (is_free(w[1], out) && add(w[1], std::nullopt, w[2], word(w, 3), out) != nullptr && !worker_.has_worker()) {
        out.out("VCL compiled.\n");
    }
}

void vcl_store::cmd_inline(const cli::words& w, cli::reply& out) {
    if (is_free(w[1], out) && add(w[1], w[2], "<vcl.inline>", word(w, 3), out) != nullptr && !worker_.has_worker()) {
        out.out("VCL compiled.\n");
    }
}

void vcl_store::cmd_state(const cli::words& w, cli::reply& out) {
    entry* e = find(w[1], out);
    if (e == nullptr) {
        return;
    }
    if (e->kept == state::label) {
        out.fail(cli::status::parameter, "Labels are always warm");
        return;
    }
    const auto wanted = parse_state(w[2], out);
    if (!wanted) {
        return;
    }
    if (*wanted == state::cold && !e->needed_by.empty()) {
        out.fail(cli::status::cannot, "A labeled VCL cannot be set cold");
    } else if (*wanted == state::cold && e == active_) {
        out.fail(cli::status::cannot, "Cannot set the active VCL cold.");
    } else {
        set_state(*e, *wanted, &out);
    }
}

void vcl_store::cmd_use(const cli::words& w, cli::reply& out) {
    entry* e = find(w[1], out);
    if (e == nullptr || e == active_ || !require_warm(*e, out)) {
        return;
    }
    if (worker_.has_worker()) {
        if (const auto got = worker_.link().ask("vcl.use " + e->name); !got.ok()) {
            out.fail(got.code, "{}", got.text);
            return;
        }
    }
    out.print("VCL '{}' now active", e->name);
    entry* before = std::exchange(active_, e);
    set_cooldown(*e, true);
    if (before != nullptr) {
        set_cooldown(*before, true);
    }
}

bool vcl_store::reaches(const entry& from, const entry& target, cli::reply& out) const {
    if (&from == &target) {
        return true;
    }
    for (const entry* next : from.needs) {
        if (reaches(*next, target, out)) {
            const bool is_label = from.kept == state::label;
            out.print("{} {} {} {}\n", is_label ? "Label" : "Vcl", from.name, is_label ? "points to vcl" : "uses Label",
                      next->name);
            return true;
        }
    }
    return false;
}

void vcl_store::cmd_label(const cli::words& w, cli::reply& out) {
    if (!name_is_fine(w[1], out)) {
        return;
    }
    entry* label = by_name(w[1]);
    if (label != nullptr && label->kept != state::label) {
        out.fail(cli::status::parameter, "{} is not a label", label->name);
        return;
    }
    entry* target = find(w[2], out);
    if (target == nullptr) {
        return;
    }
    if (target->kept == state::label) {
        out.fail(cli::status::cannot, "VCL labels cannot point to labels");
        return;
    }
    if (label != nullptr && label->needs.at(0) != target && reaches(*target, *label, out)) {
        out.fail(cli::status::parameter, "Pointing label {} at {} would create a loop", label->name, target->name);
        return;
    }
    if (!require_warm(*target, out)) {
        return;
    }
    if (label == nullptr) {
        label = &entries_.emplace_back();
        label->name = w[1];
        label->kept = state::label;
    } else {
        undepend(*label, *label->needs.at(0));
    }
    depend(*label, *target);
    if (worker_.has_worker()) {
        if (const auto got = worker_.link().ask(fmt::format("vcl.label {} {}", w[1], w[2])); !got.ok()) {
            out.fail(got.code, "{}", got.text);
        }
    }
}

} // namespace clearcoat::manager
