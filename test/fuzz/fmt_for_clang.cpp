// The shared library of fmt comes from g++, which names the type of one argument of this function differently than
// clang does. So the fuzz build, which is clang's, has its own.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char>&, fmt::basic_string_view<char>,
                                            fmt::basic_format_args<FMT_BUFFER_CONTEXT(fmt::type_identity_t<char>)>,
                                            fmt::detail::locale_ref);
