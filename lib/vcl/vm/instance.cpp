#include "vcl/vm/instance.hpp"

#include "tables/log_tags.hpp"
#include "vcl/code/image.hpp"
#include "vcl/vm/init_host.hpp"
#include "vcl/vm/instance_state.hpp"
#include "vcl/vm/machine.hpp"

#include <algorithm>

namespace clearcoat::vcl {

namespace {

bool tell_module(const imported_module& m, module_event event, const instance::state& s, const instance* program,
                 std::string& error) {
    if (m.info->event == nullptr) {
        return true;
    }
    std::size_t index = 0;
    const std::vector<imported_module>& modules = s.code->image().modules;
    while (&modules[index] != &m) {
        ++index;
    }
    event_call call{event, *s.surroundings, program, s.module_states[index], error};
    return m.info->event(call);
}

bool load_modules(instance::state& s, std::string& error) {
    const std::vector<imported_module>& modules = s.code->image().modules;
    s.module_states = std::make_unique<std::unique_ptr<module_object>[]>(modules.size());
    for (const imported_module& m : modules) {
        if (!tell_module(m, module_event::load, s, nullptr, error)) {
            return false;
        }
        ++s.modules_loaded;
    }
    return true;
}

void add_backends(instance::state& s) {
    const program_image& image = s.code->image();
    for (const backend_spec& b : image.backends) {
        s.backends.push_back(b.none ? nullptr : &s.surroundings->add_backend(b));
    }
    s.default_backend = s.backends[*image.default_backend];
    for (const std::string& name : image.storages) {
        s.storages.push_back(s.surroundings->storage(name));
    }
    s.object_count = image.objects.size();
    s.objects = std::make_unique<std::unique_ptr<module_object>[]>(s.object_count);
}

/// Runs vcl_init; false and the reason when it failed, or what its task left to modules did.
bool run_init(const instance& code, environment& e, std::string& error) {
    init_host task(code, e, true);
    machine m;
    m.start(code, sub_id::init, task);
    outcome o = m.run();
    task.end_task();
    error += task.failures();
    return o.result != action::fail && !task.failed();
}

/// Runs vcl_fini, which cannot fail: modules need not know where they run, so what they say is only recorded.
void run_fini(const instance& code, environment& e) noexcept {
    init_host task(code, e, false);
    auto tell_failure = [&task] {
        if (task.failed()) {
            task.log().write(log_tag::VCL_Error, "VRT_fail() from vcl_fini{} has no effect");
            task.forget_failure();
        }
    };
    machine m;
    m.start(code, sub_id::fini, task);
    m.run();
    tell_failure();
    task.end_task();
    tell_failure();
}

bool objects_made(const instance::state& s, std::string& error) {
    for (std::size_t i = 0; i < s.object_count; ++i) {
        if (s.objects[i] == nullptr) {
            error += fmt::format("Object {} not initialized\n", s.code->image().objects[i].name);
            return false;
        }
    }
    return true;
}

} // namespace

std::shared_ptr<instance> instance::create(std::string name, std::shared_ptr<const program> code, environment& env,
                                           std::string& error) {
    auto s = std::make_unique<state>();
    s->name = std::move(name);
    s->code = std::move(code);
    s->surroundings = &env;
    std::shared_ptr<instance> made(new instance(std::move(s)));
    state& inside = *made->state_;
    if (!load_modules(inside, error)) {
        return nullptr;
    }
    add_backends(inside);
    inside.init_ran = true;
    if (!run_init(*made, env, error) || !objects_made(inside, error)) {
        return nullptr;
    }
    return made;
}

instance::instance(std::unique_ptr<state> s) : state_(std::move(s)) {}

instance::~instance() {
    std::string ignored;
    if (state_->init_ran) {
        // Also after a failure half way through vcl_init.
        run_fini(*this, *state_->surroundings);
    }
    for (auto index = state_->made.rbegin(); index != state_->made.rend(); ++index) {
        state_->objects[*index].reset();
    }
    const std::vector<imported_module>& modules = state_->code->image().modules;
    for (std::size_t i = state_->modules_loaded; i-- > 0;) {
        tell_module(modules[i], module_event::discard, *state_, this, ignored);
        state_->module_states[i].reset();
    }
}

const std::string& instance::name() const noexcept {
    return state_->name;
}

const vcl::program& instance::code() const noexcept {
    return *state_->code;
}

bool instance::has_own(sub_id which) const noexcept {
    // The builtin VCL's text is in a subroutine of its own, which a VCL may define itself.
    const std::string hook = "vcl_builtin_" + std::string(name_of(which).substr(4));
    const std::deque<subroutine>& subs = state_->code->image().subs;
    return std::any_of(subs.begin(), subs.end(),
                       [&](const subroutine& s) { return s.is_own && (s.name == name_of(which) || s.name == hook); });
}

const filter_row* instance::filter(std::string_view filter_name) const noexcept {
    for (const imported_module& m : state_->code->image().modules) {
        for (const filter_row& row : m.info->filters) {
            if (row.name == filter_name) {
                return &row;
            }
        }
    }
    return nullptr;
}

director* instance::default_backend() const noexcept {
    return state_->default_backend;
}

director* instance::backend(std::string_view backend_name) const noexcept {
    const std::vector<backend_spec>& declared = state_->code->image().backends;
    for (std::size_t i = 0; i < state_->backends.size(); ++i) {
        if (declared[i].name == backend_name) {
            return state_->backends[i];
        }
    }
    return state_->surroundings->find_director(backend_name);
}

std::span<director* const> instance::backends() const noexcept {
    return state_->backends;
}

bool instance::warm(std::string& error) {
    const std::vector<imported_module>& modules = state_->code->image().modules;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        if (!tell_module(modules[i], module_event::warm, *state_, this, error)) {
            while (i-- > 0) {
                std::string ignored;
                tell_module(modules[i], module_event::cold, *state_, this, ignored);
            }
            return false;
        }
    }
    state_->warm = true;
    return true;
}

void instance::cool() noexcept {
    const std::vector<imported_module>& modules = state_->code->image().modules;
    for (auto m = modules.rbegin(); m != modules.rend(); ++m) {
        std::string ignored;
        tell_module(*m, module_event::cold, *state_, this, ignored);
    }
    state_->warm = false;
}

} // namespace clearcoat::vcl
