// What a task writes its log records to. shm/ implements it over the shared-memory ring, tests over a vector. The tags
// are in tables/log_tags.hpp. Owned by one task; no call blocks or allocates.
#pragma once

#include "base/text_pieces.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>

#include <fmt/core.h>

namespace clearcoat {

enum class log_tag : std::uint8_t;

namespace base {

/// A transaction's number, as the log prints it; 0 is "no transaction".
using vxid_number = std::uint64_t;

class log_writer {
  public:
    virtual ~log_writer() = default;

    /// Whether records of `tag` are kept; asking first saves making the text of those that seldom are.
    virtual bool wants(log_tag) const noexcept { return true; }

    /// One record. Text longer than `vsl_reclen` is cut.
    virtual void write(log_tag tag, std::string_view text) noexcept = 0;

    /// Room for one record of `tag`, to be filled and then ended with the size used; empty when the tag is masked out.
    virtual std::span<char> begin(log_tag tag) noexcept = 0;
    virtual void end(std::size_t size) noexcept = 0;

    /// Hands the records so far to the reader, as at the end of a transaction or before a long wait.
    virtual void flush() noexcept = 0;

    /// A record of pieces (see text_pieces.hpp), as hot paths write them; cut where the room ends.
    template<class... Parts>
    void join(log_tag tag, const Parts&... parts) noexcept {
        std::span<char> room = begin(tag);
        if (room.empty()) {
            return;
        }
        if (most_joined(parts...) <= room.size()) {
            end(static_cast<std::size_t>(base::join(room.data(), parts...) - room.data()));
        } else {
            end(join_cut(room, parts...));
        }
    }

    /// A formatted record, cut where the room ends.
    template<class... Args>
    void print(log_tag tag, fmt::format_string<Args...> format, Args&&... args) noexcept {
        std::span<char> room = begin(tag);
        if (room.empty()) {
            return;
        }
        auto result = fmt::format_to_n(room.data(), room.size(), format, std::forward<Args>(args)...);
        end(result.size < room.size() ? result.size : room.size());
    }

  private:
    static std::size_t append(std::span<char> room, std::size_t used, std::string_view text) noexcept {
        const std::size_t size = std::min(text.size(), room.size() - used);
        if (size != 0) { // data() may be nullptr then
            std::memcpy(room.data() + used, text.data(), size);
        }
        return used + size;
    }
    template<class Part>
    static std::size_t append(std::span<char> room, std::size_t used, const Part& part) noexcept {
        if constexpr (std::convertible_to<Part, std::string_view>) {
            return append(room, used, std::string_view(part));
        } else {
            char text[32];
            return append(room, used, std::string_view(text, static_cast<std::size_t>(pieces::put(text, part) - text)));
        }
    }
    template<class... Parts>
    static std::size_t join_cut(std::span<char> room, const Parts&... parts) noexcept {
        std::size_t used = 0;
        ((used = append(room, used, parts)), ...);
        return used;
    }
};

/// Which side of the cache a transaction is on; readers filter by it.
enum class log_side : std::uint8_t { client, backend };

/// The log of one task after another: every record goes to the transaction it stands at.
class task_log : public log_writer {
  public:
    /// Hands over what was written and goes on as another transaction. Writes no record of its own: Begin, Link and End
    /// belong to whoever runs the task.
    virtual void reset(vxid_number vxid, log_side side) noexcept = 0;
    virtual vxid_number vxid() const noexcept = 0;
};

} // namespace base
} // namespace clearcoat
