// Finds ESI elements in a page that comes in pieces of any size, and says of each byte whether it is text to send or
// markup to leave out. It is no XML parser: like the reference it looks for <esi:…>, <!--esi … --> and the ends of
// comments, CDATA and other elements, and for nothing else. One parser a fetch; the text of attributes is kept on the
// heap.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace clearcoat::body::esi {

/// The features of the same names (parameter `feature`).
struct parser_options {
    bool disable_xml_check = false;
    bool ignore_other_elements = false;
    bool ignore_https = false;
    bool remove_bom = false;
};

/// Something in the page that is not as it should be; logged as ESI_xmlerror.
struct problem {
    enum class severity : std::uint8_t {
        note,
        warning,
        error
    } how_bad = severity::note; // counters esi_warnings, esi_errors
    std::string_view text;
};

class parser_listener {
  public:
    /// Records: "ERR after <n> <text>", "WARN after <n> <text>", and notes as they are.
    virtual void esi_problem(const problem& p) noexcept = 0;
    /// An element to include; it stands behind all pieces given so far.
    virtual void esi_include(std::string_view host, std::string_view url, bool continue_on_error) = 0;

  protected:
    ~parser_listener() = default;
};

class parser {
  public:
    /// `page_url` is the URL of the page, for relative addresses; both live as long as the parser.
    parser(std::string_view page_url, const parser_options& options, parser_listener& listener)
        : page_url_(page_url), options_(options), listener_(&listener) {}

    struct piece {
        enum class kind : std::uint8_t { none, text, skip } what = kind::none;
        std::string_view bytes; // valid until the next call of next() or feed()
    };

    /// Gives the next bytes of the page; next() has returned none before. `last`: nothing follows.
    void feed(std::string_view in, bool last);
    /// The next run of bytes of one kind; none when all that was fed is told apart. Pieces in order are the page. An
    /// empty text stands between two elements that have nothing between them: positions in records count from there.
    piece next();
    /// Whether the page had ESI in it; otherwise there is no program.
    bool found() const noexcept { return found_; }

  private:
    enum class state : std::uint8_t {
        start,
        test_xml,
        not_xml,
        text,
        open,          // at a "<"
        other_element, // in an element that is not ours
        comment,
        cdata,
        esi_name,
        in_tag,
        attribute,
        skip_attribute,
        attribute_delimiter,
        attribute_value,
        tag_error
    };
    enum class element : std::uint8_t { include, remove, comment };

    // Each of these looks at [at_, end_) and returns the bytes it takes, as one piece; none: more input is needed.
    piece step();
    piece at_start();
    piece at_first_character();
    piece at_text();
    piece at_open();
    piece until(std::string_view end);
    piece at_esi_name();
    piece at_in_tag();
    piece at_attribute();
    piece at_skip_attribute();
    piece at_attribute_delimiter();
    piece at_attribute_value();
    piece at_tag_error();
    piece in_esi_tag();
    piece end_esi_comment();

    std::string_view rest() const noexcept { return {at_, static_cast<std::size_t>(end_ - at_)}; }
    piece take(piece::kind what, std::size_t size) noexcept;
    piece take_text(std::size_t size) noexcept { return take(removing_ ? piece::kind::skip : piece::kind::text, size); }
    piece take_skip(std::size_t size) noexcept { return take(piece::kind::skip, size); }
    piece wait_for_more() noexcept;
    void begin_element(element e) noexcept;
    void end_element();
    void end_include();
    void end_remove();
    void attribute_complete();
    void fail(std::string_view text) noexcept;
    void tell(problem::severity how_bad, std::string_view text) noexcept { listener_->esi_problem({how_bad, text}); }

    std::string_view page_url_;
    parser_options options_;
    parser_listener* listener_;

    const char* at_ = nullptr;
    const char* end_ = nullptr;
    bool last_ = false;
    bool needs_more_ = false;
    bool reported_end_ = false;
    std::string held_;  // bytes at the end of the last input that could not be told apart yet
    std::string input_; // they and the next input, until they are told apart

    state state_ = state::start;
    bool found_ = false;
    bool in_esi_comment_ = false;
    bool removing_ = false;

    // The ESI element at hand.
    element element_ = element::include;
    bool is_end_tag_ = false;
    bool is_empty_tag_ = false;
    bool may_have_attribute_ = false;
    char delimiter_ = 0;
    enum class attribute_kind : std::uint8_t { other, src, onerror } attribute_ = attribute_kind::other;
    std::string value_;
    std::string src_;
    bool has_src_ = false;
    bool continue_on_error_ = false;
};

/// The host and URL an include's src means on a page: "http://host/x" gives host and "/x", "/x" stays, others are
/// relative to the page's folder. Entities are replaced. False for an absolute address without a slash behind the host.
bool resolve_include(std::string_view src, std::string_view page_url, std::string& host, std::string& url);

} // namespace clearcoat::body::esi
