// Follows a ring as the readers of the log do: a record at a time, batches opened, until the end marker.
#pragma once

#include "shm/record_layout.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clearcoat::test {

struct record {
    log_tag tag;
    base::vxid_number vxid;
    shm::vxid_kind kind;
    std::string text;
};

class ring_reader {
  public:
    explicit ring_reader(std::span<std::byte> memory)
        : head_(reinterpret_cast<shm::layout::head*>(memory.data())),
          log_(reinterpret_cast<std::uint32_t*>(memory.data() + sizeof *head_)), at_(log_),
          number_(head_->segment_number),
          width_(head_->marker[7] == '2' ? shm::record_width::wide : shm::record_width::narrow) {}

    /// The next record, or none when the writer has written no more.
    std::optional<record> next() {
        namespace layout = shm::layout;
        while (true) {
            std::uint32_t word = std::atomic_ref<std::uint32_t>(*at_).load(std::memory_order_acquire);
            if (word == layout::end_marker) {
                return std::nullopt;
            }
            if (word == layout::wrap_marker) {
                at_ = log_;
                number_ += layout::segments - number_ % layout::segments;
                continue;
            }
            std::uint32_t* here = at_;
            at_ += word >> 24 == 255 ? layout::overhead_of(width_) : layout::size_of(word);
            if (word >> 24 == 255) {
                ++batches;
                continue;
            }
            while ((at_ - log_) / head_->segment_words > number_ % layout::segments) {
                ++number_;
            }
            return record{layout::tag_of(here), layout::vxid_of(here), layout::kind_of(here),
                          std::string(layout::text_of(here))};
        }
    }

    /// How many segments the writer is ahead; readers give up at six.
    std::uint32_t distance() const {
        return std::atomic_ref<std::uint32_t>(head_->segment_number).load(std::memory_order_acquire) - number_;
    }

    std::vector<record> all() {
        std::vector<record> records;
        while (auto r = next()) {
            records.push_back(*r);
        }
        return records;
    }

    unsigned batches = 0;

  private:
    shm::layout::head* head_;
    std::uint32_t* log_;
    std::uint32_t* at_;
    std::uint32_t number_;
    shm::record_width width_;
};

} // namespace clearcoat::test
