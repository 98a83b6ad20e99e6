#include "vcl/code/quicken.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace clearcoat::vcl::code {

namespace {

constexpr std::string_view operand_kinds[] = {
#define CLEARCOAT_VCL_KINDS(name, operands) operands,
    CLEARCOAT_VCL_OPCODES(CLEARCOAT_VCL_KINDS)
#undef CLEARCOAT_VCL_KINDS
};

constexpr std::uint32_t longest_inlined = 100;  // instructions of a subroutine
constexpr unsigned deepest_inlined = 4;         // calls within calls
constexpr std::size_t longest_code = 64 * 1024; // instructions in all; beyond that calls stay calls

bool is_jump(opcode op) noexcept {
    return op == opcode::jump || op == opcode::jump_false || op == opcode::jump_true;
}

class quickener {
  public:
    explicit quickener(program_image& image) : image_(image), is_target_(image.code.size() + 1) {
        for (const instruction& i : image.code) {
            if (is_jump(i.op)) {
                is_target_[i.d] = true;
            }
        }
    }

    void run() {
        for (subroutine& sub : image_.subs) {
            sub.quick_entry = static_cast<std::uint32_t>(out().size());
            expand(sub, 0, 0);
        }
    }

  private:
    /// A jump whose target is known only when the whole subroutine stands.
    struct open_jump {
        std::size_t at;
        std::uint32_t old_target;
    };

    std::vector<instruction>& out() noexcept { return image_.quick; }

    std::uint32_t end_of(const subroutine& sub) const noexcept {
        return static_cast<std::uint32_t>(sub.number + 1 < image_.subs.size() ? image_.subs[sub.number + 1].entry
                                                                              : image_.code.size());
    }

    /// Whether the code of `sub`, with what it calls, may stand elsewhere: a call by value looks for its caller among
    /// the running subroutines.
    bool is_plain(const subroutine& sub) const {
        return std::all_of(image_.code.begin() + sub.entry, image_.code.begin() + end_of(sub),
                           [this](const instruction& i) {
                               return i.op != opcode::call_value && i.op != opcode::native &&
                                      i.op != opcode::construct && (i.op != opcode::call || is_plain(image_.subs[i.d]));
                           });
    }

    bool may_inline(const subroutine& sub, unsigned depth) const {
        return depth < deepest_inlined && end_of(sub) - sub.entry <= longest_inlined &&
               image_.quick.size() < longest_code && is_plain(sub);
    }

    void expand(const subroutine& sub, std::uint16_t shift, unsigned depth) {
        const std::uint32_t begin = sub.entry;
        const std::uint32_t end = end_of(sub);
        std::vector<std::uint32_t> places(end - begin + 1); // where each instruction went
        std::vector<open_jump> open;
        for (std::uint32_t i = begin; i < end;) {
            places[i - begin] = static_cast<std::uint32_t>(out().size());
            i += one(i, end, shift, depth, open);
        }
        places[end - begin] = static_cast<std::uint32_t>(out().size());
        for (const open_jump& j : open) {
            out()[j.at].d = places[j.old_target - begin];
        }
    }

    /// Takes over the instruction at `at`, or several as one; how many.
    std::uint32_t one(std::uint32_t at, std::uint32_t end, std::uint16_t shift, unsigned depth,
                      std::vector<open_jump>& open) {
        const instruction& i = image_.code[at];
        if (i.op == opcode::place) {
            return 1;
        }
        if (i.op == opcode::leave && depth > 0) {
            if (at + 1 != end) {
                open.push_back({out().size(), end});
                out().push_back({opcode::jump});
            }
            return 1;
        }
        if (i.op == opcode::call && may_inline(image_.subs[i.d], depth)) {
            expand(image_.subs[i.d], static_cast<std::uint16_t>(shift + i.a), depth + 1);
            return 1;
        }
        if (const std::uint32_t fused = fuse(at, end, shift, open)) {
            return fused;
        }
        if (is_jump(i.op)) {
            open.push_back({out().size(), i.d});
        }
        out().push_back(shifted(i, shift));
        return 1;
    }

    static instruction shifted(instruction i, std::uint16_t shift) noexcept {
        const std::string_view kinds = operand_kinds[static_cast<std::size_t>(i.op)];
        const bool call = i.op == opcode::call; // its a counts the registers in use
        i.a = static_cast<std::uint16_t>(i.a + (kinds[0] == 'r' || call ? shift : 0));
        i.b = static_cast<std::uint16_t>(i.b + (kinds[1] == 'r' ? shift : 0));
        i.c = static_cast<std::uint16_t>(i.c + (kinds[2] == 'r' ? shift : 0));
        return i;
    }

    /// `count` instructions in a row that no jump enters in the middle.
    const instruction* row(std::uint32_t at, std::uint32_t end, std::uint32_t count) const {
        if (end - at < count || std::any_of(is_target_.begin() + at + 1, is_target_.begin() + at + count,
                                            [](bool target) { return target; })) {
            return nullptr;
        }
        return &image_.code[at];
    }

    std::uint32_t fuse(std::uint32_t at, std::uint32_t end, std::uint16_t shift, std::vector<open_jump>& open) {
        switch (image_.code[at].op) {
        case opcode::get:
            return fuse_comparison(at, end, shift, open);
        case opcode::get_header:
            return fuse_header_test(at, end, shift, open);
        default:
            return 0;
        }
    }

    /// get, load, compare_text, jump: a variable that equals a constant, or does not.
    std::uint32_t fuse_comparison(std::uint32_t at, std::uint32_t end, std::uint16_t shift,
                                  std::vector<open_jump>& open) {
        const instruction* i = row(at, end, 4);
        if (i == nullptr || i[1].op != opcode::load || i[2].op != opcode::compare_text || i[2].b != i[0].a ||
            i[2].c != i[1].a || i[3].a != i[2].a || i[1].d > 0xffff || i[0].d >= branch::differs) {
            return 0;
        }
        const auto how = static_cast<comparison>(i[2].d);
        if ((how != comparison::equal && how != comparison::not_equal) || !is_branch(i[3])) {
            return 0;
        }
        const auto flags = (how == comparison::not_equal ? branch::differs : 0) | on_true(i[3]);
        put_branch(opcode::branch_text, i[3], static_cast<std::uint16_t>(i[1].d),
                   static_cast<std::uint16_t>(i[0].d | flags), shift, open);
        return 4;
    }

    /// get_header, truth_text, jump: whether a header is there.
    std::uint32_t fuse_header_test(std::uint32_t at, std::uint32_t end, std::uint16_t shift,
                                   std::vector<open_jump>& open) {
        const instruction* i = row(at, end, 3);
        if (i == nullptr || i[1].op != opcode::truth_text || i[1].b != i[0].a || i[1].c != 1 || i[2].a != i[1].a ||
            i[0].d > 0xffff || !is_branch(i[2])) {
            return 0;
        }
        put_branch(opcode::branch_header, i[2], static_cast<std::uint16_t>(i[0].d), on_true(i[2]), shift, open);
        return 3;
    }

    static bool is_branch(const instruction& i) noexcept {
        return i.op == opcode::jump_false || i.op == opcode::jump_true;
    }
    static std::uint16_t on_true(const instruction& i) noexcept {
        return i.op == opcode::jump_true ? branch::on_true : std::uint16_t{0};
    }
    void put_branch(opcode op, const instruction& jump, std::uint16_t b, std::uint16_t c, std::uint16_t shift,
                    std::vector<open_jump>& open) {
        open.push_back({out().size(), jump.d});
        out().push_back({op, static_cast<std::uint16_t>(jump.a + shift), b, c, 0});
    }

    program_image& image_;
    std::vector<bool> is_target_; // of a jump, by the place in image_.code
};

} // namespace

void quicken(program_image& image) {
    quickener(image).run();
}

} // namespace clearcoat::vcl::code
