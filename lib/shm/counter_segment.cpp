#include "shm/counter_segment.hpp"

#include "shm/counter_description.hpp"

#include <atomic>
#include <string>
#include <utility>

namespace clearcoat::shm {
namespace {

void set_ready(const segment& memory, int value) noexcept {
    auto* head = reinterpret_cast<counter_head*>(memory.bytes().data());
    std::atomic_ref<int>(head->ready).store(value, std::memory_order_release);
}

std::string ident_of(const tables::counter_set& set, std::string_view name) {
    std::string ident(set.prefix);
    if (!name.empty()) {
        ident += '.';
        ident += name;
    }
    return ident;
}

} // namespace

counter_memory::counter_memory(segment_directory& directory, const tables::counter_set& set, std::string_view name)
    : directory_(&directory), set_(&set) {
    std::uint64_t number = directory.describe(set);
    try {
        memory_ = directory.create("Stat", ident_of(set, name),
                                   sizeof(counter_head) + set.fields.size() * sizeof(std::uint64_t));
        auto* head = reinterpret_cast<counter_head*>(memory_.bytes().data());
        head->body_offset = sizeof(counter_head);
        head->description = number;
        set_ready(memory_, 1);
        memory_.publish();
    } catch (...) {
        directory.forget(set);
        throw;
    }
    body_ = memory_.bytes().data() + sizeof(counter_head);
}

counter_memory::counter_memory(counter_memory&& other) noexcept {
    *this = std::move(other);
}

counter_memory& counter_memory::operator=(counter_memory&& other) noexcept {
    if (this != &other) {
        reset();
        directory_ = std::exchange(other.directory_, nullptr);
        set_ = other.set_;
        memory_ = std::move(other.memory_);
        body_ = std::exchange(other.body_, nullptr);
    }
    return *this;
}

void counter_memory::hide() noexcept {
    if (body_ != nullptr) {
        set_ready(memory_, 2);
    }
}

void counter_memory::reveal() noexcept {
    if (body_ != nullptr) {
        set_ready(memory_, 1);
    }
}

void counter_memory::reset() noexcept {
    if (directory_ != nullptr) {
        memory_.reset();
        std::exchange(directory_, nullptr)->forget(*set_);
        body_ = nullptr;
    }
}

} // namespace clearcoat::shm
