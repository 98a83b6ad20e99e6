#include "cache/storage/storage_set.hpp"

#include <utility>

namespace clearcoat::cache {

storage_set::storage_set(std::unique_ptr<storage> transient) {
    add(std::move(transient));
}

storage& storage_set::add(std::unique_ptr<storage> engine) {
    engine->set_number(all_.size());
    all_.push_back(std::move(engine));
    return *all_.back();
}

storage& storage_set::next() noexcept {
    if (all_.size() == 1) {
        return transient();
    }
    return *all_[1 + turn_.fetch_add(1, std::memory_order_relaxed) % (all_.size() - 1)];
}

storage* storage_set::find(std::string_view identity) const noexcept {
    for (const auto& s : all_) {
        if (s->identity() == identity) {
            return s.get();
        }
    }
    return nullptr;
}

} // namespace clearcoat::cache
