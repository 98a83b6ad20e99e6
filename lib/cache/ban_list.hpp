// All bans, newest first. Each object remembers the newest ban it passed; a lookup tests it against the newer ones, and
// the lurker does so in the background for bans that look only at objects. A ban goes when no object is older than it.
// Thread-safe; only the housekeeping thread removes bans, so walking from a referenced ban needs no lock.
#pragma once

#include "base/counted_mutex.hpp"
#include "base/intrusive_list.hpp"
#include "cache/ban_spec.hpp"
#include "cache/ban_subject.hpp"
#include "cache/housekeeping.hpp"
#include "cache/object.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::tables {
struct main_counters;
class param_block;
} // namespace clearcoat::tables

namespace clearcoat::cache {

/// How bans take objects out: the index.
class object_killer {
  public:
    virtual void kill(object& o) noexcept = 0;

  protected:
    ~object_killer() = default;
};

/// Gets the text of each ExpBan record of the lurker ("32770 banned by lurker").
class ban_log {
  public:
    virtual void banned(std::string_view text) noexcept = 0;

  protected:
    ~ban_log() = default;
};

/// A ban in the list.
class ban {
  public:
    ban(ban_spec spec, std::uint64_t sequence) : spec_(std::move(spec)), sequence_(sequence) {}
    const ban_spec& spec() const noexcept { return spec_; }
    bool completed() const noexcept { return completed_.load(std::memory_order_acquire); }

  private:
    friend class ban_list;
    ban_spec spec_;
    const std::uint64_t sequence_; // grows with every ban
    std::atomic<bool> completed_{false};
    ban* older_ = nullptr; // constant while the older one is referenced or the reader is the housekeeper
    // Guarded by the list's mutex.
    ban* newer_ = nullptr;
    std::uint64_t refs_ = 0; // objects that point here, and walkers
    base::intrusive_list<object, in_ban> objects_;
};

class ban_list {
  public:
    /// Begins with the completed placeholder that the reference shows, of time `now`.
    ban_list(const tables::param_block& params, tables::main_counters& counters, const object_reader& reader,
             double now);
    ~ban_list();
    ban_list(const ban_list&) = delete;
    ban_list& operator=(const ban_list&) = delete;

    void set_housekeeper(housekeeper* h) noexcept { housekeeper_ = h; }

    /// --- making bans (CLI thread, loops for VCL)
    /// The CLI's ban command. Empty when it took effect, else the message for the user.
    std::string add_words(std::span<const std::string_view> words, double now);
    /// VCL's ban() and std.ban(): empty when it took effect, else the message.
    std::string add_text(std::string_view text, double now);

    /// --- showing
    /// The text of ban.list. `debug` adds what debug=+lurker shows.
    std::string list_text(bool debug = false);
    /// The elements of ban.list -j, each indented by two, without the frame that the CLI adds.
    std::string list_json(bool debug = false);

    /// --- objects (the index)
    /// A new object: bans from now on count.
    void attach(object& o) noexcept EXCLUDES(mutex_);
    /// Called when an object leaves the index; harmless when it was not attached.
    void detach(object& o) noexcept EXCLUDES(mutex_);
    /// Quick: nothing newer than what `o` has passed.
    bool up_to_date(const object& o) const noexcept {
        return o.ban_.load(std::memory_order_acquire) == newest_.load(std::memory_order_acquire);
    }
    /// Tests `o` against all newer bans; true when one matches. The caller holds a reference, and kills it.
    bool check(object& o, const ban_subject& subject) noexcept EXCLUDES(mutex_);

    /// --- background (housekeeping thread)
    /// One batch of the lurker's work. Gives the seconds after which it wants to be called again.
    double lurker_step(double now, object_killer& killer, ban_log* log = nullptr) EXCLUDES(mutex_);

    /// --- persistence
    /// All bans, oldest first, serialised one after the other.
    std::string export_all();
    base::lock_totals locks() const noexcept { return mutex_.totals(); }

  private:
    struct pass;
    struct line;

    std::string add(ban_spec::outcome parsed, double now);
    void insert(ban_spec spec) REQUIRES(mutex_);
    void drop_duplicates(ban& newer) REQUIRES(mutex_);
    void mark_completed(ban& b) noexcept REQUIRES(mutex_);
    void move(object& o, ban& to) noexcept REQUIRES(mutex_);
    void account(const ban& b, bool added) noexcept REQUIRES(mutex_);
    void clean_tail() EXCLUDES(mutex_);
    void kick() noexcept;
    std::vector<line> hold_lines(bool debug) EXCLUDES(mutex_);
    void let_lines_go(const std::vector<line>& lines) noexcept EXCLUDES(mutex_);

    std::unique_ptr<pass> plan_pass(double now, double& next) const;
    bool run_pass(object_killer& killer, ban_log* log) EXCLUDES(mutex_);
    object_ref next_object(ban& at) EXCLUDES(mutex_);
    void judge(object& o, object_killer& killer, ban_log* log) EXCLUDES(mutex_);
    void end_pass() EXCLUDES(mutex_);

    const tables::param_block& params_;
    tables::main_counters& counters_;
    const object_reader& reader_;
    housekeeper* housekeeper_ = nullptr;

    std::atomic<ban*> newest_{nullptr}; // written under mutex_

    base::counted_mutex mutex_;
    ban* oldest_ GUARDED_BY(mutex_) = nullptr;
    std::uint64_t sequence_ GUARDED_BY(mutex_) = 0;

    std::unique_ptr<pass> pass_; // the lurker's own
    std::uint32_t pass_number_ = 0;
};

} // namespace clearcoat::cache
