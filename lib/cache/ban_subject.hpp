// What ban tests look at: the request that looks up, and the heads of objects. flow/ implements both over http/, so
// that the cache needs to know neither.
#pragma once

#include <optional>
#include <string_view>

namespace clearcoat::cache {

class object;

/// The request side (req.url, req.http.*).
class ban_subject {
  public:
    virtual std::string_view url() const noexcept = 0;
    /// `name` without colon, case-insensitive. No value: the header is not there.
    virtual std::optional<std::string_view> header(std::string_view name) const noexcept = 0;
    /// This request's lookup killed `o` because of a ban (what ExpBan logs: "VXID banned lookup").
    virtual void banned(const object& o) const noexcept { static_cast<void>(o); }

  protected:
    ~ban_subject() = default;
};

/// The object side (obj.status, obj.http.*). Called from any thread, with no lock held.
class object_reader {
  public:
    virtual ~object_reader() = default;
    /// Three digits, as text; valid as long as the object.
    virtual std::string_view status(const object& o) const noexcept = 0;
    virtual std::optional<std::string_view> header(const object& o, std::string_view name) const noexcept = 0;
};

} // namespace clearcoat::cache
