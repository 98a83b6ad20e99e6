// round_robin, fallback, random and hash: each is a list of members and a way to choose.
#include "vmod/directors/functions.hpp"
#include "vmod/directors/hash32.hpp"
#include "vmod/directors/simple_director.hpp"

#include "base/testable_random.hpp"

#include <atomic>
#include <cmath>
#include <mutex>

namespace clearcoat::vmod::directors {

namespace {

class round_robin final : public simple_director {
  public:
    using simple_director::simple_director;
    std::string_view kind() const noexcept override { return "round-robin"; }

    vcl::director* resolve(vcl::host& task) noexcept override {
        return members().with([&](const std::vector<member>& all) -> vcl::director* {
            for (std::size_t i = 0; i < all.size(); ++i) {
                vcl::director* one = all[next_.fetch_add(1, std::memory_order_relaxed) % all.size()].backend;
                if (one->effective_state(&task).healthy) {
                    return one;
                }
            }
            return nullptr;
        });
    }

  private:
    std::atomic<std::size_t> next_{0};
};

class fallback final : public simple_director {
  public:
    fallback(std::string_view name, vcl::environment& surroundings, bool sticky)
        : simple_director(name, surroundings), sticky_(sticky) {}
    std::string_view kind() const noexcept override { return "fallback"; }

    vcl::director* resolve(vcl::host& task) noexcept override {
        return members().with([&](const std::vector<member>& all) -> vcl::director* {
            std::lock_guard hold(current_mutex_);
            current_ = sticky_ && current_ < all.size() ? current_ : 0;
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (all[current_].backend->effective_state(&task).healthy) {
                    return all[current_].backend;
                }
                current_ = (current_ + 1) % all.size();
            }
            return nullptr;
        });
    }

  protected:
    void removed(std::size_t index) noexcept override {
        std::lock_guard hold(current_mutex_);
        current_ -= index < current_ ? 1 : 0;
    }

    member_listing::style style() const override {
        std::size_t now = 0;
        {
            std::lock_guard hold(current_mutex_);
            now = current_;
        }
        member_listing::style s;
        s.column = "Current";
        s.cell = [now](std::size_t i, const member&, bool, double) { return std::string(i == now ? "\t*\t" : "\t\t"); };
        s.field = [now](std::size_t i, const member&, bool) {
            return std::string(i == now ? "      \"current\": true,\n" : "      \"current\": false,\n");
        };
        s.head = [sticky = sticky_](double) {
            return std::string(sticky ? "  \"sticky\": true,\n" : "  \"sticky\": false,\n");
        };
        return s;
    }

  private:
    const bool sticky_;
    mutable std::mutex current_mutex_;
    std::size_t current_ = 0; // guarded by current_mutex_
};

class random_director final : public simple_director {
  public:
    using simple_director::simple_director;
    std::string_view kind() const noexcept override { return "random"; }

    vcl::director* resolve(vcl::host& task) noexcept override {
        return members().pick(task, std::ldexp(static_cast<double>(base::testable_random()), -31));
    }

  protected:
    member_listing::style style() const override { return weighted_style(); }
};

/// Chooses when .backend() is called: it is never asked afterwards.
class hash_director final : public simple_director {
  public:
    using simple_director::simple_director;
    std::string_view kind() const noexcept override { return "hash"; }
    health state(vcl::host*) noexcept override { return {true, changed()}; }
    bool probed() const noexcept override { return false; }
    vcl::director* resolve(vcl::host&) noexcept override { return nullptr; }
    vcl::director* choose(vcl::host& task, const vcl::strand_list& text) {
        return members().pick(task, std::ldexp(static_cast<double>(hash32(text)), -32));
    }

    std::string list(listing form) override {
        switch (form) {
        case listing::row:
            return "0/0\thealthy";
        case listing::json:
            return "[0, 0, \"healthy\"]";
        default:
            return {};
        }
    }
};

simple_director& self_of(vcl::call& c) {
    return c.self<simple_director>();
}

} // namespace

made new_round_robin(vcl::call& c, std::string_view name, arguments) {
    return std::make_unique<round_robin>(name, *c.surroundings());
}

// fallback(BOOL sticky=0)
made new_fallback(vcl::call& c, std::string_view name, arguments args) {
    return std::make_unique<fallback>(name, *c.surroundings(), args[0].boolean);
}

made new_random(vcl::call& c, std::string_view name, arguments) {
    return std::make_unique<random_director>(name, *c.surroundings());
}

made new_hash(vcl::call& c, std::string_view name, arguments) {
    return std::make_unique<hash_director>(name, *c.surroundings());
}

vcl::value add_backend(vcl::call& c, arguments args) {
    self_of(c).add(c, args[0].backend, 0);
    return no_value();
}

vcl::value add_weighted(vcl::call& c, arguments args) {
    self_of(c).add(c, args[0].backend, args[1].real);
    return no_value();
}

vcl::value remove_backend(vcl::call& c, arguments args) {
    self_of(c).remove(c, args[0].backend);
    return no_value();
}

vcl::value itself(vcl::call& c, arguments) {
    return vcl::value::of(static_cast<vcl::director*>(&self_of(c)));
}

vcl::value hash_backend(vcl::call& c, arguments args) {
    return vcl::value::of(static_cast<hash_director&>(self_of(c)).choose(c.task(), args[0].strands));
}

// lookup(STRING)
vcl::value lookup(vcl::call& c, arguments args) {
    if (!vcl::housekeeping_subs.contains(c.where())) {
        c.fail("lookup() may only be called from vcl_init / vcl_fini");
        return no_value();
    }
    return vcl::value::of(undefined(args[0]) ? nullptr : c.surroundings()->find_director(args[0].string()));
}

} // namespace clearcoat::vmod::directors
