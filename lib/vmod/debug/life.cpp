// What module debug does to the life of a VCL that imports it: refuses to load or to be warm when a parameter is 42,
// keeps the VCL, and listens to the cache.
#include "vmod/debug/functions.hpp"

#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/instance.hpp"
#include "vmod/support/helper_threads.hpp"

#include <chrono>
#include <mutex>
#include <thread>

#include <fmt/core.h>

namespace clearcoat::vmod::debug {

namespace {

constexpr unsigned not_the_answer = 42;

/// In backend.list while the VCL is warm.
class warm_director final : public vcl::director {
  public:
    explicit warm_director(vcl::environment& surroundings) : director("dir_warmcold"), surroundings_(surroundings) {
        surroundings_.add_director(*this);
    }
    ~warm_director() override { surroundings_.remove_director(*this); }
    health state(vcl::host*) noexcept override { return {}; }
    vcl::director* resolve(vcl::host&) noexcept override { return nullptr; }
    bool probed() const noexcept override { return false; }
    std::string list(listing form) override { return form == listing::json ? "[0, 0, \"healthy\"]" : "0/0\thealthy"; }
    std::string_view kind() const noexcept override { return "debug.dummy"; }

  private:
    vcl::environment& surroundings_;
};

/// For one loaded VCL. The control thread changes it in events; functions run on any loop.
class vcl_life final : public vcl::module_object, public vcl::object_listener {
  public:
    explicit vcl_life(vcl::environment& surroundings) noexcept : surroundings_(surroundings) {}
    ~vcl_life() override {
        if (listens_) {
            surroundings_.unlisten(*this);
            surroundings_.log_record(log_tag::Debug, "Unsubscribed from Object Events");
        }
    }

    bool warm(const std::string& name, std::string& error);
    void cold();
    void listen();

    void prevent_cold(const std::string& name) {
        const std::lock_guard lock(mutex_);
        warm_hold_ = surroundings_.cold_holds().add(fmt::format("vmod-debug ref on {}", name));
    }
    void allow_cold() {
        const std::lock_guard lock(mutex_);
        warm_hold_.drop();
    }
    void delay_discard(base::seconds delay) {
        const std::lock_guard lock(mutex_);
        delay_ = delay;
    }
    void make_backend(bool when_cold) {
        const std::lock_guard lock(mutex_);
        (when_cold ? cold_backend_ : cooling_backend_) = true;
    }

    void object_stored(const void* object) noexcept override { tell("insert", object); }
    void object_removed(const void* object) noexcept override { tell("expire", object); }

  private:
    void tell(const char* what, const void* object) noexcept {
        surroundings_.log_record(log_tag::Debug, fmt::format("Object Event: {} {}", what, object));
    }

    vcl::environment& surroundings_;
    std::mutex mutex_; // guards the rest
    vcl::hold_list::token hold_;
    vcl::hold_list::token warm_hold_;
    std::unique_ptr<warm_director> director_;
    base::seconds delay_ = 0;
    bool cold_backend_ = false;
    bool cooling_backend_ = false;
    bool listens_ = false;
};

bool vcl_life::warm(const std::string& name, std::string& error) {
    surroundings_.log_record(log_tag::Debug, fmt::format("{}: VCL_EVENT_WARM", name));
    const tables::param_block* params = surroundings_.params();
    if (params != nullptr && params->max_esi_depth() == not_the_answer) {
        error = "max_esi_depth is not the answer.";
        return false;
    }
    const std::lock_guard lock(mutex_);
    if (!cold_backend_) {
        hold_ = surroundings_.discard_holds().add(fmt::format("vmod-debug ref on {}", name));
    }
    director_ = std::make_unique<warm_director>(surroundings_);
    return true;
}

void let_go_later(vcl::hold_list::token hold, base::seconds delay) {
    auto kept = std::make_shared<vcl::hold_list::token>(std::move(hold));
    blocking_lane().run([kept, delay] {
        std::this_thread::sleep_for(std::chrono::duration<double>(delay));
        kept->drop();
    });
}

void vcl_life::cold() {
    const std::lock_guard lock(mutex_);
    director_.reset();
    if (cold_backend_ || cooling_backend_) {
        vcl::backend_spec spec;
        spec.name = "doomed";
        spec.path = "/";
        surroundings_.add_backend(spec);
    }
    if (delay_ > 0) {
        let_go_later(std::move(hold_), delay_);
    } else {
        hold_.drop();
    }
}

void vcl_life::listen() {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(listens_, true)) {
        surroundings_.listen(*this);
    }
    surroundings_.log_record(log_tag::Debug, "Subscribed to Object Events");
}

vcl_life& life_of(const vcl::call& c) noexcept {
    return static_cast<vcl_life&>(*c.module_state());
}

} // namespace

bool event(vcl::event_call& e) {
    auto* life = static_cast<vcl_life*>(e.state.get());
    switch (e.event) {
    case vcl::module_event::load:
        if (e.surroundings.params() != nullptr && e.surroundings.params()->nuke_limit() == not_the_answer) {
            e.error = "nuke_limit is not the answer.";
            return false;
        }
        e.state = std::make_unique<vcl_life>(e.surroundings);
        return true;
    case vcl::module_event::warm:
        return life->warm(e.program->name(), e.error);
    case vcl::module_event::cold:
        e.surroundings.log_record(log_tag::Debug, fmt::format("{}: VCL_EVENT_COLD", e.program->name()));
        life->cold();
        return true;
    case vcl::module_event::discard:
        break;
    }
    return true;
}

vcl::value register_obj_events(vcl::call& c, arguments) {
    life_of(c).listen();
    return no_value();
}

vcl::value vcl_prevent_cold(vcl::call& c, arguments) {
    life_of(c).prevent_cold(c.program()->name());
    return no_value();
}

vcl::value vcl_allow_cold(vcl::call& c, arguments) {
    life_of(c).allow_cold();
    return no_value();
}

// vcl_discard_delay(DURATION)
vcl::value vcl_discard_delay(vcl::call& c, arguments args) {
    life_of(c).delay_discard(args[0].real);
    return no_value();
}

vcl::value cold_backend(vcl::call& c, arguments) {
    life_of(c).make_backend(true);
    return no_value();
}

vcl::value cooling_backend(vcl::call& c, arguments) {
    life_of(c).make_backend(false);
    return no_value();
}

// catflap(ENUM type)
vcl::value catflap(vcl::call& c, arguments args) {
    const std::string_view which = args[0].string();
    c.task().choose_object(which == "first"  ? vcl::lookup_choice::newest
                           : which == "last" ? vcl::lookup_choice::oldest
                                             : vcl::lookup_choice::miss);
    return no_value();
}

} // namespace clearcoat::vmod::debug
