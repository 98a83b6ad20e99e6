// Module xkey: purging by surrogate keys. The cache keeps which object carries which keys while a VCL imports this
// module; what it reads them from is in flow/fetch_store.cpp.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include <algorithm>

namespace clearcoat::vmod {

namespace {

/// Purges by each key of the list.
vcl::value purge_each(vcl::call& c, std::string_view list, bool soft) {
    constexpr std::string_view separators = " \t\r\n,";
    std::int64_t count = 0;
    while (true) {
        list.remove_prefix(std::min(list.find_first_not_of(separators), list.size()));
        const std::string_view key = list.substr(0, list.find_first_of(separators));
        if (key.empty()) {
            return vcl::value::of_integer(count);
        }
        count += c.task().purge_surrogate_key(key, soft);
        list.remove_prefix(key.size());
    }
}

// purge(STRING keys)
vcl::value purge(vcl::call& c, arguments args) {
    return purge_each(c, args[0].string(), false);
}

// softpurge(STRING keys)
vcl::value softpurge(vcl::call& c, arguments args) {
    return purge_each(c, args[0].string(), true);
}

/// While it lives the cache keeps keys.
class key_use final : public vcl::module_object {
  public:
    explicit key_use(vcl::environment& surroundings) noexcept : surroundings_(surroundings) {
        surroundings_.use_surrogate_keys(1);
    }
    ~key_use() override { surroundings_.use_surrogate_keys(-1); }

  private:
    vcl::environment& surroundings_;
};

bool event(vcl::event_call& e) {
    if (e.event == vcl::module_event::load) {
        e.state = std::make_unique<key_use>(e.surroundings);
    }
    return true;
}

constexpr vcl::function_row functions[] = {
    {"INT purge(STRING keys)", purge},
    {"INT softpurge(STRING keys)", softpurge},
};

} // namespace

const vcl::module_row xkey_module{"xkey", "purging by surrogate keys", functions, {}, event};

} // namespace clearcoat::vmod
