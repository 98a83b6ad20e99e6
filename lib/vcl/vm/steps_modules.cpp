// Calls of modules, and the properties of backends and storages.
#include "vcl/vm/steps.hpp"

namespace clearcoat::vcl {

vcl::call::place steps::place_of(machine& m, const native_site& site, std::uint32_t number) noexcept {
    const instance::state& state = m.code_->inside();
    vcl::call::place p;
    p.program = m.code_;
    p.surroundings = state.surroundings;
    p.module_state = state.module_states[site.module].get();
    p.where = m.which_;
    p.version = site.version;
    p.site = number;
    p.running = &m;
    return p;
}

module_object* steps::object_of(machine& m, const native_site& site) noexcept {
    if (site.object < 0) {
        return nullptr;
    }
    auto index = static_cast<std::size_t>(site.object);
    module_object* object = m.code_->inside().objects[index].get();
    if (object == nullptr) {
        char text[200];
        auto end = fmt::format_to_n(text, sizeof text, "Object {} not initialized", m.image_->objects[index].name);
        fail(m, {text, std::min(end.size, sizeof text)});
    }
    return object;
}

void steps::native(machine& m, const instruction& i) noexcept {
    const native_site& site = m.image_->natives[i.d];
    module_object* self = object_of(m, site);
    if (m.stopped_) {
        return;
    }
    vcl::call::place where = place_of(m, site, i.d);
    vcl::call c(*m.task_, where, self, site.given);
    value result = site.function->native(c, {m.registers_ + i.b, i.c});
    if (m.task_->failed()) {
        return m.end(action::fail);
    }
    if (c.pending()) {
        m.next_ = &i;
        m.end_.what = outcome::state::pending;
        m.stopped_ = true;
        return;
    }
    at(m, i.a) = result;
    if (c.runs_afterwards() != nullptr) {
        call_dynamically(m, c.runs_afterwards());
    }
}

void steps::construct(machine& m, const instruction& i) noexcept {
    const native_site& site = m.image_->natives[i.d];
    auto index = static_cast<std::size_t>(site.object);
    const instance::state& state = m.code_->inside();
    vcl::call::place where = place_of(m, site, i.d);
    vcl::call c(*m.task_, where, nullptr, site.given);
    state.objects[index] = site.made_by->native(c, m.image_->objects[index].name, {m.registers_ + i.b, i.c});
    if (state.objects[index] != nullptr) {
        state.made.push_back(static_cast<std::uint32_t>(index));
    }
    check(m);
}

void steps::resolve(machine& m, const instruction& i) noexcept {
    director* d = at(m, i.b).backend;
    at(m, i.a) = value::of(d == nullptr ? nullptr : d->resolve(*m.task_));
}

void steps::free_space(machine& m, const instruction& i) noexcept {
    const storage_handle* s = at(m, i.b).storage;
    at(m, i.a) = value::of_integer(s == nullptr ? 0 : static_cast<std::int64_t>(s->free_space()));
}

void steps::used_space(machine& m, const instruction& i) noexcept {
    const storage_handle* s = at(m, i.b).storage;
    at(m, i.a) = value::of_integer(s == nullptr ? 0 : static_cast<std::int64_t>(s->used_space()));
}

void steps::happy(machine& m, const instruction& i) noexcept {
    const storage_handle* s = at(m, i.b).storage;
    at(m, i.a) = value::of(s != nullptr && s->happy());
}

} // namespace clearcoat::vcl
