#include "shm/counter_description.hpp"

#include <atomic>
#include <cstring>
#include <iterator>

#include <fmt/core.h>

namespace clearcoat::shm {
namespace {

constexpr std::string_view type_names[] = {"counter", "gauge", "bitmap"};
constexpr std::string_view level_names[] = {"info", "diag", "debug"};
constexpr std::string_view format_names[] = {"integer", "bytes", "bitmap", "duration"};

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    out += '"';
    return out;
}

std::string field_json(const tables::counter_field& field, std::size_t index) {
    return fmt::format(R"({0}:{{"type":"{1}","ctype":"uint64_t","level":"{2}","oneliner":{3},"format":"{4}",)"
                       R"("index":{5},"name":{0},"docs":{6}}})",
                       quoted(field.name), type_names[static_cast<unsigned>(field.type)],
                       level_names[static_cast<unsigned>(field.level)], quoted(field.oneliner),
                       format_names[static_cast<unsigned>(field.format)], index * sizeof(std::uint64_t),
                       quoted(field.docs));
}

} // namespace

std::uint64_t description_number(const tables::counter_set& set) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (char c : set.prefix) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return hash & 0xffffffffffff; // as long as the pointers that the reference prints here
}

std::string description_json(const tables::counter_set& set) {
    std::string out =
        fmt::format(R"({{"version":"1","name":{},"oneliner":{},"order":{},"docs":"","elements":{},"elem":{{)",
                    quoted(set.name), quoted(set.oneliner), set.order, set.fields.size());
    for (std::size_t i = 0; i < set.fields.size(); ++i) {
        out += i == 0 ? "" : ",";
        out += field_json(set.fields[i], i);
    }
    return out + "}}";
}

segment make_description(segment_directory& directory, const tables::counter_set& set) {
    std::string text = description_json(set);
    std::uint64_t number = description_number(set);
    segment made = directory.create("StatDoc", fmt::format("{:x}", number), sizeof(counter_head) + text.size() + 1);
    auto* head = reinterpret_cast<counter_head*>(made.bytes().data());
    head->body_offset = sizeof(counter_head);
    head->description = number;
    std::memcpy(made.bytes().data() + sizeof(counter_head), text.data(), text.size());
    std::atomic_ref<int>(head->ready).store(1, std::memory_order_release);
    return made;
}

} // namespace clearcoat::shm
