// A log that keeps its records, for tests that look at them.
#pragma once

#include "base/log.hpp"
#include "tables/log_tags.hpp"

#include <array>
#include <string>
#include <vector>

namespace clearcoat::test {

class scripted_log : public base::log_writer {
  public:
    struct record {
        log_tag tag;
        std::string text;
        friend bool operator==(const record&, const record&) = default;
    };
    std::vector<record> records;
    bool traced = true; // VCL_trace is wanted

    bool wants(log_tag tag) const noexcept override { return traced || tag != log_tag::VCL_trace; }
    void write(log_tag tag, std::string_view text) noexcept override { records.push_back({tag, std::string(text)}); }
    std::span<char> begin(log_tag tag) noexcept override {
        tag_ = tag;
        return room_;
    }
    void end(std::size_t size) noexcept override { write(tag_, std::string_view(room_.data(), size)); }
    void flush() noexcept override {}

    /// The text of the last record of that tag; empty when there is none.
    std::string last(log_tag tag) const {
        for (auto it = records.rbegin(); it != records.rend(); ++it) {
            if (it->tag == tag) {
                return it->text;
            }
        }
        return {};
    }

  private:
    log_tag tag_ = log_tag::bogus;
    std::array<char, 4096> room_{};
};

} // namespace clearcoat::test
