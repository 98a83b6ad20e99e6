// Backends made while the VCL runs, and a director that fails. Host names of dyn are numeric: a name would have to be
// asked for, which a loop must not do.
#include "vmod/debug/functions.hpp"

#include "vcl/vm/environment.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/core.h>
#include <sys/stat.h>

namespace clearcoat::vmod::debug {

namespace {

class failing_director final : public vcl::module_object, public vcl::director {
  public:
    failing_director(std::string_view name, vcl::environment& surroundings)
        : vcl::director(std::string(name)), surroundings_(surroundings) {
        surroundings_.add_director(*this);
    }
    ~failing_director() override { surroundings_.remove_director(*this); }

    health state(vcl::host* task) noexcept override {
        if (task != nullptr) {
            task->fail("fail");
        }
        return {};
    }
    vcl::director* resolve(vcl::host& task) noexcept override {
        task.fail("fail");
        return nullptr;
    }
    std::string list(listing form) override { return form == listing::json ? "[0, 0, \"healthy\"]" : "0/0\thealthy"; }
    std::string_view kind() const noexcept override { return "debug.director"; }

  private:
    vcl::environment& surroundings_;
};

/// A backend that can be replaced; old ones stay until the VCL goes, since fetches may use them, but are sick for good.
class dynamic_backend final : public vcl::module_object {
  public:
    explicit dynamic_backend(std::string_view name) : name_(name) {}
    const std::string& name() const noexcept { return name_; }
    void replace(vcl::director& by) noexcept {
        if (vcl::director* old = current_.exchange(&by, std::memory_order_acq_rel)) {
            old->set_admin(vcl::director::admin_health::sick, base::system_clock().real());
        }
    }
    vcl::director* current() const noexcept { return current_.load(std::memory_order_acquire); }

  private:
    std::string name_;
    std::atomic<vcl::director*> current_{nullptr};
};

bool connect_to(vcl::call& c, dynamic_backend& self, arguments args) {
    const std::string_view host = args[0].string();
    if (host.empty() || args[1].string().empty()) {
        c.fail("Missing dynamic backend address or port");
        return false;
    }
    vcl::backend_spec spec;
    spec.name = self.name();
    spec.host = host;
    spec.port = args[1].string();
    const auto address = base::parse_ip(host == "localhost" ? "127.0.0.1" : host,
                                        static_cast<std::uint16_t>(std::atoi(spec.port.c_str())));
    if (!address) {
        c.fail(fmt::format("debug.dyn(): {} is no numeric address", host));
        return false;
    }
    (address->kind == base::ip_address::family::v4 ? spec.ipv4 : spec.ipv6) = *address;
    if (args[2].probe != nullptr) {
        spec.probe = *args[2].probe;
    }
    self.replace(c.surroundings()->add_backend(spec));
    return true;
}

bool connect_to_socket(vcl::call& c, dynamic_backend& self, const vcl::value& path) {
    const std::string where(path.string());
    struct stat about;
    std::string why;
    if (undefined(path)) {
        why = "path is NULL";
    } else if (where.empty() || where.front() != '/') {
        why = fmt::format("path must be an absolute path: {}", where);
    } else if (::stat(where.c_str(), &about) != 0) {
        why = fmt::format("Cannot stat path {}: {}", where, std::strerror(errno));
    } else if (!S_ISSOCK(about.st_mode)) {
        why = fmt::format("{} is not a socket", where);
    }
    if (!why.empty()) {
        c.fail(why);
        return false;
    }
    vcl::backend_spec spec;
    spec.name = self.name();
    spec.path = where;
    self.replace(c.surroundings()->add_backend(spec));
    return true;
}

} // namespace

made new_director(vcl::call& c, std::string_view name, arguments) {
    return std::make_unique<failing_director>(name, *c.surroundings());
}

vcl::value director_fail(vcl::call& c, arguments) {
    return vcl::value::of(static_cast<vcl::director*>(&c.self<failing_director>()));
}

// dyn(STRING addr, STRING port, PROBE probe=0)
made new_dyn(vcl::call& c, std::string_view name, arguments args) {
    auto made_one = std::make_unique<dynamic_backend>(name);
    return connect_to(c, *made_one, args) ? std::move(made_one) : nullptr;
}

// dyn_uds(STRING path)
made new_dyn_uds(vcl::call& c, std::string_view name, arguments args) {
    auto made_one = std::make_unique<dynamic_backend>(name);
    return connect_to_socket(c, *made_one, args[0]) ? std::move(made_one) : nullptr;
}

vcl::value dyn_backend(vcl::call& c, arguments) {
    return vcl::value::of(c.self<dynamic_backend>().current());
}

vcl::value dyn_refresh(vcl::call& c, arguments args) {
    connect_to(c, c.self<dynamic_backend>(), args);
    return no_value();
}

vcl::value dyn_uds_refresh(vcl::call& c, arguments args) {
    connect_to_socket(c, c.self<dynamic_backend>(), args[0]);
    return no_value();
}

// test_probe(PROBE probe, PROBE same=0)
vcl::value test_probe(vcl::call& c, arguments args) {
    if (args[0].probe == nullptr || (args[1].probe != nullptr && args[1].probe != args[0].probe)) {
        c.fail("debug.test_probe(): not the same probe");
    }
    return no_value();
}

} // namespace clearcoat::vmod::debug
