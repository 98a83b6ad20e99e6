// Module dynamic: backends by host name, looked up while the VCL runs. A load never waits for the name service; the
// first request for a name does, suspended. DIFFERS: names are looked up again when they are used after their ttl, not
// by threads of their own, and what was looked up stays until the VCL is discarded.
#include "vmod/dynamic/domain.hpp"
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "tables/log_tags.hpp"

#include <map>
#include <utility>

namespace clearcoat::vmod {

namespace {

using dynamic::backend_store;
using dynamic::domain;
using dynamic::settings;

class director final : public vcl::module_object {
  public:
    director(std::shared_ptr<const settings> how, vcl::environment& surroundings)
        : how_(std::move(how)), surroundings_(surroundings), store_(std::make_shared<backend_store>()) {
        store_->surroundings = &surroundings;
    }
    ~director() override {
        {
            std::lock_guard hold(store_->mutex);
            store_->surroundings = nullptr;
        }
        for (const auto& [name, each] : domains_) {
            surroundings_.remove_director(*each);
        }
    }

    domain& find(const std::string& host, const std::string& port) {
        std::lock_guard hold(mutex_);
        std::shared_ptr<domain>& found = domains_[{host, port}];
        if (found == nullptr) {
            found = std::make_shared<domain>(host, port, how_, store_);
            surroundings_.add_director(*found);
        }
        return *found;
    }
    const settings& how() const noexcept { return *how_; }

  private:
    const std::shared_ptr<const settings> how_;
    vcl::environment& surroundings_;
    const std::shared_ptr<backend_store> store_;
    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<domain>> domains_; // guarded by mutex_
};

// The constructor's arguments, by position.
enum argument : std::size_t {
    port,
    host_header,
    share,
    probe,
    whitelist,
    ttl,
    connect_timeout,
    first_byte_timeout,
    between_bytes_timeout,
    domain_usage_timeout,
    first_lookup_timeout,
    max_connections,
    proxy_header
};

std::optional<base::seconds> timeout(const vcl::value& v) noexcept {
    return v.real > 0 ? std::optional(v.real) : std::nullopt;
}

std::unique_ptr<vcl::module_object> new_director(vcl::call& c, std::string_view name, arguments args) {
    if (args[proxy_header].integer < 0 || args[proxy_header].integer > 2 || args[max_connections].integer < 0) {
        c.fail("dynamic.director(): proxy_header must be 0, 1 or 2, max_connections not negative");
        return nullptr;
    }
    auto how = std::make_shared<settings>();
    how->name = name;
    how->port = args[port].string();
    how->host_header = args[host_header].string();
    how->share_by_host = args[share].string() == "HOST";
    if (args[probe].probe != nullptr) {
        how->probe = *args[probe].probe;
    }
    how->allowed = args[whitelist].acl;
    how->ttl = args[ttl].real;
    how->patience = args[first_lookup_timeout].real;
    how->pattern.connect_timeout = timeout(args[connect_timeout]);
    how->pattern.first_byte_timeout = timeout(args[first_byte_timeout]);
    how->pattern.between_bytes_timeout = timeout(args[between_bytes_timeout]);
    how->pattern.max_connections = static_cast<std::uint32_t>(args[max_connections].integer);
    how->pattern.proxy_header = static_cast<std::uint32_t>(args[proxy_header].integer);
    return std::make_unique<director>(std::move(how), *c.surroundings());
}

/// The Host of the task's request, without its port.
std::string requested_host(vcl::call& c) {
    const bool client = vcl::client_subs.contains(c.where());
    std::string_view host = c.task().header(client ? vcl::message::req : vcl::message::bereq, "host");
    const std::size_t end = host.starts_with('[') ? host.find(']') : host.find(':');
    host = host.substr(0, end);
    return std::string(host.starts_with('[') ? host.substr(1) : host);
}

// backend(STRING host="", STRING port="")
vcl::value backend(vcl::call& c, arguments args) {
    director& self = c.self<director>();
    const std::string host = args[0].string().empty() ? requested_host(c) : std::string(args[0].string());
    if (host.empty()) {
        c.task().log().write(log_tag::Error, "vmod-dynamic: no host name");
        return no_value();
    }
    domain& found = self.find(host, args[1].string().empty() ? self.how().port : std::string(args[1].string()));
    found.refresh(c.task().now());
    if (!found.ready() && !vcl::housekeeping_subs.contains(c.where())) {
        if (std::shared_ptr<vcl::wakeup> waker = c.suspend()) {
            found.wait(std::move(waker));
            return no_value();
        }
    }
    return vcl::value::of(static_cast<vcl::director*>(&found));
}

vcl::value service(vcl::call& c, arguments) {
    c.fail("dynamic: service() needs a resolver, which this version does not have; use backend()");
    return no_value();
}

vcl::value debug(vcl::call&, arguments) {
    return no_value(); // lookups that fail are logged always, and there is no more to tell
}

constexpr vcl::function_row director_methods[] = {
    {"BACKEND backend(STRING host=\"\", STRING port=\"\")", backend},
    {"BACKEND service(STRING service)", service},
    {"VOID debug(BOOL enable)", debug},
};

constexpr vcl::object_row objects[] = {
    {"director(STRING port=\"http\", STRING host_header=\"\", ENUM {DIRECTOR, HOST} share=\"DIRECTOR\", "
     "PROBE probe=0, ACL whitelist=0, DURATION ttl=3600, DURATION connect_timeout=0, DURATION first_byte_timeout=0, "
     "DURATION between_bytes_timeout=0, DURATION domain_usage_timeout=7200, DURATION first_lookup_timeout=10, "
     "INT max_connections=0, INT proxy_header=0)",
     new_director, director_methods},
};

} // namespace

const vcl::module_row dynamic_module{"dynamic", "backends by host name", {}, objects};

} // namespace clearcoat::vmod
