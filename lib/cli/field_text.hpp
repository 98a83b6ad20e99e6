// A flat text of counted fields, for what manager and worker tell each other: every value is "<bytes>:<value>\n", in an
// order both sides know. Internal to cli/.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/core.h>

namespace clearcoat::cli {

class field_writer {
  public:
    void field(const std::string& value) { text_ += fmt::format("{}:{}\n", value.size(), value); }
    template<class T>
    requires std::is_arithmetic_v<T>
    void field(T value) { field(fmt::format("{}", static_cast<std::int64_t>(value))); }
    template<class T, class F>
    void list(const std::vector<T>& items, F each) {
        field(items.size());
        for (const T& item : items) {
            each(item);
        }
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

/// Every read of a malformed text gives an empty value, and ok() is false from then on.
class field_reader {
  public:
    explicit field_reader(std::string_view text) noexcept : rest_(text) {}

    void field(std::string& value) { value = next(); }
    template<class T>
    requires std::is_arithmetic_v<T>
    void field(T& value) {
        const std::string_view text = next();
        std::int64_t number = 0;
        const auto got = std::from_chars(text.data(), text.data() + text.size(), number);
        ok_ = ok_ && got.ec == std::errc() && got.ptr == text.data() + text.size();
        value = static_cast<T>(number);
    }
    template<class T, class F>
    void list(std::vector<T>& items, F each) {
        std::size_t count = 0;
        field(count);
        // No item is shorter than its count's own text, so a wild number ends here.
        ok_ = ok_ && count <= rest_.size();
        for (std::size_t i = 0; ok_ && i < count; ++i) {
            each(items.emplace_back());
        }
    }
    bool ok() const noexcept { return ok_; }
    bool at_end() const noexcept { return rest_.empty(); }

  private:
    std::string_view next() {
        std::size_t size = 0;
        const auto got = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
        const auto digits = static_cast<std::size_t>(got.ptr - rest_.data());
        if (!ok_ || got.ec != std::errc() || rest_.size() - digits < 2 || rest_[digits] != ':' ||
            size > rest_.size() - digits - 2 || rest_[digits + 1 + size] != '\n') {
            ok_ = false;
            return {};
        }
        const std::string_view value = rest_.substr(digits + 1, size);
        rest_.remove_prefix(digits + size + 2);
        return value;
    }

    std::string_view rest_;
    bool ok_ = true;
};

} // namespace clearcoat::cli
