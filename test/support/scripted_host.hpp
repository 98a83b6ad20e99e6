// A task for tests of the machine and of modules: headers and variables are maps that the test fills, calls are
// recorded, and the answers of everything else are public members.
#pragma once

#include "base/ascii.hpp"
#include "base/panic.hpp"
#include "support/scripted_log.hpp"
#include "vcl/vm/host.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

namespace clearcoat::test {

/// Lets a test wait until a module wakes its task.
class scripted_wakeup : public vcl::wakeup {
  public:
    void wake() noexcept override {
        std::lock_guard hold(mutex_);
        woken_ = true;
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock hold(mutex_);
        changed_.wait(hold, [this] { return woken_; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false;
};

class scripted_host : public vcl::host {
  public:
    using field = std::pair<std::string, std::string>;

    scripted_log records;
    base::seconds time = 1000000000;
    std::map<vcl::message, std::deque<field>> headers; // views of a field outlive adding another
    std::map<tables::vcl_variable, vcl::value> variables;
    std::vector<std::string> hashed;
    std::string hashed_bytes;
    std::string synthetic_body;
    std::vector<std::string> bans;
    std::optional<std::string> ban_refusal;
    std::vector<vcl::message> rolled_back;
    std::string failure; // the first reason given to fail()
    body_state body = body_state::ready;
    std::vector<std::string> body_parts;
    std::uint64_t body_limit = 0;
    std::int64_t purged = -1;
    base::seconds purge_ttl = 0, purge_grace = 0, purge_keep = 0;
    std::vector<std::string> timestamps;
    std::optional<bool> late_continue;
    int descriptor = -1;
    std::vector<std::pair<std::string, bool>> key_purges; // the key, and whether softly
    std::int64_t keyed_objects = 0;                       // what such a purge finds
    vcl::lookup_choice choice = vcl::lookup_choice::usual;
    std::optional<vcl::peer_credentials> credentials;
    std::map<std::uint8_t, std::string> tlvs;
    bool can_wait = true;
    std::shared_ptr<scripted_wakeup> waiting; // of the last suspend()
    const vcl::instance* loaded = nullptr;

    base::arena& workspace() noexcept override { return arena_; }
    base::log_writer& log() noexcept override { return records; }
    base::seconds now() const noexcept override { return time; }
    const vcl::instance& program() const noexcept override {
        CLEARCOAT_ASSERT(loaded != nullptr);
        return *loaded;
    }

    std::string_view header(vcl::message where, std::string_view name) noexcept override {
        for (const field& f : headers[where]) {
            if (base::equal_nocase(f.first, name)) {
                return f.second;
            }
        }
        return {};
    }
    void set_header(vcl::message where, std::string_view name, std::string_view value) noexcept override {
        std::string copy(value);
        unset_header(where, name);
        headers[where].emplace_back(std::string(name), std::move(copy));
    }
    void unset_header(vcl::message where, std::string_view name) noexcept override {
        std::erase_if(headers[where], [name](const field& f) { return base::equal_nocase(f.first, name); });
    }
    void add_header(vcl::message where, std::string_view name, std::string_view value) noexcept override {
        headers[where].emplace_back(std::string(name), std::string(value));
    }
    void edit_headers(vcl::message where, const field_editor& edit) override {
        std::deque<field> after;
        for (const field& f : headers[where]) {
            std::string line;
            switch (edit(f.first + ": " + f.second, line)) {
            case field_fate::keep:
                after.push_back(f);
                break;
            case field_fate::replace:
                after.emplace_back(line.substr(0, line.find(':')),
                                   line.substr(std::min(line.find(':'), line.size() - 2) + 2));
                break;
            case field_fate::drop:
                break;
            }
        }
        headers[where] = std::move(after);
    }
    void each_header(vcl::message where,
                     const std::function<bool(std::string_view, std::string_view)>& visit) override {
        for (const field& f : headers[where]) {
            if (!visit(f.first, f.second)) {
                return;
            }
        }
    }
    void collect_header(vcl::message where, std::string_view name, std::string_view separator) noexcept override {
        std::string all;
        for (const field& f : headers[where]) {
            if (base::equal_nocase(f.first, name)) {
                all += (all.empty() ? "" : std::string(separator)) + f.second;
            }
        }
        set_header(where, name, all);
    }

    vcl::value get(tables::vcl_variable variable) noexcept override { return variables[variable]; }
    void set(tables::vcl_variable variable, const vcl::value& v) noexcept override { variables[variable] = v; }
    void unset(tables::vcl_variable variable) noexcept override { variables.erase(variable); }

    void hash_data(std::string_view text) noexcept override { hashed.emplace_back(text); }
    void hash_bytes(std::string_view bytes) noexcept override { hashed_bytes += bytes; }
    bool has_cached_body() const noexcept override { return !body_parts.empty(); }
    void synthetic(std::string_view text, bool replace) noexcept override {
        synthetic_body = (replace ? std::string() : synthetic_body) + std::string(text);
    }
    std::optional<std::string> ban(std::string_view expression) noexcept override {
        bans.emplace_back(expression);
        return ban_refusal;
    }
    void rollback(vcl::message where) noexcept override { rolled_back.push_back(where); }
    void fail(std::string_view reason) noexcept override {
        records.write(log_tag::VCL_Error, reason);
        if (!failed_) {
            failure = reason;
        }
        failed_ = true;
    }
    bool failed() const noexcept override { return failed_; }
    void forget_failure() {
        failed_ = false;
        failure.clear();
    }

    body_state cache_request_body(std::uint64_t limit) noexcept override {
        body_limit = limit;
        return body;
    }
    void each_request_body_part(const std::function<bool(std::string_view)>& visit) override {
        for (const std::string& part : body_parts) {
            if (!visit(part)) {
                return;
            }
        }
    }

    std::int64_t purge(base::seconds ttl, base::seconds grace, base::seconds keep) noexcept override {
        purge_ttl = ttl;
        purge_grace = grace;
        purge_keep = keep;
        return purged;
    }
    void timestamp(std::string_view label) noexcept override { timestamps.emplace_back(label); }
    void late_100_continue(bool late) noexcept override { late_continue = late; }
    int client_descriptor() const noexcept override { return descriptor; }
    void choose_object(vcl::lookup_choice c) noexcept override { choice = c; }
    std::int64_t purge_surrogate_key(std::string_view key, bool soft) noexcept override {
        key_purges.emplace_back(std::string(key), soft);
        return keyed_objects;
    }
    std::optional<vcl::peer_credentials> peer() noexcept override { return credentials; }
    std::string_view proxy_tlv(std::uint8_t type) noexcept override {
        auto found = tlvs.find(type);
        return found == tlvs.end() ? std::string_view() : std::string_view(found->second);
    }

    std::shared_ptr<vcl::wakeup> suspend() override {
        if (!can_wait) {
            return nullptr;
        }
        waiting = std::make_shared<scripted_wakeup>();
        return waiting;
    }
    std::unique_ptr<vcl::task_private>& private_data(vcl::private_scope scope, const void* owner) override {
        return privates_[{scope, owner}];
    }

    /// Ends the task: what modules kept for it is told so and destroyed.
    void end_task() {
        for (auto& [key, data] : privates_) {
            if (data != nullptr) {
                data->task_ends(*this);
            }
        }
        privates_.clear();
    }

  private:
    base::chunk_cache chunks_{65536, 4};
    base::arena arena_{chunks_, 65536};
    std::map<std::pair<vcl::private_scope, const void*>, std::unique_ptr<vcl::task_private>> privates_;
    bool failed_ = false;
};

} // namespace clearcoat::test
