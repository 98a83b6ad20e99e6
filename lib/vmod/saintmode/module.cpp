// Module saintmode: a backend that is sick for the objects it failed at lately, and for all when they are too many. The
// list of each saint is under its own mutex; fetches on all loops use it.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "tables/log_tags.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/vm/environment.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace clearcoat::vmod {

namespace {

class saint final : public vcl::module_object, public vcl::director {
  public:
    saint(std::string_view name, vcl::director& backend, std::int64_t threshold, vcl::environment& surroundings)
        : vcl::director(std::string(name)), backend_(backend), threshold_(threshold), surroundings_(surroundings) {
        surroundings_.add_director(*this);
    }
    ~saint() override { surroundings_.remove_director(*this); }

    vcl::director& backend() const noexcept { return backend_; }
    std::int64_t threshold() const noexcept { return threshold_; }

    void list_object(std::string key, base::seconds until) {
        std::lock_guard hold(mutex_);
        const auto there = std::find_if(listed_.begin(), listed_.end(), [&](const entry& e) { return e.key == key; });
        if (there != listed_.end()) {
            there->until = std::max(there->until, until);
        } else {
            listed_.push_back({std::move(key), until});
        }
    }
    std::int64_t count(base::seconds now) {
        std::lock_guard hold(mutex_);
        std::erase_if(listed_, [now](const entry& e) { return e.until <= now; });
        return static_cast<std::int64_t>(listed_.size());
    }

    health state(vcl::host* task) noexcept override {
        const base::seconds now = task != nullptr ? task->now() : base::system_clock().real();
        if (threshold_ > 0 && (count(now) >= threshold_ || (task != nullptr && is_listed(key_of(*task))))) {
            return {false, changed()};
        }
        return backend_.effective_state(task);
    }
    vcl::director* resolve(vcl::host& task) noexcept override {
        return state(&task).healthy ? backend_.resolve(task) : nullptr;
    }
    std::string list(listing form) override {
        const std::string_view word = state(nullptr).healthy ? "healthy" : "sick";
        const std::int64_t listed = count(base::system_clock().real());
        switch (form) {
        case listing::row:
            return fmt::format("{}/{}\t{}", listed, threshold_, word);
        case listing::details:
            return fmt::format("\n\n\tBackend\t{}\n\tObjects\t{}\n\tThreshold\t{}\n", backend_.name(), listed,
                               threshold_);
        case listing::json:
            return fmt::format("[{}, {}, \"{}\"]", listed, threshold_, word);
        case listing::json_details:
            break;
        }
        return fmt::format("{{\n  \"backend\": \"{}\"\n}},\n", backend_.name());
    }
    std::string_view kind() const noexcept override { return "saintmode"; }

    /// The object a fetch is for; empty on the client's side.
    static std::string key_of(vcl::host& task) {
        const vcl::blob* hash = task.get(tables::vcl_variable::bereq_hash).blob;
        return hash == nullptr ? std::string()
                               : std::string(reinterpret_cast<const char*>(hash->bytes.data()), hash->bytes.size());
    }

  private:
    struct entry {
        std::string key;
        base::seconds until;
    };
    bool is_listed(const std::string& key) {
        std::lock_guard hold(mutex_);
        return std::any_of(listed_.begin(), listed_.end(), [&](const entry& e) { return e.key == key; });
    }

    vcl::director& backend_;
    const std::int64_t threshold_;
    vcl::environment& surroundings_;
    std::mutex mutex_;
    std::vector<entry> listed_; // guarded by mutex_
};

/// Of one loaded VCL. Filled in vcl_init; the saints live as long.
struct all_saints final : vcl::module_object {
    std::vector<saint*> all;
};

bool event(vcl::event_call& e) {
    if (e.event == vcl::module_event::load) {
        e.state = std::make_unique<all_saints>();
    }
    return true;
}

std::vector<saint*>& saints(const vcl::call& c) noexcept {
    return static_cast<all_saints&>(*c.module_state()).all;
}

// saintmode(BACKEND backend, INT threshold)
std::unique_ptr<vcl::module_object> new_saintmode(vcl::call& c, std::string_view name, arguments args) {
    if (args[0].backend == nullptr) {
        c.fail(fmt::format("saintmode: {} has no backend", name));
        return nullptr;
    }
    auto made = std::make_unique<saint>(name, *args[0].backend, args[1].integer, *c.surroundings());
    saints(c).push_back(made.get());
    return made;
}

// blacklist(DURATION expires)
vcl::value blacklist(vcl::call& c, arguments args) {
    vcl::director* const used = c.task().get(tables::vcl_variable::beresp_backend).backend;
    bool found = false;
    for (saint* s : saints(c)) {
        if (used != nullptr && &s->backend() == used) {
            s->list_object(saint::key_of(c.task()), c.task().now() + args[0].real);
            found = true;
        }
    }
    if (!found) {
        c.task().log().write(log_tag::VCL_Error,
                             "saintmode.blacklist(): the backend of this response has no saintmode");
    }
    return no_value();
}

// status()
vcl::value status(vcl::call& c, arguments) {
    std::string out;
    for (saint* s : saints(c)) {
        out += fmt::format("{}{{ \"name\": \"{}\", \"backend\": \"{}\", \"count\": \"{}\", \"threshold\": \"{}\" }}",
                           out.empty() ? "" : ",\n\t\t", s->name(), s->backend().name(), s->count(c.task().now()),
                           s->threshold());
    }
    return workspace_text(c, "{\n\t\"saintmode\": [\n\t\t" + out + "\n\t]\n}\n");
}

vcl::value backend(vcl::call& c, arguments) {
    return vcl::value::of(static_cast<vcl::director*>(&c.self<saint>()));
}

vcl::value blacklist_count(vcl::call& c, arguments) {
    return vcl::value::of_integer(c.self<saint>().count(c.task().now()));
}

vcl::value is_healthy(vcl::call& c, arguments) {
    return vcl::value::of(c.self<saint>().effective_state(&c.task()).healthy);
}

constexpr vcl::function_row functions[] = {
    {"VOID blacklist(PRIV_VCL, DURATION expires)", blacklist, {vcl::sub_id::backend_response}},
    {"STRING status(PRIV_VCL)", status},
};

constexpr vcl::function_row saintmode_methods[] = {
    {"BACKEND backend()", backend},
    {"INT blacklist_count()", blacklist_count},
    {"BOOL is_healthy()", is_healthy},
};

constexpr vcl::object_row objects[] = {
    {"saintmode(PRIV_VCL, BACKEND backend, INT threshold)", new_saintmode, saintmode_methods}};

} // namespace

const vcl::module_row saintmode_module{"saintmode", "backends that are sick for some objects", functions, objects,
                                       event};

} // namespace clearcoat::vmod
