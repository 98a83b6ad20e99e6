// Where the bytes of a body go that is put together on the way: the next stage, the page around a fragment, or the
// client. Loop thread only.
#pragma once

#include "body/stage.hpp"
#include "net/types.hpp"

#include <cstddef>
#include <span>

namespace clearcoat::server {

class body_sink {
  public:
    /// Takes the next bytes and is done with them when it ends. False: no more is wanted.
    virtual net::task<bool> put(std::span<const std::byte> bytes) = 0;

  protected:
    ~body_sink() = default;
};

/// A body stage in front of another sink.
class stage_sink final : public body_sink {
  public:
    /// `room` is where the stage puts what it makes. All outlive the sink.
    stage_sink(body::stage& stage, std::span<std::byte> room, body_sink& next) noexcept
        : stage_(stage), room_(room), next_(next) {}

    net::task<bool> put(std::span<const std::byte> bytes) override {
        ++count_;
        return push(bytes, false);
    }
    /// Nothing follows: puts what the stage still holds. The sink behind goes on.
    net::task<bool> end() { return push({}, true); }

    /// How often it was given something.
    std::uint64_t count() const noexcept { return count_; }

  private:
    net::task<bool> push(std::span<const std::byte> bytes, bool last) {
        body::stage_state state = body::stage_state::want_room;
        while (state == body::stage_state::want_room) {
            const body::stage_step step = stage_.push(bytes, last, room_);
            bytes = bytes.subspan(step.used);
            state = step.state;
            if (step.made != 0) {
                const bool taken = co_await next_.put(room_.first(step.made));
                if (!taken) {
                    co_return false;
                }
            }
        }
        co_return state != body::stage_state::failed;
    }

    body::stage& stage_;
    std::span<std::byte> room_;
    body_sink& next_;
    std::uint64_t count_ = 0;
};

} // namespace clearcoat::server
