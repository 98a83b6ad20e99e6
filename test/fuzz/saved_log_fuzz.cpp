// Saved logs: the first byte says how the records are grouped and read, the rest is the file behind its mark. Whatever
// it holds, it is read, grouped, printed, also as JSON, and made to lines without touching memory that is not its own.
#include "logread/assembler.hpp"
#include "logread/json_log.hpp"
#include "logread/ncsa_line.hpp"
#include "logread/print.hpp"
#include "logread/saved_log.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace clearcoat;

namespace {

struct standing_clock : base::clock {
    base::seconds real() const noexcept override { return 1; }
    base::seconds monotonic() const noexcept override { return 1; }
};

logread::ncsa_printer make_printer(bool json) {
    std::string error;
    const std::string format =
        std::string(logread::ncsa_format::usual) +
        " %{VSL:Timestamp[2]}x %{VSL:Begin:req}x %{VCL_Log:k}x %{X}o %{Varnish:handling}x %{us}T";
    auto made = logread::ncsa_format::parse(format, json, error);
    if (!made) {
        std::abort();
    }
    return logread::ncsa_printer(std::move(*made));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::size_t bytes = logread::saved_log_mark_size + size - 1;
    std::vector<std::uint32_t> file((bytes + 3) / 4);
    const auto width = (data[0] & 128) != 0 ? shm::record_width::wide : shm::record_width::narrow;
    std::memcpy(file.data(), shm::layout::file_marker(width).data(), logread::saved_log_mark_size);
    std::memcpy(file.data() + 1, data + 1, size - 1);
    logread::saved_log_memory source(std::as_bytes(std::span(file)).first(bytes));

    const standing_clock clock;
    logread::log_options options;
    options.limit = (data[0] & 4) != 0 ? 3 : 1000;
    options.verbose = (data[0] & 8) != 0;
    logread::ncsa_printer lines = make_printer((data[0] & 16) != 0);
    std::string out;
    logread::assembler groups(options, static_cast<logread::grouping>(data[0] & 3), nullptr, clock,
                              [&](logread::group g) {
                                  out.clear();
                                  logread::print_group(g, options, out);
                                  logread::print_json(g, options, out);
                                  for (const logread::transaction& t : g) {
                                      lines.print(t, out);
                                  }
                                  return true;
                              });
    logread::record_run run;
    while (source.next(run) == logread::source_status::more) {
        run.batch = (data[0] & 32) != 0;
        run.stable = (data[0] & 64) != 0;
        groups.feed(run);
    }
    groups.flush();
    if (groups.kept() != 0) {
        std::abort();
    }
    return 0;
}
