// Writes JSON objects and arrays member by member, the commas between them. Texts from the wire may hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace clearcoat::logread {

class json_writer {
  public:
    /// Begins an object, or an array with '['. It ends at end(); what stands inside is written in between, by this
    /// writer or by another one on the same text.
    explicit json_writer(std::string& out, char open = '{');
    void end() { out_ += close_; }

    /// The name of the next member. What follows is written by item-less calls or by the caller.
    void name(std::string_view key);
    /// The place of the next element of an array.
    void item();
    /// A text, quoted. Bytes that are not UTF-8 become U+FFFD.
    void text(std::string_view value);
    /// A member that is a text; nothing when `value` has no data.
    void text(std::string_view key, std::string_view value);
    /// A member that is a number where `value` is one as JSON has them, else a text.
    void number(std::string_view key, std::string_view value);

  private:
    std::string& out_;
    char close_;
    bool first_ = true;
};

} // namespace clearcoat::logread
