// Runs a fuzz target over kept inputs: each file of the folders and files named as arguments, whole and cut at every
// length (the first 2,000; in sanitizer builds every seventh). A crash or sanitizer report fails the test; so does an
// empty corpus.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t most_cuts = 2000;
#ifdef CLEARCOAT_SANITIZED
constexpr std::size_t stride = 7; // a run takes ten times as long
#else
constexpr std::size_t stride = 1;
#endif

/// Each run gets an exact allocation, so that AddressSanitizer sees a read behind the end.
void run(const std::vector<char>& bytes, std::size_t size) {
    std::unique_ptr<std::uint8_t[]> copy(new std::uint8_t[size]);
    for (std::size_t i = 0; i < size; ++i) {
        copy[i] = static_cast<std::uint8_t>(bytes[i]);
    }
    LLVMFuzzerTestOneInput(copy.get(), size);
}

void replay(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    for (std::size_t size = 0; size < bytes.size() && size < most_cuts; size += stride) {
        run(bytes, size);
    }
    run(bytes, bytes.size());
}

unsigned replay_all(const std::filesystem::path& from) {
    if (std::filesystem::is_regular_file(from)) {
        replay(from);
        return 1;
    }
    unsigned count = 0;
    if (std::filesystem::is_directory(from)) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(from)) {
            if (entry.is_regular_file()) {
                replay(entry.path());
                ++count;
            }
        }
    }
    return count;
}

} // namespace

int main(int argc, char** argv) {
    unsigned count = 0;
    for (int i = 1; i < argc; ++i) {
        count += replay_all(argv[i]);
    }
    std::printf("%u inputs replayed\n", count);
    return count == 0 ? 1 : 0;
}
