// A log record as readers see it: a view of the words where it lies, in the ring or in a file. Nothing is checked here;
// sources hand out whole records only. Valid as long as the memory behind it.
#pragma once

#include "shm/record_layout.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::logread {

/// A transaction number as records carry it.
using vxid_value = std::uint64_t;

class record {
  public:
    explicit record(const std::uint32_t* words) noexcept : words_(words) {}

    log_tag tag() const noexcept { return shm::layout::tag_of(words_); }
    vxid_value vxid() const noexcept { return shm::layout::vxid_of(words_); }
    shm::vxid_kind kind() const noexcept { return shm::layout::kind_of(words_); }
    bool client() const noexcept { return kind() == shm::vxid_kind::client; }
    bool backend() const noexcept { return kind() == shm::vxid_kind::backend; }
    shm::record_width width() const noexcept {
        return shm::layout::is_wide(*words_) ? shm::record_width::wide : shm::record_width::narrow;
    }
    /// All bytes, the closing NUL included where there is one.
    std::string_view bytes() const noexcept { return {shm::layout::data_of(words_), shm::layout::length_of(words_)}; }
    /// All bytes but the last, which is the NUL of texts.
    std::string_view text() const noexcept { return shm::layout::text_of(words_); }
    const std::uint32_t* words() const noexcept { return words_; }
    std::uint32_t size() const noexcept { return shm::layout::size_of(*words_); }

  private:
    const std::uint32_t* words_;
};

/// The words of the record that `words` begins with; 0 when they do not hold it whole.
inline std::size_t whole_record(std::span<const std::uint32_t> words) noexcept {
    if (words.empty()) {
        return 0;
    }
    const std::size_t size = record(words.data()).size();
    return size <= words.size() ? size : 0;
}

/// Whether it holds whole records and nothing else.
inline bool whole_records(std::span<const std::uint32_t> words) noexcept {
    while (!words.empty()) {
        const std::size_t size = whole_record(words);
        if (size == 0) {
            return false;
        }
        words = words.subspan(size);
    }
    return true;
}

/// The records in a run of words that holds whole records and nothing else.
class record_range {
  public:
    record_range() = default;
    explicit record_range(std::span<const std::uint32_t> words) noexcept : words_(words) {}

    class iterator {
      public:
        explicit iterator(const std::uint32_t* at) noexcept : at_(at) {}
        record operator*() const noexcept { return record(at_); }
        iterator& operator++() noexcept {
            at_ += record(at_).size();
            return *this;
        }
        bool operator!=(const iterator& other) const noexcept { return at_ != other.at_; }

      private:
        const std::uint32_t* at_;
    };
    iterator begin() const noexcept { return iterator(words_.data()); }
    iterator end() const noexcept { return iterator(words_.data() + words_.size()); }
    std::span<const std::uint32_t> words() const noexcept { return words_; }

  private:
    std::span<const std::uint32_t> words_;
};

} // namespace clearcoat::logread
