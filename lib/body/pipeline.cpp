#include "body/pipeline.hpp"

#include <algorithm>
#include <cstring>

namespace clearcoat::body {

bool pipeline::append(stage& s, base::arena& memory, std::size_t buffer_size) noexcept {
    if (count_ == max_stages) {
        return false;
    }
    joint& j = joints_[count_];
    j = joint();
    j.next = &s;
    if (count_ != 0) {
        auto* buffer = static_cast<std::byte*>(memory.allocate(buffer_size, 1));
        if (buffer == nullptr) {
            return false;
        }
        j.buffer = {buffer, buffer_size};
    }
    ++count_;
    return true;
}

/// Pushes into stage `index` what it can take. Its output goes to the next joint's buffer, or out. Whether anything
/// moved.
bool pipeline::run(std::size_t index, std::span<const std::byte>& in, bool last, std::span<std::byte>& out) noexcept {
    joint& j = joints_[index];
    bool is_first = index == 0;
    bool is_final = index + 1 == count_;
    if (j.ended) {
        return false;
    }
    std::span<const std::byte> input =
        is_first ? in : std::span<const std::byte>(j.buffer.subspan(j.begin, j.end - j.begin));
    bool input_ends = is_first ? last : joints_[index - 1].ended;
    joint* behind = is_final ? nullptr : &joints_[index + 1];
    std::span<std::byte> room = is_final ? out : behind->buffer.subspan(behind->end);
    if ((input.empty() && !input_ends && !j.has_backlog) || room.empty()) {
        return false;
    }
    j.count.calls += j.has_backlog ? 0 : 1;
    stage_step step = j.next->push(input, input_ends, room);
    j.count.made += step.made;
    j.has_backlog = step.state == stage_state::want_room;
    j.ended = step.state == stage_state::done;
    if (step.state == stage_state::failed) {
        failed_ = j.next;
    }
    is_first ? void(in = in.subspan(step.used)) : void(j.begin += step.used);
    is_final ? void(out = out.subspan(step.made)) : void(behind->end += step.made);
    if (j.begin == j.end) {
        j.begin = j.end = 0;
    }
    return step.used != 0 || step.made != 0 || j.ended;
}

stage_step pipeline::copy_through(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    std::size_t size = std::min(in.size(), out.size());
    if (size != 0) {
        std::memcpy(out.data(), in.data(), size);
    }
    stage_state state = last ? stage_state::done : stage_state::want_input;
    return {size, size, size < in.size() ? stage_state::want_room : state};
}

stage_step pipeline::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    if (count_ == 0) {
        return copy_through(in, last, out);
    }
    const std::size_t in_size = in.size();
    const std::size_t out_size = out.size();
    bool moved = true;
    while (moved && failed_ == nullptr && !joints_[count_ - 1].ended) {
        moved = false;
        for (std::size_t i = count_; i-- > 0 && failed_ == nullptr;) {
            moved = run(i, in, last, out) || moved;
        }
    }
    stage_step step{in_size - in.size(), out_size - out.size(), stage_state::want_input};
    if (failed_ != nullptr) {
        step.state = stage_state::failed;
    } else if (joints_[count_ - 1].ended) {
        step.state = stage_state::done;
    } else if (out.empty()) {
        step.state = stage_state::want_room;
    }
    return step;
}

std::string_view pipeline::error() const noexcept {
    return failed_ == nullptr ? std::string_view() : failed_->error();
}

} // namespace clearcoat::body
