// Jumps, calls, ends, and the values everything starts from.
#include "tables/log_tags.hpp"
#include "vcl/vm/steps.hpp"

#include <algorithm>

namespace clearcoat::vcl {

void steps::fail(machine& m, std::string_view reason) noexcept {
    m.task_->fail(reason);
    m.end(action::fail);
}

void steps::jump(machine& m, const instruction& i) noexcept {
    m.next_ = m.begin_ + i.d;
}

void steps::jump_false(machine& m, const instruction& i) noexcept {
    if (!at(m, i.a).boolean) {
        m.next_ = m.begin_ + i.d;
    }
}

void steps::jump_true(machine& m, const instruction& i) noexcept {
    if (at(m, i.a).boolean) {
        m.next_ = m.begin_ + i.d;
    }
}

void steps::call(machine& m, const instruction& i) noexcept {
    m.enter(m.image_->subs[i.d], m.registers_ + i.a);
}

machine::call_verdict machine::may_call(const subroutine& sub) const noexcept {
    // A module may have kept it from another VCL, which may be gone: only its address can be trusted.
    if (std::none_of(image_->subs.begin(), image_->subs.end(), [&sub](const subroutine& s) { return &s == &sub; })) {
        return call_verdict::foreign;
    }
    if ((sub.allowed >> static_cast<unsigned>(which_) & 1U) == 0) {
        return call_verdict::wrong_place;
    }
    for (std::uint32_t f = 0; f < depth_; ++f) {
        if (frames_[f].sub == &sub) {
            return call_verdict::recursive;
        }
    }
    return call_verdict::good;
}

void steps::call_dynamically(machine& m, const subroutine* sub) noexcept {
    if (sub == nullptr) {
        return fail(m, "Tried to call NULL SUB");
    }
    const machine::call_verdict verdict = m.may_call(*sub);
    if (verdict == machine::call_verdict::foreign) {
        // DIFFERS: the reference's worker panics.
        return fail(m, "Call to a subroutine of another VCL");
    }
    if (verdict != machine::call_verdict::good) {
        const char* format = verdict == machine::call_verdict::recursive
                                 ? "Recursive call to \"sub {}{{}}\""
                                 : "call to \"sub {}{{}}\" not allowed from here";
        char text[200];
        const auto end = fmt::format_to_n(text, sizeof text, fmt::runtime(format), sub->name);
        return fail(m, {text, std::min(end.size, sizeof text)});
    }
    if (value* registers = m.more_registers(sub->registers + 1)) {
        m.enter(*sub, registers);
    }
}

void steps::call_value(machine& m, const instruction& i) noexcept {
    call_dynamically(m, at(m, i.a).sub);
}

void steps::leave(machine& m, const instruction&) noexcept {
    const machine::frame& f = m.frames_[--m.depth_];
    if (m.depth_ == 0) {
        return m.end(action::none);
    }
    m.next_ = f.back;
    m.registers_ = f.registers;
}

bool steps::checked_status(machine& m, std::int64_t status) noexcept {
    std::string_view name = m.which_ >= sub_id::backend_fetch ? "error" : "synth";
    std::string_view problem = status < 0            ? "is negative"
                               : status > 65535      ? "> 65535"
                               : status % 1000 < 100 ? "(..0##)"
                                                     : "";
    if (problem.empty()) {
        m.end_.status = static_cast<std::uint16_t>(status);
        return true;
    }
    char text[100];
    auto end = fmt::format_to_n(text, sizeof text, "{}return({}()) status code ({}) {}",
                                problem.starts_with('(') ? "illegal " : "", name, status, problem);
    fail(m, {text, std::min(end.size, sizeof text)});
    return false;
}

void steps::finish(machine& m, const instruction& i) noexcept {
    auto result = static_cast<action>(i.a);
    std::string_view reason = (i.d & 2) != 0 ? text(m, i.c) : std::string_view();
    if (result == action::fail) {
        return fail(m, reason.data() == nullptr ? "Failed from VCL" : reason);
    }
    if ((i.d & 1) != 0 && result == action::pass) {
        m.end_.duration = at(m, i.b).real;
        m.end_.has_duration = true;
    } else if ((i.d & 1) != 0 && !checked_status(m, at(m, i.b).integer)) {
        return;
    }
    m.end_.reason = reason;
    m.end(result);
}

void steps::finish_label(machine& m, const instruction& i) noexcept {
    m.end_.label = m.image_->constants[i.d].string();
    m.end(action::vcl);
}

void steps::place(machine& m, const instruction& i) noexcept {
    const source_place& p = m.image_->places[i.d - 1];
    m.task_->log().print(log_tag::VCL_trace, "{} {} {}.{}.{}", m.code_->name(), i.d, p.source, p.line, p.column);
}

void steps::load(machine& m, const instruction& i) noexcept {
    at(m, i.a) = m.image_->constants[i.d];
}

void steps::load_backend(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(m.code_->inside().backends[i.d]);
}

void steps::load_default_backend(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(m.code_->inside().default_backend);
}

void steps::load_storage(machine& m, const instruction& i) noexcept {
    at(m, i.a) = value::of(m.code_->inside().storages[i.d]);
}

void steps::get(machine& m, const instruction& i) noexcept {
    at(m, i.a) = m.task_->get(static_cast<tables::vcl_variable>(i.d));
}

void steps::get_header(machine& m, const instruction& i) noexcept {
    const header_ref& h = m.image_->headers[i.d];
    put(m, i.a, m.task_->header(h));
}

void steps::branch_text(machine& m, const instruction& i) noexcept {
    const std::string_view v = m.task_->get(static_cast<tables::vcl_variable>(i.c & branch::variable_mask)).string();
    const bool equal = v.data() != nullptr && v == m.image_->constants[i.b].string();
    const bool result = equal != ((i.c & branch::differs) != 0);
    at(m, i.a) = value::of(result);
    if (result == ((i.c & branch::on_true) != 0)) {
        m.next_ = m.begin_ + i.d;
    }
}

void steps::branch_header(machine& m, const instruction& i) noexcept {
    const bool there = m.task_->header(m.image_->headers[i.b]).data() != nullptr;
    at(m, i.a) = value::of(there);
    if (there == ((i.c & branch::on_true) != 0)) {
        m.next_ = m.begin_ + i.d;
    }
}

void steps::set(machine& m, const instruction& i) noexcept {
    m.task_->set(static_cast<tables::vcl_variable>(i.d), at(m, i.a));
    check(m);
}

void steps::set_header(machine& m, const instruction& i) noexcept {
    const header_ref& h = m.image_->headers[i.d];
    std::string_view v = text(m, i.a);
    m.task_->set_header(h.where, h.name, v.data() == nullptr ? std::string_view("") : v);
    check(m);
}

void steps::unset(machine& m, const instruction& i) noexcept {
    m.task_->unset(static_cast<tables::vcl_variable>(i.d));
    check(m);
}

void steps::unset_header(machine& m, const instruction& i) noexcept {
    const header_ref& h = m.image_->headers[i.d];
    m.task_->unset_header(h.where, h.name);
}

void steps::hash_data(machine& m, const instruction& i) noexcept {
    m.task_->hash_data(text(m, i.a));
}

void steps::synthetic(machine& m, const instruction& i) noexcept {
    std::string_view v = text(m, i.a);
    if ((i.d & 2) != 0) {
        const blob* b = at(m, i.a).blob;
        v = b == nullptr ? std::string_view()
                         : std::string_view(reinterpret_cast<const char*>(b->bytes.data()), b->bytes.size());
    }
    m.task_->synthetic(v, (i.d & 1) != 0);
    check(m);
}

void steps::ban(machine& m, const instruction& i) noexcept {
    std::string_view v = text(m, i.a);
    if (v.data() == nullptr) {
        return m.task_->log().write(log_tag::VCL_Error, "ban(): Null argument");
    }
    if (std::optional<std::string> refusal = m.task_->ban(v)) {
        m.task_->log().print(log_tag::VCL_Error, "ban(): {}", *refusal);
    }
}

} // namespace clearcoat::vcl
