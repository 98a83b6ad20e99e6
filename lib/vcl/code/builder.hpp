// Writes the instructions of one program: registers, constants, statements, expressions. Each expression leaves its
// value in the register it is told; registers behind those in use are scratch.
#pragma once

#include "vcl/code/image.hpp"
#include "vcl/syntax/tree.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace clearcoat::vcl::code {

using syntax::expression;
using syntax::statement;
using syntax::statement_list;
using reg = std::uint16_t;

class builder {
  public:
    builder(program_image& image, const syntax::tree& from) : image_(image), from_(from) {}

    void sub(const syntax::sub_node& node, subroutine& into);

  private:
    // Statements (builder_statements.cpp).
    void statements(const statement_list& list);
    void one_statement(const statement& s);
    void branch(const statement& s);
    void assign(const statement& s);
    void body(const statement& s);
    void finish(const statement& s);
    void make(const statement& s);

    // Expressions (builder_expressions.cpp, builder_operators.cpp).
    void value_of(const expression& e, reg into);
    void operand(const expression& e, reg into);
    void operation(const expression& e, reg into);
    void literal(const expression& e, reg into);
    void text_of(const expression& e, reg into, bool show_undefined = false);
    void strands_of(const expression& e, reg into);
    void string_of(const expression& e, reg into);
    /// Puts the strings of an expression into registers side by side; the first and how many.
    std::pair<reg, reg> strings_of(const expression& e);
    void to_text(const expression& e, reg into);
    void to_boolean(const expression& e, reg into);
    void arithmetic(const expression& e, reg into);
    void compare(const expression& e, reg into);
    void compare_texts(const expression& e, reg into);
    void match(const expression& e, reg into);
    void substitute(const expression& e, reg into);
    void property(const expression& e, reg into);
    void native(const expression& e, reg into, opcode op);
    void argument(const expression& e, vcl::type wanted, reg into);
    /// Jumps to the returned places when `e` is `when`; patch() gives them their target.
    using jumps = std::vector<std::uint32_t>;
    void jump_if(const expression& e, bool when, jumps& places);

    std::uint32_t emit(opcode op, reg a = 0, reg b = 0, reg c = 0, std::uint32_t d = 0);
    void patch(const jumps& places);
    void load(reg into, const vcl::value& constant);
    std::uint32_t constant(const vcl::value& v);
    std::uint32_t text_constant(std::string_view text);
    std::uint32_t header(const syntax::header_name& name);
    std::uint32_t storage(const std::string& name);
    reg take(std::size_t count = 1);

    /// Gives registers back at the end of a scope.
    class scratch {
      public:
        explicit scratch(builder& b) : builder_(b), mark_(b.next_) {}
        ~scratch() { builder_.next_ = mark_; }
        scratch(const scratch&) = delete;
        scratch& operator=(const scratch&) = delete;

      private:
        builder& builder_;
        reg mark_;
    };

    program_image& image_;
    const syntax::tree& from_;
    reg next_ = 0;
    reg most_ = 0;
    std::map<std::string, std::uint32_t, std::less<>> texts_;
    std::map<std::pair<vcl::message, std::string>, std::uint32_t> headers_;
};

} // namespace clearcoat::vcl::code
