// What the demo origin serves: a function from a request to a page, without I/O. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace demo {

struct request {
    std::string_view method;
    std::string_view target;
    std::string_view cookie;
    std::string_view if_none_match;
    std::string_view body;
};

struct page {
    unsigned status = 200;
    std::string type = "text/html; charset=utf-8";
    std::string cache_control = "public, max-age=120";
    std::string set_cookie; // empty: none
    std::string etag;       // empty: none
    std::string body;
    std::chrono::milliseconds delay{0};
};

class site {
  public:
    /// Answers and counts. Paths: / /about /news /picture.svg /data.json /slow /cookie /error /echo /stats /bytes/N;
    /// the parameter ?cache-control=VALUE replaces the Cache-Control of any of them.
    page answer(const request& r);

  private:
    page stats();
    std::mutex mutex_;
    std::map<std::string, std::uint64_t, std::less<>> requests_; // by path; guarded by mutex_
};

} // namespace demo
