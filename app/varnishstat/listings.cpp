#include "listings.hpp"

#include "logread/quote.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace clearcoat::varnishstat {

std::string as_text(const logread::counter_list& counters, bool raw, double uptime) {
    std::string text;
    std::size_t width = 18;
    for (const logread::counter* c : counters.all()) {
        const std::uint64_t value = c->value(raw);
        width = std::max(width, c->name.size() + 1);
        const bool rate = c->semantics == 'c';
        const double per_second = uptime > 0 ? static_cast<double>(value) / uptime : 0;
        text += fmt::format("{:<{}}{:>12} {:>12} {}\n", c->name, width, value,
                            rate ? fmt::format("{:.2f}", per_second) : ".  ", c->oneliner);
    }
    return text;
}

std::string as_xml(const logread::counter_list& counters, bool raw, const std::string& timestamp) {
    std::string text = fmt::format("<?xml version=\"1.0\"?>\n<varnishstat timestamp=\"{}\">\n", timestamp);
    for (const logread::counter* c : counters.all()) {
        text += fmt::format("\t<stat>\n\t\t<name>{}</name>\n\t\t<value>{}</value>\n\t\t<flag>{}</flag>\n"
                            "\t\t<format>{}</format>\n\t\t<description>{}</description>\n\t</stat>\n",
                            c->name, c->value(raw), c->semantics, c->format, c->oneliner);
    }
    return text + "</varnishstat>\n";
}

std::string as_json(const logread::counter_list& counters, bool raw, const std::string& timestamp) {
    std::string text = fmt::format("{{\n  \"version\": 1,\n  \"timestamp\": \"{}\",\n  \"counters\": {{\n", timestamp);
    bool first = true;
    for (const logread::counter* c : counters.all()) {
        text += first ? "    \"" : ",\n    \"";
        first = false;
        logread::append_quoted(c->name, logread::quoting::json, text);
        text += "\": {\n      \"description\": \"";
        logread::append_quoted(c->oneliner, logread::quoting::json, text);
        text += fmt::format("\",\n      \"flag\": \"{}\",\n      \"format\": \"{}\",\n      \"value\": {}\n    }}",
                            c->semantics, c->format, c->value(raw));
    }
    return text + "\n  }\n}\n";
}

std::string as_names(const logread::counter_list& counters) {
    std::string text = "Varnishstat -f option fields:\n"
                       "Field name                     Description\n"
                       "----------                     -----------\n";
    for (const logread::counter* c : counters.all()) {
        text += fmt::format("{:<30} {}\n", c->name, c->oneliner);
    }
    return text;
}

} // namespace clearcoat::varnishstat
