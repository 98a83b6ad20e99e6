#include "tables/param_values.hpp"

#include "base/ascii.hpp"

#include <fmt/core.h>

namespace clearcoat::tables {

std::string bytes_text(std::uint64_t bytes) {
    if (bytes == 0 || (bytes & 0xff) != 0) {
        return fmt::format("{}b", bytes);
    }
    for (char unit : std::string_view("kMGTPEZY")) {
        if ((bytes & 0x300) != 0) {
            return fmt::format("{:.2f}{}", static_cast<double>(bytes) / 1024, unit);
        }
        bytes /= 1024;
        if ((bytes & 0xff) != 0) {
            return fmt::format("{}{}", bytes, unit);
        }
    }
    return "(bogus number)";
}

std::span<const bit_row> bits_of(param_id id) noexcept {
    switch (id) {
    case param_id::feature:
        return feature_bits();
    case param_id::debug:
        return debug_bits();
    case param_id::experimental:
        return experimental_bits();
    case param_id::vcc_feature:
        return vcc_feature_bits();
    default:
        return {};
    }
}

unsigned vcc_bit_of(param_id id) noexcept {
    switch (id) {
    case param_id::vcc_allow_inline_c:
        return static_cast<unsigned>(vcc_feature::allow_inline_c);
    case param_id::vcc_unsafe_path:
        return static_cast<unsigned>(vcc_feature::unsafe_path);
    default:
        return static_cast<unsigned>(vcc_feature::err_unref);
    }
}

std::vector<std::string_view> comma_words(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        std::size_t comma = text.find(',');
        words.push_back(base::trim_blanks(text.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return words;
        }
        text.remove_prefix(comma + 1);
    }
}

namespace {

std::string_view purpose_of(param_id id) noexcept {
    switch (id) {
    case param_id::feature:
        return "Turns small features on and off.";
    case param_id::debug:
        return "Turns help for debugging on and off.";
    case param_id::experimental:
        return "Turns experiments on and off.";
    default:
        return "Turns checks of the VCL compiler on and off.";
    }
}

} // namespace

std::string text_of(const param_row& row) {
    if (row.kind != param_kind::bits) {
        return std::string(row.text);
    }
    std::string out(purpose_of(row.id));
    if (row.def != "none") {
        out += "\n\tdefault\tBack to the default";
    }
    out += "\n\tnone\tAll off\n\nPut + before a word to turn it on, - to turn it off:";
    for (const bit_row& bit : bits_of(row.id)) {
        out += fmt::format("\n\t{}\t{}", bit.name, bit.text);
    }
    return out;
}

std::string_view min_reason(param_id id) noexcept {
    switch (id) {
    case param_id::thread_pool_max:
        return "thread_pool_min";
    case param_id::vsl_buffer:
        return "vsl_reclen + 12 bytes";
    default:
        return {};
    }
}

std::string_view max_reason(param_id id) noexcept {
    switch (id) {
    case param_id::thread_pool_min:
        return "thread_pool_max";
    case param_id::thread_pool_reserve:
        return "95% of thread_pool_min";
    case param_id::vsl_reclen:
        return "vsl_buffer - 12 bytes";
    default:
        return {};
    }
}

bool may_be_never(param_id id) noexcept {
    switch (id) {
    case param_id::between_bytes_timeout:
    case param_id::cli_timeout:
    case param_id::connect_timeout:
    case param_id::first_byte_timeout:
    case param_id::h2_window_timeout:
    case param_id::idle_send_timeout:
    case param_id::pipe_timeout:
    case param_id::send_timeout:
        return true;
    default:
        return false;
    }
}

} // namespace clearcoat::tables
