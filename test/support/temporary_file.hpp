// A file that is there as long as the object.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

namespace clearcoat::test {

class temporary_file {
  public:
    explicit temporary_file(std::string_view text) {
        char name[] = "/tmp/clearcoat-test-XXXXXX";
        ::close(::mkstemp(name));
        path_ = name;
        write(text);
    }
    ~temporary_file() { ::unlink(path_.c_str()); }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;

    const std::string& path() const { return path_; }

    /// Replaces what is in the file.
    void write(std::string_view text) const {
        std::FILE* f = std::fopen(path_.c_str(), "w");
        std::fwrite(text.data(), 1, text.size(), f);
        std::fclose(f);
    }

  private:
    std::string path_;
};

} // namespace clearcoat::test
