#include "flow/send_filters.hpp"

#include "body/gunzip_stage.hpp"
#include "flow/module_filter.hpp"
#include "http/tokens.hpp"
#include "vcl/vm/host.hpp"
#include "vcl/vm/instance.hpp"

#include <fmt/core.h>

namespace clearcoat::flow {

bool send_filters::build(std::string_view list, http::head& bereq, base::arena& memory, vcl::host& task) {
    constexpr std::size_t joint_size = 4096;
    stages_.clear();
    pipeline_.reset();
    for (std::string_view rest = list;;) {
        const std::string_view name = http::next_element(rest, " \t\r\n");
        if (name.data() == nullptr) {
            break;
        }
        if (!add(name, bereq, task)) {
            error_ = fmt::format("Failure to push {}", name);
            return false;
        }
    }
    if (stages_.empty()) {
        return true;
    }
    pipeline_.emplace();
    for (const auto& stage : stages_) {
        if (!pipeline_->append(*stage, memory, joint_size)) {
            error_ = "Workspace overflow";
            return false;
        }
    }
    bereq.unset(http::field_id::content_length);
    return true;
}

bool send_filters::add(std::string_view name, http::head& bereq, vcl::host& task) {
    if (name == "gunzip") {
        return add_gunzip(bereq);
    }
    const vcl::filter_row* row = task.program().filter(name);
    if (row == nullptr || !row->for_delivery) {
        return false;
    }
    auto made = row->make(task);
    if (made == nullptr) {
        return false;
    }
    stages_.push_back(std::make_unique<module_filter>(*row, std::move(made)));
    return true;
}

bool send_filters::add_gunzip(http::head& bereq) {
    was_gzip_ = was_gzip_ || bereq.is(http::field_id::content_encoding, "gzip");
    if (!was_gzip_) {
        return true;
    }
    auto stage = body::gunzip_stage::create();
    if (stage == nullptr) {
        return false;
    }
    stages_.push_back(std::move(stage));
    bereq.unset(http::field_id::content_encoding);
    return true;
}

} // namespace clearcoat::flow
