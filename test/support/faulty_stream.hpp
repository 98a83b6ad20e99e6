// A stream without a socket: it reads what the test has laid out, one step a read, and keeps what is written. Each step
// can be data, an end, a fault, or a pause that the test ends with wake().
#pragma once

#include "net/loop.hpp"
#include "net/stream.hpp"

#include <algorithm>
#include <deque>
#include <string>

namespace clearcoat::test {

class faulty_stream final : public net::stream {
  public:
    explicit faulty_stream(net::loop& home) : stream(home) {
        readability().set();
        writability().set();
    }

    // Reading.
    void then_data(std::string bytes) { steps_.push_back({net::io_status::ok, std::move(bytes)}); }
    void then(net::io_status status) { steps_.push_back({status, {}}); }
    /// The next read finds nothing until wake().
    void then_pause() { steps_.push_back({net::io_status::would_block, {}}); }
    void wake() { readability().set(); }

    // Writing.
    /// At most so many bytes a call; the call after one that was cut would block until wake_writer().
    void limit_writes(std::size_t bytes) { write_limit_ = bytes; }
    /// Writes fail with this once so many bytes went.
    void fail_writes_after(std::size_t bytes, net::io_status status) {
        write_budget_ = bytes;
        write_fault_ = status;
    }
    void wake_writer() { writability().set(); }
    const std::string& written() const { return written_; }

    net::io_result try_read(std::span<char> into) noexcept override {
        net::io_result result;
        if (steps_.empty()) {
            result.status = net::io_status::eof;
            return result;
        }
        step& next = steps_.front();
        result.status = next.status;
        if (next.status == net::io_status::ok) {
            result.bytes = std::min(into.size(), next.bytes.size());
            std::copy_n(next.bytes.data(), result.bytes, into.data());
            next.bytes.erase(0, result.bytes);
            if (!next.bytes.empty()) {
                return result;
            }
        }
        if (next.status == net::io_status::would_block) {
            readability().clear();
        }
        steps_.pop_front();
        return result;
    }

    net::io_result try_write(std::span<::iovec>& pieces) noexcept override {
        net::io_result result;
        std::size_t room = write_limit_;
        while (!pieces.empty()) {
            const std::size_t size = std::min({pieces.front().iov_len, room, write_budget_});
            written_.append(static_cast<char*>(pieces.front().iov_base), size);
            result.bytes += size;
            room -= size;
            write_budget_ -= size;
            if (size < pieces.front().iov_len) {
                pieces.front() = {static_cast<char*>(pieces.front().iov_base) + size, pieces.front().iov_len - size};
                result.status = write_budget_ == 0 ? write_fault_ : net::io_status::would_block;
                if (result.status == net::io_status::would_block) {
                    writability().clear();
                }
                return result;
            }
            pieces = pieces.subspan(1);
        }
        return result;
    }

    bool hung_up() const noexcept override { return false; }
    void shutdown_write() noexcept override { write_ended_ = true; }
    bool write_ended() const noexcept { return write_ended_; }
    void shut() noexcept override {
        readability().cancel();
        writability().cancel();
    }
    void close(bool) noexcept override { open_ = false; }
    bool is_open() const noexcept override { return open_; }
    int descriptor() const noexcept override { return -1; }
    base::ip_address peer_address() const noexcept override { return base::bogus_ip; }
    base::ip_address local_address() const noexcept override { return base::bogus_ip; }

  private:
    static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
    struct step {
        net::io_status status;
        std::string bytes;
    };
    std::deque<step> steps_;
    std::string written_;
    std::size_t write_limit_ = unlimited;
    std::size_t write_budget_ = unlimited;
    net::io_status write_fault_ = net::io_status::reset;
    bool write_ended_ = false;
    bool open_ = true;
};

} // namespace clearcoat::test
