// A temporary folder that goes with its scope, and looks at what is in it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace clearcoat::test {

struct folder {
    folder() {
        char name[] = "/tmp/clearcoat-shm.XXXXXX";
        path = mkdtemp(name);
    }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }

    std::string read(const std::string& name) const {
        std::ifstream in(path + "/" + name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    auto index_lines() const {
        std::string text = read("_.index");
        return std::count(text.begin(), text.end(), '\n');
    }
    auto files() const {
        return std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
    }

    std::string path;
};

} // namespace clearcoat::test
