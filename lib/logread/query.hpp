// The query language of vsl-query(7): compiled once, then asked of each group. Pure: no clock, no I/O, no shared state;
// any thread may run a compiled query.
#pragma once

#include "logread/transaction.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace clearcoat::logread {

class query {
  public:
    struct expression;

    /// Several lines are alternatives. nullptr when it is wrong, with the reference's message in `error`, where the
    /// place is marked; that is empty for a text without any expression. `caseless` as -C.
    static std::unique_ptr<const query> compile(std::string_view text, bool caseless, std::string& error);
    ~query();
    query(const query&) = delete;
    query& operator=(const query&) = delete;

    /// Whether the group is wanted.
    bool selects(group g) const noexcept;
    /// The tree in brackets, for tests: (and (ReqURL ~ "x") (not (vxid == 3))).
    std::string to_text() const;

  private:
    explicit query(std::unique_ptr<expression> root);
    std::unique_ptr<expression> root_;
};

} // namespace clearcoat::logread
