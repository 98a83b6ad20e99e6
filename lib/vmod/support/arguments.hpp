// Small helpers that module functions share: reading arguments, making results, data kept for a task.
#pragma once

#include "vcl/module.hpp"

#include <memory>
#include <string_view>

namespace clearcoat::vmod {

using arguments = std::span<const vcl::value>;

inline vcl::value no_value() noexcept {
    return vcl::value();
}

inline vcl::value text_value(std::string_view text) noexcept {
    return vcl::value::of(text);
}

/// A copy in the task's workspace; undefined on overflow, which marks the workspace.
inline vcl::value workspace_text(const vcl::call& c, std::string_view text) noexcept {
    return vcl::value::of(c.workspace().copy(text));
}

inline bool undefined(const vcl::value& v) noexcept {
    return v.text.data == nullptr;
}

/// The owner's data for this task (or client request), made when it is not there yet.
template<class Data>
Data& task_data(const vcl::call& c, const void* owner, vcl::private_scope scope = vcl::private_scope::task) {
    std::unique_ptr<vcl::task_private>& slot = c.task().private_data(scope, owner);
    if (slot == nullptr) {
        slot = std::make_unique<Data>();
    }
    return static_cast<Data&>(*slot);
}

} // namespace clearcoat::vmod
