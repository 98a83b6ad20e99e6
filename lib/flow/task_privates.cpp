#include "flow/task_privates.hpp"

namespace clearcoat::flow {

void private_table::end(vcl::host& task) noexcept {
    for (auto& [owner, data] : rows_) { // whoever ends may ask for data once more, so rows may be added meanwhile
        if (data != nullptr) {
            data->task_ends(task);
        }
    }
    rows_.clear();
}

} // namespace clearcoat::flow
