// The base of the directors that choose from a list of members, and the module objects they are.
#pragma once

#include "vcl/module.hpp"
#include "vmod/directors/member_list.hpp"

#include <string_view>

namespace clearcoat::vmod::directors {

/// Is in backend.list from its making to its end.
class simple_director : public vcl::module_object, public vcl::director {
  public:
    simple_director(std::string_view name, vcl::environment& surroundings);
    ~simple_director() override;

    health state(vcl::host* task) noexcept override { return members_.any_healthy(task); }
    std::string list(listing form) override;

    /// A None backend makes the VCL fail.
    void add(const vcl::call& c, vcl::director* backend, double weight);
    void remove(const vcl::call& c, const vcl::director* backend);

  protected:
    member_list& members() noexcept { return members_; }
    /// The position of a member that is gone.
    virtual void removed(std::size_t) noexcept {}
    virtual member_listing::style style() const;

  private:
    member_list members_;
    vcl::environment& surroundings_;
};

/// A style whose middle column is each member's share of the weight.
member_listing::style weighted_style();

} // namespace clearcoat::vmod::directors
