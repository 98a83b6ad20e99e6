// A line of varnishncsa for each transaction: collects the parts that the format asks for, then prints them. One
// thread.
#pragma once

#include "logread/ncsa_format.hpp"
#include "logread/transaction.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::logread {

class ncsa_printer {
  public:
    explicit ncsa_printer(ncsa_format format);

    /// Appends the line of a request to a client or a backend; nothing for other transactions, for requests that were
    /// restarted, and where the format wants a time that there is none of.
    void print(const transaction& t, std::string& out);

  private:
    std::string_view& part(ncsa_part which) noexcept { return parts_[static_cast<unsigned>(which)]; }
    std::string_view part(ncsa_part which) const noexcept { return parts_[static_cast<unsigned>(which)]; }

    bool collect(const transaction& t);
    bool collect(record r, std::string_view text);
    void collect_plain(log_tag tag, std::string_view text);
    void collect_header(const std::vector<ncsa_watch>& watches, std::string_view text, bool unset);
    void collect_url(std::string_view text);
    void collect_timestamp(std::string_view text);
    void collect_request_header(std::string_view text);
    void collect_call(std::string_view method);
    bool collect_return(std::string_view action);
    void collect_watched(log_tag tag, std::string_view text);
    void take_line(unsigned which, std::string_view text, bool again);
    void take_field(unsigned which, std::string_view text, int field, bool again);

    bool print_piece(std::size_t index, std::string& out);
    bool print_time(std::size_t index, std::string& out);
    void print_date(std::size_t index, double when, std::string& out);
    void print_request_line(std::string& out) const;
    void print_user(std::string& out) const;
    void print_or(ncsa_part which, std::string_view missing, std::string& out) const;
    void quote(std::string_view text, std::string& out) const { append_quoted(text, format_.how, out); }

    struct cached_date {
        long long second = -1;
        std::string text;
    };

    ncsa_format format_;
    std::vector<std::string_view> parts_; // data() is nullptr where there is none
    std::vector<cached_date> dates_;      // by piece
    std::string_view hit_or_miss_;
    std::string_view handling_;
    std::string_view side_;
    vxid_value vxid_ = 0;
};

} // namespace clearcoat::logread
