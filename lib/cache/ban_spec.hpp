// One ban: tests that must all hold for an object to be banned. Parsed from the words of the CLI or the text of
// std.ban(), printed for ban.list, and serialised in a form that does not change (a store may keep it). Immutable once
// made; matched from any thread.
#pragma once

#include "base/regex.hpp"
#include "cache/ban_subject.hpp"
#include "cache/object.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::cache {

enum class ban_field : std::uint8_t { url, req_header, status, obj_header, ttl, age, grace, keep, last_hit };
enum class ban_operator : std::uint8_t { equal, not_equal, match, no_match, greater, greater_equal, less, less_equal };

struct ban_test {
    ban_field field;
    ban_operator op;
    std::string header;                       // of req_header and obj_header
    std::string operand;                      // as given
    double seconds = 0;                       // of durations
    std::shared_ptr<const base::regex> regex; // of match and no_match
};

class ban_spec {
  public:
    /// Parsing results: a spec, or the reference's message.
    struct outcome {
        std::optional<std::vector<ban_test>> tests;
        std::string error;
    };
    /// The words of the CLI's ban command, without the command: FIELD OP ARG [&& FIELD OP ARG]...
    static outcome parse_words(std::span<const std::string_view> words);
    /// The text that VCL's ban() takes: words parted by blanks, without quoting.
    static outcome parse_text(std::string_view text);
    /// A single test from its parts, checked as in the others.
    static outcome parse_test(ban_field field, ban_operator op, std::string_view header, std::string_view operand);

    ban_spec(double time, std::vector<ban_test> tests) : time_(time), tests_(std::move(tests)) {}

    /// When the ban was made (seconds, real): the moment that ttl, age and last_hit tests refer to.
    double time() const noexcept { return time_; }
    const std::vector<ban_test>& tests() const noexcept { return tests_; }
    bool looks_at_request() const noexcept;
    bool looks_at_object() const noexcept;
    /// Whether an equal newer ban makes an older one superfluous: never with ttl, age or last_hit tests, whose meaning
    /// depends on the time.
    bool can_be_duplicate() const noexcept;
    bool same_tests(const ban_spec& other) const noexcept;

    /// Whether all tests hold. `subject` may be nullptr when looks_at_request() is false. Adds the number of tests made
    /// to `tested`.
    bool matches(const object& o, const object_reader& reader, const ban_subject* subject,
                 std::uint64_t& tested) const noexcept;

    /// As ban.list shows it; `quote` escapes operands for JSON.
    std::string text(bool quote = false) const;

    /// Bytes that deserialise() takes back; the layout is described in ban_spec_text.cpp and fixed. Of a completed ban
    /// only the time is kept.
    std::string serialise(bool completed = false) const;
    /// The length of serialise(), without making it.
    std::size_t serialised_size(bool completed = false) const noexcept;
    struct stored;
    /// What serialise() made, at the beginning of `bytes`; nullopt when it is not whole or not valid.
    static std::optional<stored> deserialise(std::string_view bytes);

  private:
    double time_;
    std::vector<ban_test> tests_;
};

struct ban_spec::stored {
    ban_spec spec;
    bool completed;
    std::size_t size; // bytes it took
};

std::string_view name_of(ban_field field) noexcept;
std::string_view name_of(ban_operator op) noexcept;

/// A duration as ban.list prints it: "0s", "250ms", "1.500s", "2h".
std::string render_duration(double seconds);

} // namespace clearcoat::cache
