// How the program names itself. Tools read the reference's version out of it to know which formats we speak.
#pragma once

namespace clearcoat::manager {

inline constexpr char version_text[] = "varnish-7.1.1 revision clearcoat-0.1.0";
inline constexpr char copyright_text[] = "Copyright (c) 2026 The Clearcoat authors";

} // namespace clearcoat::manager
