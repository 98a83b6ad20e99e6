#include "sys/jail.hpp"

#include "base/panic.hpp"
#include "sys/fd.hpp"

#include <cerrno>
#include <fmt/core.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace clearcoat::sys {

namespace {

constexpr char manager_user[] = "varnish";
constexpr char worker_user[] = "vcache";

bool look_up(const std::string& name, uid_t& uid, gid_t& gid) {
    const passwd* entry = ::getpwnam(name.c_str());
    if (entry == nullptr) {
        return false;
    }
    uid = entry->pw_uid;
    gid = entry->pw_gid;
    return true;
}

} // namespace

std::optional<jail> jail::automatic() {
    jail made;
    if (::geteuid() == 0 && look_up(manager_user, made.uid_, made.gid_)) {
        made.unix_ = true;
        made.user_ = manager_user;
        made.settle();
    }
    return made;
}

std::optional<jail> jail::from_words(const std::vector<std::string>& words, std::string& error) {
    error.clear();
    if (words.empty()) {
        return automatic();
    }
    jail made;
    if (words[0] == "none") {
        error = words.size() > 1 ? "-jnone takes no arguments.\n" : "";
    } else if (words[0] != "unix" && words[0] != "linux") {
        error = fmt::format("Unknown jail method \"{}\"\n", words[0]);
    } else if (::geteuid() != 0) {
        error = "Unix Jail: Must be root.\n";
    } else {
        error = made.take_words(words);
    }
    if (!error.empty()) {
        return std::nullopt;
    }
    return made;
}

std::string jail::take_words(const std::vector<std::string>& words) {
    constexpr std::string_view huge_pages = "transparent_hugepage=";
    unix_ = true;
    linux_ = words[0] == "linux";
    std::string setting = "try-disable";
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (linux_ && words[i].starts_with(huge_pages)) {
            setting = words[i].substr(huge_pages.size());
        } else if (std::string error = take_word(words[i]); !error.empty()) {
            return error;
        }
    }
    if (linux_) {
        if (std::string error = set_huge_pages(setting); !error.empty()) {
            return error;
        }
    }
    return settle();
}

std::string jail::set_huge_pages(const std::string& setting) {
    if (setting == "ignore") {
        return {};
    }
    const bool enable = setting == "enable";
    if (!enable && setting != "disable" && setting != "try-disable") {
        return fmt::format("linux jail: unknown value '{}' for argument transparent_hugepage.\n", setting);
    }
    // The worker inherits it.
    if (::prctl(PR_SET_THP_DISABLE, enable ? 0UL : 1UL, 0UL, 0UL, 0UL) == 0) {
        return {};
    }
    const std::string failure = fmt::format("linux jail: Could not {} Transparent Hugepage: {} ({})",
                                            enable ? "enable" : "disable", error_text(errno), errno);
    if (setting == "try-disable") {
        warning_ = failure;
        return {};
    }
    return failure + "\n";
}

std::string jail::take_word(const std::string& word) {
    const auto value_of = [&](std::string_view key) { return word.substr(key.size()); };
    if (word.starts_with("user=")) {
        user_ = value_of("user=");
        return look_up(user_, uid_, gid_) ? "" : fmt::format("Unix jail: {} user not found.\n", user_);
    }
    if (word.starts_with("group=")) {
        const group* entry = ::getgrnam(value_of("group=").c_str());
        group_ = entry == nullptr ? group_ : std::optional(entry->gr_gid);
        return entry != nullptr ? "" : fmt::format("Unix jail: {} group not found.\n", value_of("group="));
    }
    if (word.starts_with("workuser=")) {
        work_user_ = value_of("workuser=");
        return look_up(work_user_, work_uid_, work_gid_) ? ""
                                                         : fmt::format("Unix jail: {} user not found.\n", work_user_);
    }
    if (word.starts_with("ccgroup=")) {
        // There is no compiler to run; the group must exist all the same.
        const std::string name = value_of("ccgroup=");
        return ::getgrnam(name.c_str()) != nullptr ? "" : fmt::format("Unix jail: {} group not found.\n", name);
    }
    return fmt::format("Unix jail: unknown sub-argument '{}'\n", word);
}

std::string jail::settle() {
    if (user_.empty()) {
        user_ = manager_user;
        if (!look_up(user_, uid_, gid_)) {
            return fmt::format("Unix jail: {} user not found.\n", user_);
        }
    }
    own_gid_ = ::getgid();
    if (work_user_.empty()) {
        work_user_ = worker_user;
        if (!look_up(work_user_, work_uid_, work_gid_)) {
            work_user_ = user_;
            work_uid_ = uid_;
            work_gid_ = gid_;
        }
    }
    if (group_) {
        gid_ = work_gid_ = *group_;
    }
    if (work_gid_ != gid_) {
        return fmt::format("Unix jail: user {} and {} have different login groups\n", user_, work_user_);
    }
    return {};
}

void jail::lower() const noexcept {
    if (unix_) {
        CLEARCOAT_ASSERT(::setegid(gid_) == 0);
        CLEARCOAT_ASSERT(::seteuid(uid_) == 0);
    }
}

void jail::raise() const noexcept {
    if (unix_) {
        CLEARCOAT_ASSERT(::seteuid(0) == 0);
        CLEARCOAT_ASSERT(::setegid(own_gid_) == 0);
    }
}

worker_identity jail::worker() const {
    return {unix_, work_uid_, work_gid_, work_user_};
}

bool become(const worker_identity& identity) noexcept {
    if (!identity.drop) {
        return true;
    }
    if (::setgid(identity.gid) != 0 || ::initgroups(identity.user.c_str(), identity.gid) != 0 ||
        ::setuid(identity.uid) != 0) {
        return false;
    }
    // Changing ids switches core dumps off.
    ::prctl(PR_SET_DUMPABLE, 1);
    return true;
}

} // namespace clearcoat::sys
