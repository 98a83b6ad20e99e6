#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/regex.hpp"

#include "base/panic.hpp"

#include <pcre2.h>

namespace clearcoat::base {

namespace {

constexpr std::uint32_t pairs = 10;

/// A thread's scratch space for matching, made at its first match.
struct match_scratch {
    pcre2_match_data* data = pcre2_match_data_create(pairs, nullptr);
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    match_scratch() { CLEARCOAT_ASSERT(data != nullptr && context != nullptr); }
    ~match_scratch() {
        pcre2_match_context_free(context);
        pcre2_match_data_free(data);
    }
    match_scratch(const match_scratch&) = delete;
    match_scratch& operator=(const match_scratch&) = delete;
};

match_scratch& scratch() {
    thread_local match_scratch instance;
    return instance;
}

void fill(regex_groups& groups, const pcre2_match_data* data, int count, std::string_view subject) noexcept {
    const PCRE2_SIZE* at = pcre2_get_ovector_pointer(const_cast<pcre2_match_data*>(data));
    groups.count = count;
    for (int i = 0; i < static_cast<int>(pairs); ++i) {
        const bool set = i < count && at[2 * i] != PCRE2_UNSET;
        groups.group[i] = set ? subject.substr(at[2 * i], at[2 * i + 1] - at[2 * i]) : std::string_view();
    }
}

} // namespace

std::shared_ptr<const regex> regex::compile(std::string_view pattern, bool nocase, compile_error& error, bool jit) {
    int code = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* compiled = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                         nocase ? PCRE2_CASELESS : 0, &code, &offset, nullptr);
    if (compiled == nullptr) {
        PCRE2_UCHAR text[256];
        pcre2_get_error_message(code, text, sizeof text);
        error = {reinterpret_cast<const char*>(text), offset};
        return nullptr;
    }
    std::shared_ptr<regex> made(new regex);
    // Without JIT support matching still works, only slower.
    made->jitted_ = jit && pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE) == 0;
    made->pattern_ = pattern;
    made->code_ = compiled;
    return made;
}

regex::~regex() {
    pcre2_code_free(static_cast<pcre2_code*>(code_));
}

regex_verdict regex::match(std::string_view subject, regex_groups* groups, regex_limits limits, std::size_t start,
                           bool not_empty) const noexcept {
    match_scratch& s = scratch();
    if (limits.match != 0) {
        pcre2_set_match_limit(s.context, limits.match);
    }
    if (limits.depth != 0) {
        pcre2_set_depth_limit(s.context, limits.depth);
    }
    const char* text = subject.data() == nullptr ? "" : subject.data();
    // The direct call leaves out tests of what holds here anyway.
    const auto call = jitted_ ? &pcre2_jit_match : &pcre2_match;
    const int count = call(static_cast<pcre2_code*>(code_), reinterpret_cast<PCRE2_SPTR>(text), subject.size(), start,
                           not_empty ? PCRE2_NOTEMPTY : 0, s.data, s.context);
    if (count == PCRE2_ERROR_NOMATCH) {
        return regex_verdict::no_match;
    }
    if (count < 0) {
        return regex_verdict::error;
    }
    if (groups != nullptr) {
        fill(*groups, s.data, count == 0 ? static_cast<int>(pairs) : count, subject);
    }
    return regex_verdict::match;
}

} // namespace clearcoat::base
