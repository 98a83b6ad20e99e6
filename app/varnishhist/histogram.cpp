#include "histogram.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

namespace clearcoat::varnishhist {
namespace {

constexpr std::size_t most_values = 2000;
constexpr int buckets_a_power = 100;

std::string_view text_of(logread::record r) noexcept {
    const std::string_view bytes = r.bytes();
    return bytes.substr(0, bytes.find('\0'));
}

/// The n-th word and what follows it.
std::string_view from_word(std::string_view text, int wanted) noexcept {
    const auto skip = [&text](bool blanks) {
        while (!text.empty() && base::is_space(text.front()) == blanks) {
            text.remove_prefix(1);
        }
    };
    skip(true);
    for (int word = 1; word < wanted; ++word) {
        skip(false);
        skip(true);
    }
    return text;
}

} // namespace

histogram::histogram(const profile& p)
    : profile_(p), buckets_(static_cast<std::size_t>(p.high - p.low) * buckets_a_power) {}

std::optional<double> histogram::value_of(std::string_view text) const {
    const std::string word(from_word(text, profile_.field));
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    return end == word.c_str() ? std::nullopt : std::optional(number);
}

/// False when the transaction has no value to show.
bool histogram::read(const logread::transaction& t, double& number, bool& hit, double& time) const {
    bool found = false;
    for (const logread::record r : t.records) {
        if (tables::kind_of(r.tag()) != tables::log_tag_kind::plain) {
            continue;
        }
        const std::string_view text = text_of(r);
        if (r.tag() == log_tag::Hit) {
            hit = true;
        } else if (r.tag() == log_tag::VCL_return &&
                   (base::equal_nocase(text, "restart") || base::equal_nocase(text, "retry"))) {
            return false;
        } else if (r.tag() == log_tag::Timestamp) {
            time = std::strtod(std::string(from_word(text, 2)).c_str(), nullptr);
        }
        if (r.tag() == profile_.tag && text.starts_with(profile_.prefix)) {
            if (const std::optional<double> parsed = value_of(text)) {
                number = *parsed;
                found = true;
            }
        }
    }
    return found && number > 0;
}

void histogram::add(logread::group g) {
    for (const logread::transaction& t : g) {
        double number = 0;
        double time = 0;
        bool hit = false;
        if (t.reason == logread::transaction_reason::esi || !read(t, number, hit, time)) {
            continue;
        }
        latest_ = std::max(latest_, time);
        const double place = std::round(buckets_a_power * std::log10(number)) - profile_.low * buckets_a_power;
        const auto bucket = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(buckets_.size() - 1)));
        const value now{bucket, hit};
        if (last_.size() < most_values) {
            last_.push_back(now);
        } else {
            const value gone = std::exchange(last_[oldest_], now);
            --(gone.hit ? buckets_[gone.bucket].hits : buckets_[gone.bucket].misses);
            oldest_ = (oldest_ + 1) % most_values;
        }
        ++(hit ? buckets_[bucket].hits : buckets_[bucket].misses);
    }
}

std::vector<histogram::column> histogram::columns(std::size_t count) const {
    std::vector<column> made(count);
    for (std::size_t i = 0; count > 0 && i < buckets_.size(); ++i) {
        column& c = made[i * count / buckets_.size()];
        c.misses += buckets_[i].misses;
        c.hits += buckets_[i].hits;
    }
    return made;
}

} // namespace clearcoat::varnishhist
