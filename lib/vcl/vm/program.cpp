#include "vcl/vm/program.hpp"

#include "vcl/code/image.hpp"
#include "vcl/code/listing.hpp"

namespace clearcoat::vcl {

program::program(std::unique_ptr<program_image> image) : image_(std::move(image)) {}

program::~program() = default;

int program::version() const noexcept {
    return image_->version;
}

const std::vector<source_text>& program::sources() const noexcept {
    return image_->sources;
}

const std::vector<std::string>& program::labels() const noexcept {
    return image_->labels;
}

std::vector<program::used_module> program::modules() const {
    std::vector<used_module> used;
    for (const imported_module& m : image_->modules) {
        used.push_back({m.name, m.info->file});
    }
    return used;
}

std::string program::listing() const {
    return code::listing(*image_);
}

} // namespace clearcoat::vcl
