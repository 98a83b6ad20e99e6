// The interface between VCL and its modules (vmods). A module is one constexpr table of signatures, written as the
// manuals print them, each with the native function beside it. The table is parsed once at start-up; the checker, the
// machine, `-x` listings and the documentation all read the result. Descriptions are immutable and shared by all
// threads; a `call` belongs to the task that runs it. Nothing here executes VCL.
#pragma once

#include "vcl/types.hpp"
#include "vcl/vm/body_filter.hpp"
#include "vcl/vm/environment.hpp"
#include "vcl/vm/host.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {

class instance;
class machine;

/// A set of built-in subroutines.
class sub_set {
  public:
    constexpr sub_set() = default;
    constexpr sub_set(std::initializer_list<sub_id> subs) noexcept {
        for (sub_id s : subs) {
            bits_ |= 1U << static_cast<unsigned>(s);
        }
    }
    static constexpr sub_set all() noexcept { return sub_set((1U << sub_count) - 1); }
    constexpr bool contains(sub_id s) const noexcept { return (bits_ >> static_cast<unsigned>(s) & 1U) != 0; }
    constexpr std::uint32_t bits() const noexcept { return bits_; }

  private:
    constexpr explicit sub_set(std::uint32_t bits) noexcept : bits_(bits) {}
    std::uint32_t bits_ = 0;
};

constexpr sub_set client_subs{sub_id::recv, sub_id::pipe, sub_id::pass,  sub_id::hash,   sub_id::purge,
                              sub_id::miss, sub_id::hit,  sub_id::synth, sub_id::deliver};
constexpr sub_set backend_subs{sub_id::backend_fetch, sub_id::backend_response, sub_id::backend_error,
                               sub_id::backend_refresh};
constexpr sub_set housekeeping_subs{sub_id::init, sub_id::fini};

/// What `new` makes, and what a module keeps for one loaded VCL. Destroyed when the VCL is discarded, on the control
/// thread; used by all loops at once.
class module_object {
  public:
    virtual ~module_object() = default;
};

/// One call of a native function, as the machine makes it: on the stack, valid during the call.
class call {
  public:
    struct place {
        const instance* program = nullptr;     // the loaded VCL; nullptr in unit tests of modules
        environment* surroundings = nullptr;   // the VCL's environment; lives as long as the VCL
        module_object* module_state = nullptr; // what the module's `load` gave for this VCL
        sub_id where = sub_id::recv;           // the built-in subroutine the call happens in, however deep
        int version = 41;                      // of the VCL file that holds the call: 40 or 41
        std::uint32_t site = 0;                // the call's own number within the loaded VCL (PRIV_CALL)
        const machine* running = nullptr;      // the machine that makes the call; nullptr in unit tests
    };

    call(host& task, const place& at, module_object* self, std::uint64_t given) noexcept
        : task_(&task), at_(&at), self_(self), given_(given) {}

    host& task() const noexcept { return *task_; }
    base::arena& workspace() const noexcept { return task_->workspace(); }
    const instance* program() const noexcept { return at_->program; }
    environment* surroundings() const noexcept { return at_->surroundings; }
    module_object* module_state() const noexcept { return at_->module_state; }
    sub_id where() const noexcept { return at_->where; }
    int version() const noexcept { return at_->version; }
    std::uint32_t site() const noexcept { return at_->site; }

    /// The object a method was called on.
    template<class T>
    T& self() const noexcept {
        return static_cast<T&>(*self_);
    }
    /// Whether the VCL wrote argument number `index` (from 0, PRIV_* not counted); a default does not count as written.
    bool given(std::size_t index) const noexcept { return (given_ >> index & 1U) != 0; }

    /// VCL failure with that reason. The result of the call is then of no interest.
    void fail(std::string_view reason) const noexcept { task_->fail(reason); }

    /// Asks for the call to be made again with the same arguments when `wakeup` was called. nullptr: the task cannot
    /// wait (vcl_init, vcl_fini), so the function must do its work now. Return any value afterwards.
    std::shared_ptr<wakeup> suspend() {
        std::shared_ptr<wakeup> waker = task_->suspend();
        pending_ = waker != nullptr;
        return waker;
    }
    /// For a host call that answered "pending" and wakes the task by itself.
    void set_pending() noexcept { pending_ = true; }
    bool pending() const noexcept { return pending_; }

    /// Runs a subroutine (a SUB argument) when the function has returned; what it may not run here fails the VCL.
    void run_afterwards(const subroutine* sub) noexcept { afterwards_ = sub; }
    const subroutine* runs_afterwards() const noexcept { return afterwards_; }
    /// The machine that makes the call.
    const machine* running() const noexcept { return at_->running; }

    /// One string: the part itself when there is one, otherwise a copy in the workspace. Undefined parts are empty. On
    /// overflow data() is nullptr and the workspace is marked.
    std::string_view join(const strand_list& list) const noexcept;

  private:
    host* task_;
    const place* at_;
    module_object* self_;
    std::uint64_t given_;
    const subroutine* afterwards_ = nullptr;
    bool pending_ = false;
};

/// Arguments come in the signature's order without PRIV_* ones: given, default, or zero (undefined string, no backend,
/// 0) when an optional one is missing.
using native_function = value (*)(call& c, std::span<const value> args);
/// Makes an object; nullptr after fail(). `name` is the object's name in VCL.
using native_constructor = std::unique_ptr<module_object> (*)(call& c, std::string_view name,
                                                              std::span<const value> args);

// The rows a module is written in.

/// "REAL random(REAL lo, REAL hi)"; types as in the manuals, `[..]` around optional arguments, `ENUM {A, B}`, defaults
/// behind `=`. A method's name has no dot.
struct function_row {
    const char* signature;
    native_function native;
    sub_set allowed = sub_set::all();
};

/// "shard()" is the constructor's signature: it gives the type's name and the arguments.
struct object_row {
    const char* signature;
    native_constructor native;
    std::span<const function_row> methods;
    sub_set allowed = sub_set::all();
};

/// What happens to a loaded VCL that imports the module. On the control thread.
enum class module_event : std::uint8_t { load, warm, cold, discard };

struct event_call {
    module_event event;
    environment& surroundings;
    const instance* program;               // nullptr while loading
    std::unique_ptr<module_object>& state; // load fills it, discard finds it; destroyed by the instance
    std::string& error;                    // why load or warm was refused
};

struct module_row {
    std::string_view name;
    std::string_view summary; // one line for listings
    std::span<const function_row> functions;
    std::span<const object_row> objects = {};
    bool (*event)(event_call&) = nullptr; // false refuses load or warm
    bool test_only = false;
    std::span<const filter_row> filters = {};
};

// What is made of them.

enum class private_kind : std::uint8_t { none, call, vcl, task, top };

struct argument_info {
    std::string name; // empty: can only be given by position
    vcl::type kind = vcl::type::none;
    bool optional = false; // in brackets
    bool has_default = false;
    bool default_is_word = false;   // written without quotes
    std::string default_text;       // as written, quotes removed
    value default_value;            // text refers into default_text
    std::vector<std::string> words; // of an ENUM
};

struct function_info {
    std::string name;
    vcl::type result = vcl::type::none;
    std::vector<argument_info> arguments; // without PRIV_*
    std::vector<private_kind> privates;   // in listings only, they take no place in the arguments
    std::string signature;                // one line, as listings show it, PRIV_* left out
    native_function native = nullptr;
    sub_set allowed = sub_set::all();

    /// The position of the argument of that name, or -1.
    int argument_index(std::string_view argument_name) const noexcept;
};

struct object_info {
    std::string name;
    function_info constructor; // its native is nullptr
    native_constructor native = nullptr;
    std::vector<function_info> methods;
    const function_info* find_method(std::string_view method_name) const noexcept;
};

struct module_info {
    std::string name;
    std::string summary;
    std::vector<function_info> functions;
    std::vector<object_info> objects;
    bool (*event)(event_call&) = nullptr;
    bool test_only = false;
    std::span<const filter_row> filters;
    std::string file; // the shared object it came from; empty: it is built in

    const function_info* find_function(std::string_view function_name) const noexcept;
    const object_info* find_object(std::string_view type_name) const noexcept;
};

/// Parses a row. A row that does not parse is a fault of the program: panics with the signature. `file` is where the
/// module came from, when it is not built in.
std::shared_ptr<const module_info> make_module(const module_row& row, std::string file = {});

/// What a module that is a shared object exports, under the name clearcoat_module: see CLEARCOAT_MODULE.
struct module_entry {
    std::uint32_t interface;
    const module_row* row;
};
/// Grows with every change of what a module is compiled against: this file and what it includes.
constexpr std::uint32_t module_interface = 1;

/// Stands once in a module of one's own: makes `row`, a module_row, what `import` finds.
#define CLEARCOAT_MODULE(row)                                                                                          \
    extern "C" __attribute__((visibility("default"))) const ::clearcoat::vcl::module_entry clearcoat_module;           \
    const ::clearcoat::vcl::module_entry clearcoat_module {                                                            \
        ::clearcoat::vcl::module_interface, &(row)                                                                     \
    }

/// Where `import NAME;` looks.
class module_catalog {
  public:
    /// nullptr: no module of that name.
    const module_info* find(std::string_view name) const noexcept;
    void add(std::shared_ptr<const module_info> m);
    const std::map<std::string, std::shared_ptr<const module_info>, std::less<>>& all() const noexcept {
        return modules_;
    }

  private:
    std::map<std::string, std::shared_ptr<const module_info>, std::less<>> modules_;
};

} // namespace clearcoat::vcl
