#include "vcl/vm/init_host.hpp"

#include "tables/log_tags.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/vm/param_variables.hpp"

namespace clearcoat::vcl {

std::span<char> init_log::begin(log_tag tag) noexcept {
    tag_ = tag;
    return room_;
}

void init_log::end(std::size_t size) noexcept {
    environment_->log_record(tag_, {room_, size});
}

value init_host::get(tables::vcl_variable variable) noexcept {
    switch (variable) {
    case tables::vcl_variable::now:
        return value::of_real(now_);
    case tables::vcl_variable::server_hostname:
        return value::of(environment_->hostname());
    case tables::vcl_variable::server_identity:
        return value::of(environment_->identity());
    default:
        break;
    }
    value out;
    if (const tables::param_block* params = environment_->params()) {
        read_param(variable, *params, out);
    }
    return out;
}

void init_host::end_task() noexcept {
    for (const auto& [key, data] : private_) {
        if (data != nullptr) {
            data->task_ends(*this);
        }
    }
    private_.clear();
}

std::optional<std::string> init_host::ban(std::string_view) noexcept {
    return "no bans while a VCL is loaded or discarded";
}

void init_host::fail(std::string_view reason) noexcept {
    if (failed_) {
        return;
    }
    failed_ = true;
    if (tells_cli_) {
        failures_.append(reason).append("\n");
    } else {
        log_.write(log_tag::VCL_Error, reason);
    }
}

} // namespace clearcoat::vcl
