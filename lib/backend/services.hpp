// What backends need from the worker around them. worker/ implements it over the shared memory segments and its loops,
// tests with a fake. It outlives every backend.
#pragma once

#include "base/clock.hpp"
#include "base/log.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <string_view>

namespace clearcoat::net {
class loop;
}
namespace clearcoat::vcl {
class object_listener;
class storage_handle;
} // namespace clearcoat::vcl

namespace clearcoat::backend {

class services {
  public:
    virtual ~services() = default;

    // Any thread.
    virtual const tables::param_block& params() const noexcept = 0;
    virtual const base::clock& clock() const noexcept = 0;
    /// A record that belongs to no transaction.
    virtual void log(log_tag tag, std::string_view text) noexcept = 0;
    /// The loop that shall run the next probe; called again for each probe, so that they spread.
    virtual net::loop& probe_loop() noexcept = 0;

    // Any thread, too: modules make backends while requests run.
    /// A segment named `VBE.<name>`, hidden until show_counters(). Never nullptr.
    virtual tables::vbe_counters* add_counters(std::string_view name) = 0;
    virtual void show_counters(tables::vbe_counters& counters, bool visible) noexcept = 0;
    virtual void remove_counters(tables::vbe_counters& counters) noexcept = 0;
    /// n_backend of the main counters.
    virtual void count_backends(int change) noexcept = 0;
    virtual const vcl::storage_handle* storage(std::string_view name) const noexcept = 0;

    // What a VCL's environment passes on to the worker.
    virtual std::string_view identity() const noexcept = 0;
    virtual std::string_view hostname() const noexcept = 0;
    virtual void listen(vcl::object_listener& listener) = 0;
    virtual void unlisten(vcl::object_listener& listener) noexcept = 0;
    virtual void use_surrogate_keys(int change) noexcept = 0;
};

} // namespace clearcoat::backend
