#include "manager/vcl_compiler.hpp"

#include "manager/work_folder.hpp"
#include "sys/fd.hpp"
#include "tables/params.hpp"
#include "vcl/builtin.hpp"

#include <cerrno>

namespace clearcoat::manager {

vcl_verdict vcl_compiler::compile(const std::string& name, const std::optional<std::string>& text,
                                  const std::string& origin, std::vector<std::string> labels) const {
    vcl_verdict out;
    std::string path = origin;
    const std::optional<std::string> found = text ? text : read_along_path(params_.vcl_path(), origin, path);
    if (!found) {
        out.message = "Message from VCC-compiler:\nCannot read file '" + path + "' (" + sys::error_text(errno) +
                      ")\nRunning VCC-compiler failed, exited with 2\nVCL compilation failed";
        return out;
    }
    out.ok = true;
    out.bundle = {name, path, params_.vcl_path(), std::move(labels), true, true, false, legacy_, {}};
    out.bundle.sources.push_back({path, "file", *found});
    out.bundle.sources.push_back({"<builtin>", "builtin", std::string(vcl::builtin_vcl())});
    return out;
}

} // namespace clearcoat::manager
