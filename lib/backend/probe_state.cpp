#include "backend/probe_state.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace clearcoat::backend {

namespace {

struct map_row {
    char letter;
    bool poke_bits::*bit;
    std::string_view title;
    bool always; // shown even when all bits are zero
};

constexpr std::array<map_row, 8> rows = {{{'4', &poke_bits::good_ipv4, "Good IPv4", false},
                                          {'6', &poke_bits::good_ipv6, "Good IPv6", false},
                                          {'U', &poke_bits::good_unix, "Good UNIX", false},
                                          {'x', &poke_bits::err_xmit, "Error Xmit", false},
                                          {'X', &poke_bits::good_xmit, "Good Xmit", false},
                                          {'r', &poke_bits::err_recv, "Error Recv", false},
                                          {'R', &poke_bits::good_recv, "Good Recv", false},
                                          {'H', &poke_bits::happy, "Happy", true}}};
constexpr std::size_t happy_row = 7;
constexpr double average_over = 4; // good pokes

std::string picture(std::uint64_t map, char letter) {
    std::string made(64, '-');
    for (std::size_t i = 0; i < made.size(); ++i) {
        if ((map >> (63 - i) & 1) != 0) {
            made[i] = letter;
        }
    }
    return made;
}

std::string_view word(bool sick) noexcept {
    return sick ? "sick" : "healthy";
}

} // namespace

bool response_matches(std::string_view line, std::uint32_t expected_status) noexcept {
    if (!line.starts_with("HTTP/")) {
        return false;
    }
    line.remove_prefix(5);
    const std::size_t version = line.find_first_not_of("0123456789.");
    if (version == 0 || version == line.npos || line[version] != ' ') {
        return false;
    }
    line.remove_prefix(std::min(line.find_first_not_of(' ', version), line.size()));
    std::uint32_t status = 0;
    std::size_t digits = 0;
    while (digits < line.size() && digits < 9 && line[digits] >= '0' && line[digits] <= '9') {
        status = status * 10 + static_cast<std::uint32_t>(line[digits] - '0');
        ++digits;
    }
    return digits > 0 && status == expected_status;
}

probe_state::probe_state(const vcl::probe_spec& spec) : spec_(spec) {
    spec_.timeout = spec_.timeout > 0 ? spec_.timeout : 2;
    spec_.interval = spec_.interval > 0 ? spec_.interval : 5;
    spec_.window = spec_.window > 0 ? std::min(spec_.window, 64u) : 8;
    spec_.threshold = spec_.threshold > 0 ? spec_.threshold : 3;
    spec_.expected_response = spec_.expected_response > 0 ? spec_.expected_response : 200;
    spec_.initial = std::min(spec_.initial.value_or(spec_.threshold - 1), spec_.threshold);
    reset();
}

void probe_state::reset() noexcept {
    std::fill(std::begin(maps_), std::end(maps_), 0);
    last_ = average_ = rate_ = 0;
    response_.clear();
    const std::uint32_t initial = *spec_.initial;
    maps_[happy_row] = initial >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << initial) - 1;
    rate_ = std::min<double>(initial, average_over);
    count_good();
}

void probe_state::record(const poke_result& poke) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        maps_[i] = maps_[i] << 1 | (poke.bits.*rows[i].bit ? 1u : 0u);
    }
    last_ = poke.took;
    response_ = poke.response;
    if (poke.bits.happy) {
        rate_ = std::min(rate_ + 1, average_over);
        average_ += (last_ - average_) / rate_;
    }
    count_good();
}

void probe_state::count_good() noexcept {
    const std::uint64_t window = spec_.window >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << spec_.window) - 1;
    good_ = static_cast<std::uint32_t>(__builtin_popcountll(maps_[happy_row] & window));
}

std::string probe_state::log_line(std::string_view name, bool changed) const {
    std::string letters;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        letters += (maps_[i] & 1) != 0 ? rows[i].letter : '-';
    }
    return fmt::format("{} {} {} {} {} {} {} {:.6f} {:.6f} \"{}\"", name, changed ? "Went" : "Still", word(!healthy()),
                       letters, good_, spec_.threshold, spec_.window, last_, average_, response_);
}

std::string probe_state::row(bool sick) const {
    return fmt::format("{}/{}\t{}", good_, spec_.window, word(sick));
}

std::string probe_state::details() const {
    std::string out = fmt::format("\n Current states  good: {:2} threshold: {:2} window: {:2}\n"
                                  "  Average response time of good probes: {:.6f}\n"
                                  "  Oldest {:=^50} Newest\n",
                                  good_, spec_.threshold, spec_.window, average_, "");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (maps_[i] != 0 || rows[i].always) {
            out += fmt::format("  {} {}\n", picture(maps_[i], rows[i].letter), rows[i].title);
        }
    }
    return out;
}

std::string probe_state::json_row(bool sick) const {
    return fmt::format("[{}, {}, \"{}\"]", good_, spec_.window, word(sick));
}

std::string probe_state::json_details() const {
    std::string out = "{\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        out += fmt::format("  \"bits_{}\": {},\n", rows[i].letter, maps_[i]);
    }
    return out + fmt::format("  \"good\": {},\n  \"threshold\": {},\n  \"window\": {}\n}},\n", good_, spec_.threshold,
                             spec_.window);
}

} // namespace clearcoat::backend
