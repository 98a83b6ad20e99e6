#include "cli/worker_boot.hpp"

#include "cli/field_text.hpp"

namespace clearcoat::cli {

namespace {

template<class Codec, class Socket>
void visit_socket(Codec& codec, Socket& s) {
    codec.field(s.name);
    codec.field(s.endpoint);
    codec.field(s.host);
    codec.field(s.port);
    codec.field(s.is_unix);
    codec.field(s.proxy);
    codec.list(s.fds, [&](auto& fd) { codec.field(fd); });
}

template<class Codec, class Storage>
void visit_storage(Codec& codec, Storage& s) {
    codec.field(s.name);
    codec.field(s.kind);
    codec.field(s.size);
    codec.field(s.path);
    codec.field(s.granularity);
    codec.field(s.advice);
    codec.field(s.fd);
}

template<class Codec, class Boot>
void visit(Codec& codec, Boot& b) {
    codec.field(b.workdir);
    codec.field(b.identity);
    codec.field(b.version);
    codec.field(b.platform);
    codec.field(b.manager_pid);
    codec.field(b.cli_fd);
    codec.field(b.params_fd);
    codec.field(b.panic_fd);
    codec.field(b.panic_size);
    codec.field(b.loops);
    codec.field(b.log_ring_size);
    codec.field(b.wide_log);
    codec.field(b.drop_privileges);
    codec.field(b.uid);
    codec.field(b.gid);
    codec.field(b.user);
    codec.list(b.sockets, [&](auto& socket) { visit_socket(codec, socket); });
    codec.list(b.storages, [&](auto& storage) { visit_storage(codec, storage); });
}

} // namespace

std::string to_text(const worker_boot& boot) {
    field_writer writer;
    visit(writer, boot);
    return writer.take();
}

std::optional<worker_boot> parse_worker_boot(std::string_view text) {
    field_reader reader(text);
    worker_boot boot;
    visit(reader, boot);
    if (!reader.ok() || !reader.at_end()) {
        return std::nullopt;
    }
    return boot;
}

} // namespace clearcoat::cli
