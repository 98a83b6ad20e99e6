// Everything a fetch machine needs, without sockets: real cache and VCL, a clock turned by hand, logs that keep their
// records, and a driver that answers each action from a script.
#pragma once

#include "support/small_vcl.hpp"

#include "base/log.hpp"
#include "cache/body_cursor.hpp"
#include "cache/index.hpp"
#include "cache/storage/malloc/malloc_storage.hpp"
#include "cache/storage/storage_set.hpp"
#include "flow/fetch_fsm.hpp"
#include "flow/object_reader.hpp"
#include "flow/services.hpp"
#include "flow/storage_handles.hpp"
#include "support/scripted_log.hpp"
#include "tables/counters.hpp"
#include "tables/params.hpp"

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::test {

class hand_clock final : public base::clock {
  public:
    base::seconds real() const noexcept override { return at; }
    base::seconds monotonic() const noexcept override { return at; }
    base::seconds at = 1000000000;
};

class kept_log final : public base::task_log {
  public:
    void write(log_tag tag, std::string_view text) noexcept override { records.push_back({tag, std::string(text)}); }
    std::span<char> begin(log_tag tag) noexcept override {
        open_ = tag;
        return room_;
    }
    void end(std::size_t size) noexcept override { write(open_, {room_.data(), size}); }
    void flush() noexcept override {}
    void reset(base::vxid_number vxid, base::log_side) noexcept override { vxid_ = vxid; }
    base::vxid_number vxid() const noexcept override { return vxid_; }

    /// The texts of all records of that tag, in order.
    std::vector<std::string> texts(log_tag tag) const {
        std::vector<std::string> out;
        for (const auto& r : records) {
            if (r.tag == tag) {
                out.push_back(r.text);
            }
        }
        return out;
    }

    std::vector<scripted_log::record> records;

  private:
    log_tag open_ = log_tag::bogus;
    base::vxid_number vxid_ = 0;
    std::array<char, 4096> room_{};
};

/// One answer of the script: what a backend or the network does next.
struct step {
    enum class kind { connect, refuse, sent, send_fails, client_fails, bytes, end, timeout, breaks, cancel } what;
    std::string text = {}; // bytes
    bool reused = false;   // connect
};

class fetch_bench final : private flow::vxid_source, private flow::log_pool, private flow::fetch_port {
  public:
    explicit fetch_bench(const std::string& vcl_text = "") : vcl(vcl_text), storages_(make_storages()) {
        head_.reset(arena_, 64);
        set_request("GET", "/");
    }

    ~fetch_bench() override {
        object.reset(); // before the storage it lies in
    }

    void set_request(std::string_view method, std::string_view url) {
        head_.set_method(method);
        head_.set_url(url);
        head_.set_protocol("HTTP/1.1");
    }
    http::head& request_head() { return head_; }

    /// A cacheable miss under a key of its own.
    flow::fetch_request miss(std::string_view key = "key") {
        flow::fetch_request r = common();
        base::digest digest{};
        std::copy_n(key.begin(), std::min(key.size(), digest.size()), reinterpret_cast<char*>(digest.data()));
        cache::lookup_request question;
        question.key = &digest;
        question.now = clock.at;
        cache::lookup_result found = cache.lookup(question);
        r.object = found.busy;
        r.stale = found.object;
        r.hash = digest;
        return r;
    }
    flow::fetch_request pass() {
        flow::fetch_request r = common();
        r.mode = flow::fetch_mode::pass;
        r.object = cache.make_private();
        return r;
    }

    /// Runs a fetch to its end. The script must be used up exactly; returns what it did not expect, else "".
    std::string run(flow::fetch_request request, std::deque<step> script) {
        object = request.object;
        flow::fetch_fsm machine(svc, *this, std::move(request));
        return drive(machine, machine.start(), script);
    }

    flow::fetch_port& port() noexcept { return *this; }

    std::string body() const {
        cache::body_cursor cursor(object);
        std::string all;
        std::span<const char> part;
        while (true) {
            cache::cursor_read got = cursor.peek(std::span(&part, 1));
            if (got.status != cache::cursor_status::data) {
                return all;
            }
            all.append(part.data(), part.size());
            cursor.advance(got.bytes);
        }
    }
    unsigned status() const { return flow::head_of(*object).status(); }
    std::string field(std::string_view name) const { return std::string(flow::head_of(*object).get(name)); }

    std::vector<std::string> texts(log_tag tag) const { return log.texts(tag); }
    std::string last(log_tag tag) const {
        std::vector<std::string> all = texts(tag);
        return all.empty() ? std::string() : all.back();
    }

    hand_clock clock;
    tables::param_block block;
    tables::parameter_set params{block};
    tables::main_counters counters;
    tables::main_counters shared;
    small_vcl vcl;
    kept_log log;
    std::string sent;                                  // heads of the requests that went out
    std::vector<std::string> done;                     // releases and the like, in order
    std::function<void(flow::fetch_fsm&)> before_step; // called before each answer
    cache::object_ref object;

  private:
    std::unique_ptr<cache::storage_set> make_storages() {
        auto set = std::make_unique<cache::storage_set>(std::make_unique<cache::malloc_storage>("Transient", 0));
        set->add(std::make_unique<cache::malloc_storage>("s0", 16u << 20));
        return set;
    }

    flow::fetch_request common() {
        flow::fetch_request r;
        r.req = &head_;
        r.program = vcl.program();
        r.backend = vcl.program()->default_backend();
        r.parent = 1001;
        r.session = session_;
        return r;
    }

    std::string drive(flow::fetch_fsm& m, flow::fetch_action a, std::deque<step>& script) {
        using kind = flow::fetch_action::kind;
        while (a.what != kind::finished) {
            if (a.what == kind::release) {
                done.push_back(a.recycle ? "recycle" : "close");
                a = m.on_released();
                continue;
            }
            if (before_step) {
                before_step(m);
            }
            if (script.empty()) {
                return "script is over, but the machine goes on";
            }
            step s = script.front();
            script.pop_front();
            if (s.what == step::kind::cancel) {
                a = m.cancel();
            } else if (!answer(m, a, s)) {
                m.cancel();
                return "the machine wants something else";
            }
        }
        return script.empty() ? "" : "the machine is done before the script";
    }

    bool answer(flow::fetch_fsm& m, flow::fetch_action& a, const step& s) {
        using kind = flow::fetch_action::kind;
        switch (a.what) {
        case kind::connect:
            return answer_connect(m, a, s);
        case kind::send:
            return answer_send(m, a, s);
        case kind::read:
            return answer_read(m, a, s);
        default:
            return false;
        }
    }

    bool answer_connect(flow::fetch_fsm& m, flow::fetch_action& a, const step& s) {
        if (s.what == step::kind::refuse) {
            a = m.on_connect_failed(flow::connect_fault::failed, "backend b: fail errno 111 (Connection refused)");
            return true;
        }
        if (s.what != step::kind::connect || (s.reused && a.fresh)) {
            return false;
        }
        flow::connection_facts facts;
        facts.fd = 9;
        facts.reused = s.reused;
        facts.open_record = "9 b 192.0.2.1 80 192.0.2.2 1234 connect";
        a = m.on_connected(facts);
        return true;
    }

    bool answer_send(flow::fetch_fsm& m, flow::fetch_action& a, const step& s) {
        flow::send_report report;
        report.bytes = a.head.size();
        sent.append(a.head);
        if (s.what == step::kind::send_fails) {
            report.what = flow::send_report::fault::backend;
            report.error = 32;
        } else if (s.what == step::kind::client_fails) {
            report.what = flow::send_report::fault::client;
            report.error = 104;
        } else if (s.what != step::kind::sent) {
            return false;
        }
        a = m.on_sent(report);
        return true;
    }

    bool answer_read(flow::fetch_fsm& m, flow::fetch_action& a, const step& s) {
        using kind = flow::read_report::kind;
        switch (s.what) {
        case step::kind::bytes:
            return feed(m, a, s.text);
        case step::kind::end:
            a = m.on_read({kind::end, 0, 0});
            return true;
        case step::kind::timeout:
            a = m.on_read({kind::timed_out, 0, 0});
            return true;
        case step::kind::breaks:
            a = m.on_read({kind::failed, 0, 104});
            return true;
        default:
            return false;
        }
    }

    /// As many reads as the room demands.
    bool feed(flow::fetch_fsm& m, flow::fetch_action& a, std::string_view bytes) {
        while (!bytes.empty() && a.what == flow::fetch_action::kind::read) {
            std::size_t n = std::min(bytes.size(), a.room.size());
            std::copy_n(bytes.data(), n, a.room.data());
            bytes.remove_prefix(n);
            a = m.on_read({flow::read_report::kind::data, n, 0});
        }
        // A machine that has had enough leaves the rest on the wire.
        return bytes.empty() || a.what != flow::fetch_action::kind::read;
    }

    base::vxid_number next_vxid() noexcept override { return ++last_vxid_; }
    base::task_log& take(base::vxid_number vxid, base::log_side side) noexcept override {
        log.reset(vxid, side);
        return log;
    }
    void give(base::task_log&) noexcept override { done.push_back("log given"); }
    void write_one(base::vxid_number, base::log_side, log_tag, std::string_view) noexcept override {}
    flow::backend_facts facts_of(const vcl::director& d) noexcept override {
        flow::backend_facts facts;
        facts.display_name = d.name();
        facts.host_header = "192.0.2.1";
        return facts;
    }
    void request_body_done(bool bad) noexcept override { done.push_back(bad ? "body bad" : "body done"); }
    std::shared_ptr<vcl::wakeup> make_waker() override { return nullptr; }

    base::chunk_cache chunks_{16 * 1024, 8};
    base::arena arena_{chunks_};
    http::head head_;
    std::shared_ptr<const flow::session_facts> session_ = std::make_shared<flow::session_facts>();
    base::vxid_number last_vxid_ = 1001;
    std::string identity_ = "id";
    std::string hostname_ = "host";
    flow::object_reader reader_;
    std::unique_ptr<cache::storage_set> storages_;
    cache::ban_list bans_{block, shared, reader_, 1000000000};

  public:
    cache::index cache{block, shared, *storages_, bans_};

  private:
    flow::storage_handles handles_{*storages_};

  public:
    flow::services svc{clock,
                       block,
                       counters,
                       shared,
                       cache,
                       handles_,
                       static_cast<flow::vxid_source&>(*this),
                       static_cast<flow::log_pool&>(*this),
                       chunks_,
                       identity_,
                       hostname_};
};

// Words for scripts.
inline step connects() {
    return {step::kind::connect, {}, false};
}
inline step reuses() {
    return {step::kind::connect, {}, true};
}
inline step sends() {
    return {step::kind::sent};
}
inline step receives(std::string bytes) {
    return {step::kind::bytes, std::move(bytes)};
}
inline step does(step::kind what) {
    return {what};
}

} // namespace clearcoat::test
