// How the programs name themselves. Tools read the reference's version out of it to know which formats we speak.
#pragma once

#include <string>
#include <string_view>

namespace clearcoat::base {

inline constexpr char version_text[] = "varnish-7.1.1 revision clearcoat-0.1.0";
inline constexpr char copyright_text[] = "Copyright (c) 2026 The Clearcoat authors";
// Whose names, formats and options these are.
inline constexpr char model_text[] =
    "Works as Varnish Cache 7.1, Copyright (c) 2006 Verdens Gang AS, 2006-2022 Varnish Software";

/// What a program prints for -V, with its newlines.
inline std::string version_lines(std::string_view program) {
    return std::string(program) + " (" + version_text + ")\n" + copyright_text + "\n" + model_text + "\n";
}

} // namespace clearcoat::base
