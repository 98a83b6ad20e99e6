// The variables of VCL: name, type, and in which built-in subroutines each may be read, set and unset. One table feeds
// the checker, the hosts that answer for a variable, and the listings. Constant data, readable from any thread.
// Sources: vcl-var(7) of 7.1; what later releases added (req.filters, obj_stale.*, param.*, ...) is at the end, but for
// unset of timeouts and limits.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace clearcoat::tables {

/// What a host is asked for. Variables whose rights differ between language versions have several rows, one number.
enum class vcl_variable : std::uint16_t {
    client_identity,
    client_ip,
    server_hostname,
    server_identity,
    server_ip,
    remote_ip,
    local_endpoint,
    local_ip,
    local_socket,
    req,
    req_backend_hint,
    req_can_gzip,
    req_esi,
    req_esi_level,
    req_grace,
    req_hash,
    req_hash_always_miss,
    req_hash_ignore_busy,
    req_hash_ignore_vary,
    req_http,
    req_is_hitmiss,
    req_is_hitpass,
    req_method,
    req_proto,
    req_restarts,
    req_storage,
    req_time,
    req_transport,
    req_ttl,
    req_url,
    req_xid,
    req_top_http,
    req_top_method,
    req_top_proto,
    req_top_time,
    req_top_url,
    bereq,
    bereq_backend,
    bereq_between_bytes_timeout,
    bereq_body,
    bereq_connect_timeout,
    bereq_first_byte_timeout,
    bereq_hash,
    bereq_http,
    bereq_is_bgfetch,
    bereq_is_hitmiss,
    bereq_is_hitpass,
    bereq_method,
    bereq_proto,
    bereq_retries,
    bereq_time,
    bereq_uncacheable,
    bereq_url,
    bereq_xid,
    beresp,
    beresp_age,
    beresp_backend,
    beresp_backend_ip,
    beresp_backend_name,
    beresp_body,
    beresp_do_esi,
    beresp_do_gunzip,
    beresp_do_gzip,
    beresp_do_stream,
    beresp_filters,
    beresp_grace,
    beresp_http,
    beresp_keep,
    beresp_proto,
    beresp_reason,
    beresp_status,
    beresp_storage,
    beresp_storage_hint,
    beresp_time,
    beresp_ttl,
    beresp_uncacheable,
    beresp_was_304,
    obj_age,
    obj_can_esi,
    obj_grace,
    obj_hits,
    obj_http,
    obj_keep,
    obj_proto,
    obj_reason,
    obj_status,
    obj_storage,
    obj_time,
    obj_ttl,
    obj_uncacheable,
    resp,
    resp_body,
    resp_do_esi,
    resp_filters,
    resp_http,
    resp_is_streaming,
    resp_proto,
    resp_reason,
    resp_status,
    resp_time,
    now,
    sess_idle_send_timeout,
    sess_send_timeout,
    sess_timeout_idle,
    sess_timeout_linger,
    sess_xid,
    req_filters,
    req_max_age,
    req_trace,
    bereq_filters,
    bereq_retry_connect,
    bereq_task_deadline,
    bereq_trace,
    beresp_transit_buffer,
    obj_stale_age,
    obj_stale_can_esi,
    obj_stale_grace,
    obj_stale_hits,
    obj_stale_http,
    obj_stale_is_valid,
    obj_stale_keep,
    obj_stale_proto,
    obj_stale_reason,
    obj_stale_status,
    obj_stale_storage,
    obj_stale_time,
    obj_stale_ttl,
    obj_stale_uncacheable,
    param_backend_idle_timeout,
    param_backend_wait_limit,
    param_backend_wait_timeout,
    param_between_bytes_timeout,
    param_connect_timeout,
    param_default_grace,
    param_default_keep,
    param_default_ttl,
    param_first_byte_timeout,
    param_idle_send_timeout,
    param_max_esi_depth,
    param_max_restarts,
    param_max_retries,
    param_pipe_task_deadline,
    param_pipe_timeout,
    param_send_timeout,
    param_shortlived,
    param_timeout_idle,
    param_transit_buffer,
    param_uncacheable_ttl,
    count
};

/// The VCL type of a variable ("BOOL", "INT", ...).
enum class variable_type : std::uint8_t {
    boolean,
    integer,
    bytes,
    duration,
    time,
    string,
    ip,
    header,
    http,
    body,
    backend,
    stevedore,
    blob
};

/// A set of built-in subroutines; the bits are numbered as vcl::sub_id.
using sub_set = std::uint16_t;
constexpr sub_set in_recv = 1U << 0;
constexpr sub_set in_pipe = 1U << 1;
constexpr sub_set in_pass = 1U << 2;
constexpr sub_set in_hash = 1U << 3;
constexpr sub_set in_purge = 1U << 4;
constexpr sub_set in_miss = 1U << 5;
constexpr sub_set in_hit = 1U << 6;
constexpr sub_set in_deliver = 1U << 7;
constexpr sub_set in_synth = 1U << 8;
constexpr sub_set in_backend_fetch = 1U << 9;
constexpr sub_set in_backend_response = 1U << 10;
constexpr sub_set in_backend_error = 1U << 11;
constexpr sub_set in_backend_refresh = 1U << 12;
constexpr sub_set in_init = 1U << 13;
constexpr sub_set in_fini = 1U << 14;
constexpr sub_set in_client = 0x01ff;
constexpr sub_set in_backend = in_backend_fetch | in_backend_response | in_backend_error | in_backend_refresh;
constexpr sub_set everywhere = 0x7fff;

struct variable_row {
    vcl_variable id;
    std::string_view name; // of a HEADER variable: what stands before the header's own name and dot
    variable_type type;
    sub_set readable;
    sub_set writable;
    sub_set unsettable;
    std::uint8_t lowest; // language versions times ten in which the row holds
    std::uint8_t highest;
};

namespace variable_sets {
constexpr sub_set in_bereq = in_pipe | in_backend;
constexpr sub_set in_beresp = in_backend_response | in_backend_error | in_backend_refresh;
constexpr sub_set in_fetched = in_backend_response | in_backend_refresh;
constexpr sub_set in_obj = in_hit | in_deliver;
constexpr sub_set in_resp = in_deliver | in_synth;
} // namespace variable_sets

// clang-format off
inline constexpr variable_row variable_rows[] = {
    {vcl_variable::client_identity, "client.identity", variable_type::string, in_client | in_backend, in_client, 0, 0, 99},
    {vcl_variable::client_ip, "client.ip", variable_type::ip, in_client | in_backend, 0, 0, 0, 99},
    {vcl_variable::server_hostname, "server.hostname", variable_type::string, everywhere, 0, 0, 0, 99},
    {vcl_variable::server_identity, "server.identity", variable_type::string, everywhere, 0, 0, 0, 99},
    {vcl_variable::server_ip, "server.ip", variable_type::ip, in_client | in_backend, 0, 0, 0, 99},
    {vcl_variable::remote_ip, "remote.ip", variable_type::ip, in_client | in_backend, 0, 0, 0, 99},
    {vcl_variable::local_endpoint, "local.endpoint", variable_type::string, in_client | in_backend, 0, 0, 41, 99},
    {vcl_variable::local_ip, "local.ip", variable_type::ip, in_client | in_backend, 0, 0, 0, 99},
    {vcl_variable::local_socket, "local.socket", variable_type::string, in_client | in_backend, 0, 0, 41, 99},
    {vcl_variable::req, "req", variable_type::http, in_client, 0, 0, 0, 99},
    {vcl_variable::req_backend_hint, "req.backend_hint", variable_type::backend, in_client, in_client, 0, 0, 99},
    {vcl_variable::req_can_gzip, "req.can_gzip", variable_type::boolean, in_client, 0, 0, 0, 99},
    {vcl_variable::req_esi, "req.esi", variable_type::boolean, in_client, in_client, 0, 0, 40},
    {vcl_variable::req_esi_level, "req.esi_level", variable_type::integer, in_client, 0, 0, 0, 99},
    {vcl_variable::req_grace, "req.grace", variable_type::duration, in_client, in_client, in_client, 0, 99},
    {vcl_variable::req_hash, "req.hash", variable_type::blob, in_hit | in_miss | in_pass | in_purge | in_deliver | in_synth | in_pipe, 0, 0, 0, 99},
    {vcl_variable::req_hash_always_miss, "req.hash_always_miss", variable_type::boolean, in_client, in_client, 0, 0, 99},
    {vcl_variable::req_hash_ignore_busy, "req.hash_ignore_busy", variable_type::boolean, in_client, in_client, 0, 0, 99},
    {vcl_variable::req_hash_ignore_vary, "req.hash_ignore_vary", variable_type::boolean, in_client, in_client, 0, 0, 99},
    {vcl_variable::req_http, "req.http", variable_type::header, in_client, in_client, in_client, 0, 99},
    {vcl_variable::req_is_hitmiss, "req.is_hitmiss", variable_type::boolean, in_client, 0, 0, 0, 99},
    {vcl_variable::req_is_hitpass, "req.is_hitpass", variable_type::boolean, in_client, 0, 0, 0, 99},
    {vcl_variable::req_method, "req.method", variable_type::string, in_client, in_client, 0, 0, 99},
    {vcl_variable::req_proto, "req.proto", variable_type::string, in_client, in_client, 0, 0, 40},
    {vcl_variable::req_proto, "req.proto", variable_type::string, in_client, 0, 0, 41, 99},
    {vcl_variable::req_restarts, "req.restarts", variable_type::integer, in_client, 0, 0, 0, 99},
    {vcl_variable::req_storage, "req.storage", variable_type::stevedore, in_client, in_client, 0, 0, 99},
    {vcl_variable::req_time, "req.time", variable_type::time, in_client, 0, 0, 0, 99},
    {vcl_variable::req_transport, "req.transport", variable_type::string, in_client, 0, 0, 0, 99},
    {vcl_variable::req_ttl, "req.ttl", variable_type::duration, in_client, in_client, in_client, 0, 99},
    {vcl_variable::req_url, "req.url", variable_type::string, in_client, in_client, 0, 0, 99},
    {vcl_variable::req_xid, "req.xid", variable_type::string, in_client, 0, 0, 0, 99},
    {vcl_variable::req_top_http, "req_top.http", variable_type::header, in_client, 0, 0, 0, 99},
    {vcl_variable::req_top_method, "req_top.method", variable_type::string, in_client, 0, 0, 0, 99},
    {vcl_variable::req_top_proto, "req_top.proto", variable_type::string, in_client, 0, 0, 0, 99},
    {vcl_variable::req_top_time, "req_top.time", variable_type::time, in_client, 0, 0, 0, 99},
    {vcl_variable::req_top_url, "req_top.url", variable_type::string, in_client, 0, 0, 0, 99},
    {vcl_variable::bereq, "bereq", variable_type::http, in_backend, 0, 0, 0, 99},
    {vcl_variable::bereq_backend, "bereq.backend", variable_type::backend, variable_sets::in_bereq, variable_sets::in_bereq, 0, 0, 99},
    {vcl_variable::bereq_between_bytes_timeout, "bereq.between_bytes_timeout", variable_type::duration, in_backend, in_backend, variable_sets::in_bereq, 0, 99},
    {vcl_variable::bereq_body, "bereq.body", variable_type::body, 0, 0, in_backend_fetch, 0, 99},
    {vcl_variable::bereq_connect_timeout, "bereq.connect_timeout", variable_type::duration, variable_sets::in_bereq, variable_sets::in_bereq, variable_sets::in_bereq, 0, 99},
    {vcl_variable::bereq_first_byte_timeout, "bereq.first_byte_timeout", variable_type::duration, in_backend, in_backend, variable_sets::in_bereq, 0, 99},
    {vcl_variable::bereq_hash, "bereq.hash", variable_type::blob, variable_sets::in_bereq, 0, 0, 0, 99},
    {vcl_variable::bereq_http, "bereq.http", variable_type::header, variable_sets::in_bereq, variable_sets::in_bereq, variable_sets::in_bereq, 0, 99},
    {vcl_variable::bereq_is_bgfetch, "bereq.is_bgfetch", variable_type::boolean, in_backend, 0, 0, 0, 99},
    {vcl_variable::bereq_is_hitmiss, "bereq.is_hitmiss", variable_type::boolean, in_backend, 0, 0, 0, 99},
    {vcl_variable::bereq_is_hitpass, "bereq.is_hitpass", variable_type::boolean, in_backend, 0, 0, 0, 99},
    {vcl_variable::bereq_method, "bereq.method", variable_type::string, variable_sets::in_bereq, variable_sets::in_bereq, 0, 0, 99},
    {vcl_variable::bereq_proto, "bereq.proto", variable_type::string, variable_sets::in_bereq, variable_sets::in_bereq, 0, 0, 40},
    {vcl_variable::bereq_proto, "bereq.proto", variable_type::string, variable_sets::in_bereq, 0, 0, 41, 99},
    {vcl_variable::bereq_retries, "bereq.retries", variable_type::integer, in_backend, 0, 0, 0, 99},
    {vcl_variable::bereq_time, "bereq.time", variable_type::time, variable_sets::in_bereq, 0, 0, 0, 99},
    {vcl_variable::bereq_uncacheable, "bereq.uncacheable", variable_type::boolean, in_backend, 0, 0, 0, 99},
    {vcl_variable::bereq_url, "bereq.url", variable_type::string, variable_sets::in_bereq, variable_sets::in_bereq, 0, 0, 99},
    {vcl_variable::bereq_xid, "bereq.xid", variable_type::string, variable_sets::in_bereq, 0, 0, 0, 99},
    {vcl_variable::beresp, "beresp", variable_type::http, variable_sets::in_beresp, 0, 0, 0, 99},
    {vcl_variable::beresp_age, "beresp.age", variable_type::duration, variable_sets::in_beresp, 0, 0, 0, 99},
    {vcl_variable::beresp_backend, "beresp.backend", variable_type::backend, variable_sets::in_beresp, 0, 0, 0, 99},
    {vcl_variable::beresp_backend_ip, "beresp.backend.ip", variable_type::ip, variable_sets::in_fetched, 0, 0, 0, 40},
    {vcl_variable::beresp_backend_name, "beresp.backend.name", variable_type::string, variable_sets::in_beresp, 0, 0, 0, 99},
    {vcl_variable::beresp_body, "beresp.body", variable_type::body, 0, in_backend_error, 0, 0, 99},
    {vcl_variable::beresp_do_esi, "beresp.do_esi", variable_type::boolean, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_do_gunzip, "beresp.do_gunzip", variable_type::boolean, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_do_gzip, "beresp.do_gzip", variable_type::boolean, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_do_stream, "beresp.do_stream", variable_type::boolean, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_filters, "beresp.filters", variable_type::string, variable_sets::in_fetched, variable_sets::in_fetched, 0, 0, 99},
    {vcl_variable::beresp_grace, "beresp.grace", variable_type::duration, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_http, "beresp.http", variable_type::header, variable_sets::in_beresp, variable_sets::in_beresp, variable_sets::in_beresp, 0, 99},
    {vcl_variable::beresp_keep, "beresp.keep", variable_type::duration, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_proto, "beresp.proto", variable_type::string, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 40},
    {vcl_variable::beresp_proto, "beresp.proto", variable_type::string, variable_sets::in_beresp, 0, 0, 41, 99},
    {vcl_variable::beresp_reason, "beresp.reason", variable_type::string, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_status, "beresp.status", variable_type::integer, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_storage, "beresp.storage", variable_type::stevedore, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_storage_hint, "beresp.storage_hint", variable_type::string, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 40},
    {vcl_variable::beresp_time, "beresp.time", variable_type::time, variable_sets::in_beresp, 0, 0, 0, 99},
    {vcl_variable::beresp_ttl, "beresp.ttl", variable_type::duration, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_uncacheable, "beresp.uncacheable", variable_type::boolean, variable_sets::in_beresp, variable_sets::in_beresp, 0, 0, 99},
    {vcl_variable::beresp_was_304, "beresp.was_304", variable_type::boolean, variable_sets::in_beresp, 0, 0, 0, 99},
    {vcl_variable::obj_age, "obj.age", variable_type::duration, variable_sets::in_obj, 0, 0, 0, 99},
    {vcl_variable::obj_can_esi, "obj.can_esi", variable_type::boolean, variable_sets::in_obj, 0, 0, 0, 99},
    {vcl_variable::obj_grace, "obj.grace", variable_type::duration, variable_sets::in_obj, 0, 0, 0, 99},
    {vcl_variable::obj_hits, "obj.hits", variable_type::integer, variable_sets::in_obj, 0, 0, 0, 99},
    {vcl_variable::obj_http, "obj.http", variable_type::header, in_hit, 0, 0, 0, 99},
    {vcl_variable::obj_keep, "obj.keep", variable_type::duration, variable_sets::in_obj, 0, 0, 0, 99},
    {vcl_variable::obj_proto, "obj.proto", variable_type::string, in_hit, 0, 0, 0, 99},
    {vcl_variable::obj_reason, "obj.reason", variable_type::string, in_hit, 0, 0, 0, 99},
    {vcl_variable::obj_status, "obj.status", variable_type::integer, in_hit, 0, 0, 0, 99},
    {vcl_variable::obj_storage, "obj.storage", variable_type::stevedore, variable_sets::in_obj, 0, 0, 0, 99},
    {vcl_variable::obj_time, "obj.time", variable_type::time, variable_sets::in_obj, 0, 0, 0, 99},
    {vcl_variable::obj_ttl, "obj.ttl", variable_type::duration, variable_sets::in_obj, 0, 0, 0, 99},
    {vcl_variable::obj_uncacheable, "obj.uncacheable", variable_type::boolean, in_deliver, 0, 0, 0, 99},
    {vcl_variable::resp, "resp", variable_type::http, variable_sets::in_resp, 0, 0, 0, 99},
    {vcl_variable::resp_body, "resp.body", variable_type::body, 0, in_synth, 0, 0, 99},
    {vcl_variable::resp_do_esi, "resp.do_esi", variable_type::boolean, variable_sets::in_resp, variable_sets::in_resp, 0, 41, 99},
    {vcl_variable::resp_filters, "resp.filters", variable_type::string, variable_sets::in_resp, variable_sets::in_resp, 0, 0, 99},
    {vcl_variable::resp_http, "resp.http", variable_type::header, variable_sets::in_resp, variable_sets::in_resp, variable_sets::in_resp, 0, 99},
    {vcl_variable::resp_is_streaming, "resp.is_streaming", variable_type::boolean, variable_sets::in_resp, 0, 0, 0, 99},
    {vcl_variable::resp_proto, "resp.proto", variable_type::string, variable_sets::in_resp, variable_sets::in_resp, 0, 0, 40},
    {vcl_variable::resp_proto, "resp.proto", variable_type::string, variable_sets::in_resp, 0, 0, 41, 99},
    {vcl_variable::resp_reason, "resp.reason", variable_type::string, variable_sets::in_resp, variable_sets::in_resp, 0, 0, 99},
    {vcl_variable::resp_status, "resp.status", variable_type::integer, variable_sets::in_resp, variable_sets::in_resp, 0, 0, 99},
    {vcl_variable::resp_time, "resp.time", variable_type::time, variable_sets::in_resp, 0, 0, 0, 99},
    {vcl_variable::now, "now", variable_type::time, everywhere, 0, 0, 0, 99},
    {vcl_variable::sess_idle_send_timeout, "sess.idle_send_timeout", variable_type::duration, in_client, in_client, in_client, 0, 99},
    {vcl_variable::sess_send_timeout, "sess.send_timeout", variable_type::duration, in_client, in_client, in_client, 0, 99},
    {vcl_variable::sess_timeout_idle, "sess.timeout_idle", variable_type::duration, in_client, in_client, in_client, 0, 99},
    {vcl_variable::sess_timeout_linger, "sess.timeout_linger", variable_type::duration, in_client, in_client, in_client, 0, 99},
    {vcl_variable::sess_xid, "sess.xid", variable_type::string, in_client | in_backend, 0, 0, 41, 99},
    {vcl_variable::req_filters, "req.filters", variable_type::string, in_recv, in_recv, 0, 0, 99},
    {vcl_variable::req_max_age, "req.max_age", variable_type::duration, in_client, in_client, in_client, 0, 99},
    {vcl_variable::req_trace, "req.trace", variable_type::boolean, in_client, in_client, 0, 0, 99},
    {vcl_variable::bereq_filters, "bereq.filters", variable_type::string, in_backend_fetch, in_backend_fetch, 0, 0, 99},
    {vcl_variable::bereq_retry_connect, "bereq.retry_connect", variable_type::boolean, in_backend, in_backend, 0, 0, 99},
    {vcl_variable::bereq_task_deadline, "bereq.task_deadline", variable_type::duration, variable_sets::in_bereq, variable_sets::in_bereq, variable_sets::in_bereq, 0, 99},
    {vcl_variable::bereq_trace, "bereq.trace", variable_type::boolean, variable_sets::in_bereq, variable_sets::in_bereq, 0, 0, 99},
    {vcl_variable::beresp_transit_buffer, "beresp.transit_buffer", variable_type::bytes, in_backend_response | in_backend_error, in_backend_response | in_backend_error, 0, 0, 99},
    {vcl_variable::obj_stale_age, "obj_stale.age", variable_type::duration, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_can_esi, "obj_stale.can_esi", variable_type::boolean, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_grace, "obj_stale.grace", variable_type::duration, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_hits, "obj_stale.hits", variable_type::integer, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_http, "obj_stale.http", variable_type::header, in_backend_refresh, 0, in_backend_refresh, 0, 99},
    {vcl_variable::obj_stale_is_valid, "obj_stale.is_valid", variable_type::boolean, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_keep, "obj_stale.keep", variable_type::duration, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_proto, "obj_stale.proto", variable_type::string, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_reason, "obj_stale.reason", variable_type::string, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_status, "obj_stale.status", variable_type::integer, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_storage, "obj_stale.storage", variable_type::stevedore, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_time, "obj_stale.time", variable_type::time, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_ttl, "obj_stale.ttl", variable_type::duration, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::obj_stale_uncacheable, "obj_stale.uncacheable", variable_type::boolean, in_backend_refresh, 0, 0, 0, 99},
    {vcl_variable::param_backend_idle_timeout, "param.backend_idle_timeout", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_backend_wait_limit, "param.backend_wait_limit", variable_type::integer, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_backend_wait_timeout, "param.backend_wait_timeout", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_between_bytes_timeout, "param.between_bytes_timeout", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_connect_timeout, "param.connect_timeout", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_default_grace, "param.default_grace", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_default_keep, "param.default_keep", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_default_ttl, "param.default_ttl", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_first_byte_timeout, "param.first_byte_timeout", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_idle_send_timeout, "param.idle_send_timeout", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_max_esi_depth, "param.max_esi_depth", variable_type::integer, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_max_restarts, "param.max_restarts", variable_type::integer, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_max_retries, "param.max_retries", variable_type::integer, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_pipe_task_deadline, "param.pipe_task_deadline", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_pipe_timeout, "param.pipe_timeout", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_send_timeout, "param.send_timeout", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_shortlived, "param.shortlived", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_timeout_idle, "param.timeout_idle", variable_type::duration, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_transit_buffer, "param.transit_buffer", variable_type::bytes, everywhere, 0, 0, 0, 99},
    {vcl_variable::param_uncacheable_ttl, "param.uncacheable_ttl", variable_type::duration, everywhere, 0, 0, 0, 99},
};
// clang-format on

/// The first row of that number: its name and type.
constexpr const variable_row& row_of(vcl_variable id) noexcept {
    for (const variable_row& row : variable_rows) {
        if (row.id == id) {
            return row;
        }
    }
    return *std::begin(variable_rows);
}

} // namespace clearcoat::tables
