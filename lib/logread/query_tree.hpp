// The compiled form of a query, between its parser and its evaluation. Private to the query's own files.
#pragma once

#include "base/regex.hpp"
#include "logread/query.hpp"
#include "logread/query_lexer.hpp"
#include "logread/tag_set.hpp"

#include <memory>
#include <string>
#include <variant>

namespace clearcoat::logread {

/// Which records, and which part of them.
struct query_subject {
    tag_set tags;
    std::string tag_text; // as written, for to_text()
    std::string prefix;   // "Header:"-like beginning, without the colon
    bool has_prefix = false;
    int field = 0;           // 1 is the first; 0: all of the record
    int level = -1;          // -1: any
    int level_direction = 0; // -1: that or less, 1: that or more
    bool vxid = false;       // the transaction's number, not records
};

using query_value = std::variant<std::monostate, long long, double, std::string, std::shared_ptr<const base::regex>>;

struct query::expression {
    query_token kind = query_token::end; // and, or, not; a comparison; `end` where the record is only to be there
    std::unique_ptr<expression> left;
    std::unique_ptr<expression> right;
    query_subject subject;
    query_value value;
    bool caseless = false;
};

struct parsed_query {
    std::unique_ptr<query::expression> root;
    std::string error; // empty: well
};
parsed_query parse_query(std::string_view text, bool caseless);

} // namespace clearcoat::logread
