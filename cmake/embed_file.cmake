# Run by clearcoat_embed: writes OUTPUT, a source file that holds the bytes of SOURCE.
file(READ ${SOURCE} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
string(REGEX REPLACE "('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)" "\\1\\2\\3\\4\\5\\6\\7\\8\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

namespace clearcoat::${FOLDER} {
namespace {
constexpr char text[] = {${bytes}'\\0'};
}
std::string_view ${FUNCTION}() noexcept {
    return {text, sizeof text - 1};
}
} // namespace clearcoat::${FOLDER}
")
