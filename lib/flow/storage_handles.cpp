#include "flow/storage_handles.hpp"

#include "cache/storage/storage_set.hpp"

namespace clearcoat::flow {

class storage_handles::handle final : public vcl::storage_handle {
  public:
    explicit handle(cache::storage& engine) noexcept : engine_(&engine) {}
    const std::string& name() const noexcept override { return engine_->identity(); }
    std::uint64_t free_space() const noexcept override { return engine_->free_space(); }
    std::uint64_t used_space() const noexcept override { return engine_->used_space(); }
    bool happy() const noexcept override { return engine_->happy(); }
    cache::storage* engine() const noexcept { return engine_; }

  private:
    cache::storage* engine_;
};

storage_handles::storage_handles(cache::storage_set& engines) {
    for (std::size_t i = 0; i < engines.size(); ++i) {
        handles_.push_back(std::make_unique<handle>(engines.at(i)));
    }
}

storage_handles::~storage_handles() = default;

const vcl::storage_handle* storage_handles::find(std::string_view name) const noexcept {
    for (const auto& h : handles_) {
        if (h->name() == name) {
            return h.get();
        }
    }
    return nullptr;
}

const vcl::storage_handle* storage_handles::of(const cache::storage& engine) const noexcept {
    return engine.number() < handles_.size() ? handles_[engine.number()].get() : nullptr;
}

cache::storage* storage_handles::engine_of(const vcl::storage_handle* handle_seen) noexcept {
    return handle_seen == nullptr ? nullptr : static_cast<const handle*>(handle_seen)->engine();
}

} // namespace clearcoat::flow
