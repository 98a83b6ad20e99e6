// `vcl_check FILE...`: compiles each file as `varnishd -C` does and prints the messages, `-l FILE` the listing. Used by
// the comparison with the reference's verdicts; needs no manager.
#include "vcl/builtin.hpp"
#include "vcl/compile.hpp"
#include "vcl/module.hpp"
#include "vmod/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include <arpa/inet.h>
#include <glob.h>
#include <netdb.h>
#include <sys/stat.h>

namespace {

using namespace clearcoat;

class disk_files : public vcl::file_reader {
  public:
    std::optional<std::string> read(const std::string& path, std::string& error) override {
        std::ifstream in(path);
        if (!in) {
            error = std::strerror(errno);
            return std::nullopt;
        }
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    }
    std::vector<std::string> glob(const std::string& pattern) override {
        glob_t g{};
        std::vector<std::string> paths;
        if (::glob(pattern.c_str(), 0, nullptr, &g) == 0) {
            paths.assign(g.gl_pathv, g.gl_pathv + g.gl_pathc);
        }
        globfree(&g);
        return paths;
    }
    std::string check_socket(const std::string& path, bool& fatal) override {
        struct stat st;
        if (stat(path.c_str(), &st) != 0) {
            fatal = errno != ENOENT && errno != EACCES;
            return std::strerror(errno);
        }
        fatal = true;
        return S_ISSOCK(st.st_mode) ? "" : "Not a socket";
    }
};

class system_resolver : public vcl::resolver {
  public:
    std::vector<base::ip_address> lookup(const std::string& host, const std::string& service,
                                         std::string& error) override {
        addrinfo hints{};
        hints.ai_socktype = SOCK_STREAM;
        addrinfo* list = nullptr;
        int code = getaddrinfo(host.c_str(), service.c_str(), &hints, &list);
        if (code != 0) {
            error = gai_strerror(code);
            return {};
        }
        std::vector<base::ip_address> found;
        for (const addrinfo* a = list; a != nullptr; a = a->ai_next) {
            char text[INET6_ADDRSTRLEN] = "";
            const auto* v4 = reinterpret_cast<const sockaddr_in*>(a->ai_addr);
            const auto* v6 = reinterpret_cast<const sockaddr_in6*>(a->ai_addr);
            bool is_v4 = a->ai_family == AF_INET;
            inet_ntop(a->ai_family, is_v4 ? static_cast<const void*>(&v4->sin_addr) : &v6->sin6_addr, text,
                      sizeof text);
            std::optional<base::ip_address> ip = base::parse_ip(text, ntohs(is_v4 ? v4->sin_port : v6->sin6_port));
            if (ip && std::find(found.begin(), found.end(), *ip) == found.end()) {
                found.push_back(*ip);
            }
        }
        freeaddrinfo(list);
        return found;
    }
};

int check(const std::string& path, bool list) {
    disk_files files;
    system_resolver names;
    std::string error;
    vcl::compile_request r;
    std::optional<std::string> text = files.read(path, error);
    if (!text) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), error.c_str());
        return 2;
    }
    r.name = "boot";
    r.text = *std::move(text);
    r.origin = path;
    r.vcl_path = "/etc/varnish:/usr/share/varnish/vcl";
    r.builtin = std::string(vcl::builtin_vcl());
    r.storages = {"s0", "Transient"};
    r.options.jit = false;
    vcl::compile_result result = vcl::compile(r, files, names, vmod::bundled_modules());
    std::fputs(vcl::cli_message(result).c_str(), stdout);
    if (result.code != nullptr && list) {
        std::fputs(result.code->listing().c_str(), stdout);
    }
    return result.code == nullptr ? 2 : 0;
}

} // namespace

int main(int argc, char** argv) {
    int worst = 0;
    bool list = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "-l") == 0) {
            list = true;
        } else {
            worst = std::max(worst, check(argv[i], list));
        }
    }
    return worst;
}
