// The machine's instructions. Operands a, b and c are registers unless told otherwise, d indexes a table of the image
// or is a jump's target. Twelve bytes each.
#pragma once

#include <cstdint>
#include <string_view>

namespace clearcoat::vcl {

// name, operands as the listing shows them: r register, n count, k constant, v variable, h header, s subroutine, j
// jump, a action, c comparison, p trace point, m module call, b backend, t storage, f flag, i index
#define CLEARCOAT_VCL_OPCODES(X)                                                                                       \
    X(jump, "...j")       /* next = d */                                                                               \
    X(jump_false, "r..j") /* if not a */                                                                               \
    X(jump_true, "r..j")                                                                                               \
    X(call, "n..s")         /* subroutine d with the registers behind the a in use */                                  \
    X(call_value, "r...")   /* the SUB in a */                                                                         \
    X(leave, "....")        /* back to the caller; at the outermost level: ends without an action */                   \
    X(finish, "arrf")       /* ends with action a; d: 1 status or duration in b, 2 reason in c */                      \
    X(finish_label, "...k") /* ends with action vcl; the label is constant d */                                        \
    X(place, "...p")        /* VCL_trace */                                                                            \
    X(load, "r..k")                                                                                                    \
    X(load_backend, "r..b")                                                                                            \
    X(load_default_backend, "r...")                                                                                    \
    X(load_storage, "r..t")                                                                                            \
    X(get, "r..v")                                                                                                     \
    X(get_header, "r..h")                                                                                              \
    X(set, "r..v")                                                                                                     \
    X(set_header, "r..h")                                                                                              \
    X(unset, "...v")                                                                                                   \
    X(unset_header, "...h")                                                                                            \
    X(join, "rrnf")    /* a = the c strings from b on; d: undefined ones show as "(null)" */                           \
    X(strands, "rrn.") /* a = a list of the c strings from b on */                                                     \
    X(text_boolean, "rr..")                                                                                            \
    X(text_integer, "rr..")                                                                                            \
    X(text_real, "rr..")                                                                                               \
    X(text_time, "rr..")                                                                                               \
    X(text_ip, "rr..")                                                                                                 \
    X(text_backend, "rr..")                                                                                            \
    X(text_acl, "rr..")                                                                                                \
    X(text_storage, "rr..")                                                                                            \
    X(text_blob, "rr..")                                                                                               \
    X(text_strands, "rr..")                                                                                            \
    X(truth_integer, "rr..")                                                                                           \
    X(truth_duration, "rr..")                                                                                          \
    X(truth_backend, "rr..")                                                                                           \
    X(truth_text, "rrn.") /* whether one of the c strings from b on is defined */                                      \
    X(invert, "rr..")                                                                                                  \
    X(add_integer, "rrr.")                                                                                             \
    X(subtract_integer, "rrr.")                                                                                        \
    X(multiply_integer, "rrr.")                                                                                        \
    X(divide_integer, "rrr.")                                                                                          \
    X(remainder_integer, "rrr.")                                                                                       \
    X(add_real, "rrr.")                                                                                                \
    X(subtract_real, "rrr.")                                                                                           \
    X(multiply_real, "rrr.")                                                                                           \
    X(divide_real, "rrr.")                                                                                             \
    X(to_real, "rr..")    /* of an INT */                                                                              \
    X(to_integer, "rr..") /* of a REAL, cut */                                                                         \
    X(negate_integer, "rr..")                                                                                          \
    X(negate_real, "rr..")                                                                                             \
    X(compare_integer, "rrrc")                                                                                         \
    X(compare_real, "rrrc")                                                                                            \
    X(compare_text, "rrrc")                                                                                            \
    X(compare_boolean, "rrrc")                                                                                         \
    X(compare_pointer, "rrrc")                                                                                         \
    X(compare_ip, "rrrc")                                                                                              \
    X(match_regex, "rrrf") /* d: negated */                                                                            \
    X(match_acl, "rrrf")                                                                                               \
    X(substitute, "rr.f") /* b: subject, regex, replacement; d: all */                                                 \
    X(upper, "rr..")                                                                                                   \
    X(lower, "rr..")                                                                                                   \
    X(resolve, "rr..")                                                                                                 \
    X(free_space, "rr..")                                                                                              \
    X(used_space, "rr..")                                                                                              \
    X(happy, "rr..")                                                                                                   \
    X(native, "rrnm")    /* a = module call d with the c arguments from b on */                                        \
    X(construct, ".rnm") /* new */                                                                                     \
    X(hash_data, "r...")                                                                                               \
    X(synthetic, "r..f") /* d: 1 replaces the body, 2 a is a BLOB */                                                   \
    X(ban, "r...")                                                                                                     \
    /* only in quick code; c: see branch */                                                                            \
    X(branch_text, "rifj")   /* a = variable c compared with constant b; to d if so */                                 \
    X(branch_header, "rifj") /* a = whether header b is there; to d if so */

enum class opcode : std::uint16_t {
#define CLEARCOAT_VCL_OPCODE(name, operands) name,
    CLEARCOAT_VCL_OPCODES(CLEARCOAT_VCL_OPCODE)
#undef CLEARCOAT_VCL_OPCODE
        count
};

/// Flags in operand c of the fused tests; below them stands the variable's number.
namespace branch {
inline constexpr std::uint16_t differs = 0x4000; // a = "is not equal"
inline constexpr std::uint16_t on_true = 0x8000; // jumps when a is true, otherwise when it is false
inline constexpr std::uint16_t variable_mask = 0x3fff;
} // namespace branch

struct instruction {
    opcode op;
    std::uint16_t a = 0;
    std::uint16_t b = 0;
    std::uint16_t c = 0;
    std::uint32_t d = 0;
};

enum class comparison : std::uint32_t { equal, not_equal, less, less_equal, greater, greater_equal };

} // namespace clearcoat::vcl
