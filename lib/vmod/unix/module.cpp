// Module unix: vmod_unix(3). Names of users and groups come from the system's databases, which may be asked over the
// network, so a helper thread asks.
#include "vmod/registry.hpp"
#include "vmod/support/aside.hpp"

#include "tables/log_tags.hpp"

#include <string>
#include <vector>

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

namespace clearcoat::vmod {

namespace {

/// The process at the other end; std::nullopt after a failure or a VCL_Error record.
std::optional<vcl::peer_credentials> peer(const vcl::call& c) {
    if (vcl::housekeeping_subs.contains(c.where())) {
        c.fail("vmod unix failure: may not be called in vcl_init or vcl_fini");
        return std::nullopt;
    }
    const std::optional<vcl::peer_credentials> who = c.task().peer();
    if (!who) {
        c.task().log().write(log_tag::VCL_Error, "vmod unix error: not listening on a Unix domain socket");
    }
    return who;
}

std::string user_name(std::uint32_t uid) {
    std::vector<char> room(16384);
    passwd entry;
    passwd* found = nullptr;
    return ::getpwuid_r(uid, &entry, room.data(), room.size(), &found) == 0 && found != nullptr ? entry.pw_name : "";
}

std::string group_name(std::uint32_t gid) {
    std::vector<char> room(65536);
    group entry;
    group* found = nullptr;
    return ::getgrgid_r(gid, &entry, room.data(), room.size(), &found) == 0 && found != nullptr ? entry.gr_name : "";
}

const char user_key = 0;
const char group_key = 0;

vcl::value named(vcl::call& c, const void* key, std::uint32_t id, std::string (*find)(std::uint32_t)) {
    const auto name = do_aside<std::string>(
        c, blocking_lane(), key, std::to_string(id), [find, id] { return find(id); }, std::string());
    if (!name) {
        return no_value();
    }
    if (name->empty()) {
        c.task().log().write(log_tag::VCL_Error, "vmod unix error: could not read peer credentials: no such name");
        return no_value();
    }
    return workspace_text(c, *name);
}

vcl::value user(vcl::call& c, arguments) {
    const auto who = peer(c);
    return who ? named(c, &user_key, who->uid, user_name) : no_value();
}

vcl::value group_of_peer(vcl::call& c, arguments) {
    const auto who = peer(c);
    return who ? named(c, &group_key, who->gid, group_name) : no_value();
}

vcl::value uid(vcl::call& c, arguments) {
    const auto who = peer(c);
    return vcl::value::of_integer(who ? static_cast<std::int64_t>(who->uid) : -1);
}

vcl::value gid(vcl::call& c, arguments) {
    const auto who = peer(c);
    return vcl::value::of_integer(who ? static_cast<std::int64_t>(who->gid) : -1);
}

constexpr vcl::function_row functions[] = {
    {"STRING user()", user},
    {"STRING group()", group_of_peer},
    {"INT uid()", uid},
    {"INT gid()", gid},
};

} // namespace

const vcl::module_row unix_module{"unix", "who is at the other end of a unix socket", functions};

} // namespace clearcoat::vmod
