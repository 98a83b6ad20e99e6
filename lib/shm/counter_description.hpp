// What the readers need to know of a counter set: names, meaning and place of each value, as the JSON that
// libvarnishapi parses out of segments of class "StatDoc".
#pragma once

#include "shm/segment_directory.hpp"
#include "tables/counters.hpp"

#include <cstdint>
#include <string>

namespace clearcoat::shm {

/// What segments of counters and of descriptions begin with.
struct counter_head {
    int ready; // 0: being made, 1: visible, 2: hidden
    int padding;
    std::uint64_t body_offset; // bytes from this head to the values or the text
    std::uint64_t description; // the number that ties values to their description
};
static_assert(sizeof(counter_head) == 24);

/// The same in every process, and different for each set.
std::uint64_t description_number(const tables::counter_set& set) noexcept;

std::string description_json(const tables::counter_set& set);

/// An unpublished segment with the description.
segment make_description(segment_directory& directory, const tables::counter_set& set);

} // namespace clearcoat::shm
