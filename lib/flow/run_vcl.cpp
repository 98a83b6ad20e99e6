#include "flow/run_vcl.hpp"

#include "flow/task_host.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"

namespace clearcoat::flow {

namespace {

vcl::outcome conclude(vcl::outcome result, task_host& host, tables::main_counters& counters) noexcept {
    if (result.what == vcl::outcome::state::pending) {
        return result;
    }
    host.leaving(result);
    host.log().write(log_tag::VCL_return, vcl::name_of(result.result));
    if (result.result == vcl::action::fail) {
        ++counters.vcl_fail;
    }
    return result;
}

} // namespace

vcl::outcome vcl_run::start(vcl::sub_id which, task_host& host, tables::main_counters& counters) noexcept {
    host.enter(which, host.times().previous());
    host.log().write(log_tag::VCL_call, vcl::upper_name_of(which));
    machine_.start(host.program(), which, host);
    return conclude(machine_.run(), host, counters);
}

vcl::outcome vcl_run::resume(task_host& host, tables::main_counters& counters) noexcept {
    return conclude(machine_.run(), host, counters);
}

} // namespace clearcoat::flow
