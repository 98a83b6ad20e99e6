// Texts and headers in module debug.
#include "vmod/debug/functions.hpp"

#include "base/ascii.hpp"
#include "tables/log_tags.hpp"

#include <string>

#include <fmt/core.h>

namespace clearcoat::vmod::debug {

namespace {

class concat final : public vcl::module_object {
  public:
    explicit concat(std::string text) : text_(std::move(text)) {}
    const std::string& text() const noexcept { return text_; }

  private:
    std::string text_;
};

/// A copy in the workspace even where one part would do as it is.
vcl::value copied(vcl::call& c, const vcl::strand_list& list) {
    const std::string_view text = c.join(list);
    return text.empty() ? text_value(text) : workspace_text(c, text);
}

bool is_field_text(std::string_view text) noexcept {
    for (char byte : text) {
        if ((static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7f) {
            return false;
        }
    }
    return true;
}

} // namespace

// author(ENUM person, ENUM someone)
vcl::value author(vcl::call&, arguments args) {
    const std::string_view who = args[0].string();
    return text_value(who == "des"          ? "Dag-Erling"
                      : who == "kristian"   ? "Kristian"
                      : who == "mithrandir" ? "Tollef"
                                            : "Poul-Henning");
}

// argtest(STRING one, REAL two=2, STRING three, STRING comma, INT four=4, [STRING opt])
vcl::value argtest(vcl::call& c, arguments args) {
    const bool has_option = c.given(5);
    return workspace_text(c, fmt::format("{} {:g} {} {} {} {} {}", args[0].string(), args[1].real, args[2].string(),
                                         args[3].string(), args[4].integer, has_option ? 1 : 0,
                                         has_option ? args[5].string() : "<undef>"));
}

vcl::value concatenate(vcl::call& c, arguments args) {
    return copied(c, args[0].strands);
}

vcl::value collect(vcl::call& c, arguments args) {
    const vcl::value text = copied(c, args[0].strands);
    if (undefined(text)) {
        c.fail("Workspace overflow");
    }
    return text;
}

// sethdr(HEADER, STRANDS)
vcl::value sethdr(vcl::call& c, arguments args) {
    const vcl::header_ref* header = args[0].header;
    if (header == nullptr) {
        c.fail("debug.sethdr(): header argument is NULL");
    } else if (args[1].strands.count == 0) {
        c.task().unset_header(header->where, header->name);
    } else {
        const std::string_view text = c.join(args[1].strands);
        if (text.data() == nullptr) {
            c.task().log().write(log_tag::LostHeader, header->name);
        } else {
            c.task().set_header(header->where, header->name, text);
        }
    }
    return no_value();
}

// rot52(HTTP hdr)
vcl::value rot52(vcl::call& c, arguments args) {
    c.task().set_header(args[0].http, "Encrypted", "ROT52");
    return no_value();
}

// re_quote(STRING)
vcl::value re_quote(vcl::call& c, arguments args) {
    std::string_view rest = args[0].string();
    std::string quoted;
    for (std::size_t end = rest.find("\\E"); end != std::string_view::npos; end = rest.find("\\E")) {
        quoted += fmt::format("\\Q{}\\\\EE", rest.substr(0, end));
        rest.remove_prefix(end + 2);
    }
    if (!rest.empty()) {
        quoted += fmt::format("\\Q{}\\E", rest);
    }
    return workspace_text(c, quoted);
}

// validhdr(STRANDS)
vcl::value validhdr(vcl::call&, arguments args) {
    for (std::size_t i = 0; i < args[0].strands.count; ++i) {
        if (!is_field_text(args[0].strands.parts[i])) {
            return vcl::value::of(false);
        }
    }
    return vcl::value::of(true);
}

// return_strands(STRANDS strand)
vcl::value return_strands(vcl::call& c, arguments args) {
    c.task().log().write(log_tag::Debug, c.join(args[0].strands));
    return args[0];
}

vcl::value itself(vcl::call&, arguments args) {
    return args[0];
}

// concat(STRANDS)
made new_concat(vcl::call& c, std::string_view, arguments args) {
    return std::make_unique<concat>(std::string(c.join(args[0].strands)));
}

vcl::value concat_get(vcl::call& c, arguments) {
    return text_value(c.self<concat>().text());
}

} // namespace clearcoat::vmod::debug
