// The query language: the first byte says whether case matters, the rest is the text. A query that compiles comes
// without a message, prints, and runs on records that hold the text itself.
#include "logread/query.hpp"
#include "tables/log_tags.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace clearcoat;

namespace {

void add(std::vector<std::uint32_t>& words, log_tag tag, std::string_view text) {
    const auto bytes = static_cast<std::uint32_t>(text.size() + 1);
    words.push_back(shm::layout::header(tag, bytes));
    words.push_back(shm::layout::id_word(7, shm::vxid_kind::client));
    const std::size_t at = words.size();
    words.resize(at + shm::layout::words_for(bytes));
    std::memcpy(&words[at], text.data(), text.size());
}

std::vector<std::uint32_t> sample(std::string_view text) {
    std::vector<std::uint32_t> words;
    add(words, log_tag::ReqURL, "/x");
    add(words, log_tag::ReqHeader, "Host: example.com");
    add(words, log_tag::ReqHeader, "A: one \"two three\" 4.5 ");
    add(words, log_tag::Timestamp, "Resp: 1700000000.1 0.5 0.1");
    add(words, log_tag::Hash, std::string_view("a\0b", 3));
    add(words, log_tag::VCL_Log, text.substr(0, 1000));
    add(words, log_tag::VCL_Log, "");
    return words;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::string error;
    const auto made = logread::query::compile(text, (data[0] & 1) != 0, error);
    if (made == nullptr) {
        return 0;
    }
    if (!error.empty()) {
        std::abort();
    }
    (void)made->to_text();
    const std::vector<std::uint32_t> words = sample(text);
    const std::array<logread::transaction, 1> group{
        logread::transaction{1, 7, 0, logread::transaction_type::req, {}, logread::record_range(words)}};
    (void)made->selects(group);
    return 0;
}
