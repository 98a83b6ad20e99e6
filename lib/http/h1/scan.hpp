// Byte searches of the dissector: 16 bytes a step where the machine has SSE2, one otherwise. They never read outside
// [at, end).
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace clearcoat::http::h1 {

/// Whether a byte may not stand in a field's line: a control character other than tab.
constexpr bool is_line_stop(unsigned char c) noexcept {
    return (c < 0x20 && c != '\t') || c == 0x7f;
}

/// The first control character other than tab in [at, end), or end.
inline char* find_line_stop(char* at, char* end) noexcept {
#ifdef __SSE2__
    const __m128i highest_control = _mm_set1_epi8(0x1f);
    const __m128i tab = _mm_set1_epi8('\t');
    const __m128i del = _mm_set1_epi8(0x7f);
    for (; end - at >= 16; at += 16) {
        __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, highest_control), bytes);
        control = _mm_andnot_si128(_mm_cmpeq_epi8(bytes, tab), control);
        auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(control, _mm_cmpeq_epi8(bytes, del))));
        if (mask != 0) {
            return at + __builtin_ctz(mask);
        }
    }
#endif
    while (at != end && !is_line_stop(static_cast<unsigned char>(*at))) {
        ++at;
    }
    return at;
}

/// The first blank or control character in [at, end), or end.
inline char* find_word_end(char* at, char* end) noexcept {
#ifdef __SSE2__
    const __m128i space = _mm_set1_epi8(0x20);
    const __m128i del = _mm_set1_epi8(0x7f);
    for (; end - at >= 16; at += 16) {
        __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, space), bytes);
        auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(low, _mm_cmpeq_epi8(bytes, del))));
        if (mask != 0) {
            return at + __builtin_ctz(mask);
        }
    }
#endif
    while (at != end && static_cast<unsigned char>(*at) > 0x20 && *at != 0x7f) {
        ++at;
    }
    return at;
}

/// The first `wanted` in [at, end), or end. For short distances, where calling memchr() costs more than it saves.
inline const char* find_near(const char* at, const char* end, char wanted) noexcept {
#ifdef __SSE2__
    const __m128i pattern = _mm_set1_epi8(wanted);
    for (; end - at >= 16; at += 16) {
        __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, pattern)));
        if (mask != 0) {
            return at + __builtin_ctz(mask);
        }
    }
#endif
    while (at != end && *at != wanted) {
        ++at;
    }
    return at;
}

} // namespace clearcoat::http::h1
