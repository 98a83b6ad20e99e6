#include "vcl/vm/init_host.hpp"

#include "tables/vcl_variables.hpp"

#include <unistd.h>

namespace clearcoat::vcl {

std::span<char> init_log::begin(log_tag tag) noexcept {
    tag_ = tag;
    return room_;
}

void init_log::end(std::size_t size) noexcept {
    environment_->log_record(tag_, {room_, size});
}

value init_host::get(tables::vcl_variable variable) noexcept {
    if (variable == tables::vcl_variable::now) {
        return value::of_real(now_);
    }
    if (variable != tables::vcl_variable::server_hostname && variable != tables::vcl_variable::server_identity) {
        return {};
    }
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0) {
        return {};
    }
    return value::of(workspace_.copy(name));
}

std::optional<std::string> init_host::ban(std::string_view) noexcept {
    return "no bans while a VCL is loaded or discarded";
}

void init_host::fail(std::string_view reason) noexcept {
    if (!failed_) {
        failures_.append(reason).append("\n");
    }
    failed_ = true;
}

} // namespace clearcoat::vcl
