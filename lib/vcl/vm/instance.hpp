// A program brought to life in the worker: its backends, ACLs and module objects exist, vcl_init has run. Made, warmed,
// cooled and ended on the control thread; while it lives, any loop may run its subroutines.
#pragma once

#include "vcl/vm/director.hpp"
#include "vcl/vm/environment.hpp"
#include "vcl/vm/program.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {

struct filter_row;

class instance {
  public:
    /// Runs declarations and vcl_init. nullptr and the reason (as vcl.load prints it) when something fails; whatever
    /// was made by then is undone, vcl_fini included. `env` outlives the instance.
    static std::shared_ptr<instance> create(std::string name, std::shared_ptr<const program> code, environment& env,
                                            std::string& error);
    /// Runs vcl_fini and destroys the module objects in reverse order; no task may use it any more.
    ~instance();
    instance(const instance&) = delete;
    instance& operator=(const instance&) = delete;

    /// The VCL's name in the CLI and in the log.
    const std::string& name() const noexcept;
    const vcl::program& code() const noexcept;

    /// What req.backend_hint is at first; nullptr only for `backend default none`.
    director* default_backend() const noexcept;
    /// A declared backend or an object that is a director ("vdir"), nullptr when there is none.
    director* backend(std::string_view backend_name) const noexcept;
    std::span<director* const> backends() const noexcept;
    /// Whether the VCL has its own text for that subroutine, besides what the builtin VCL says.
    bool has_own(sub_id which) const noexcept;
    /// A body filter of an imported module; nullptr when there is none of that name.
    const filter_row* filter(std::string_view filter_name) const noexcept;

    /// Tells the modules that the VCL becomes warm; false and the reason when one refuses, and those told before it are
    /// cold again. cool() is the reverse.
    bool warm(std::string& error);
    void cool() noexcept;

    struct state; // vm/instance_state.hpp: what the machine reads
    const state& inside() const noexcept { return *state_; }

  private:
    explicit instance(std::unique_ptr<state> s);
    std::unique_ptr<state> state_;
};

} // namespace clearcoat::vcl
