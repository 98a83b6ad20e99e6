// The native functions of module debug, one for each row of its table (module.cpp).
#pragma once

#include "vmod/support/arguments.hpp"

namespace clearcoat::vmod::debug {

using made = std::unique_ptr<vcl::module_object>;

// texts.cpp
vcl::value author(vcl::call& c, arguments args);
vcl::value argtest(vcl::call& c, arguments args);
vcl::value concatenate(vcl::call& c, arguments args);
vcl::value collect(vcl::call& c, arguments args);
vcl::value sethdr(vcl::call& c, arguments args);
vcl::value rot52(vcl::call& c, arguments args);
vcl::value re_quote(vcl::call& c, arguments args);
vcl::value validhdr(vcl::call& c, arguments args);
vcl::value return_strands(vcl::call& c, arguments args);
vcl::value itself(vcl::call& c, arguments args);
made new_concat(vcl::call& c, std::string_view name, arguments args);
vcl::value concat_get(vcl::call& c, arguments args);

// privates.cpp
vcl::value test_priv_task(vcl::call& c, arguments args);
vcl::value test_priv_top(vcl::call& c, arguments args);
vcl::value priv_task_with_option(vcl::call& c, arguments args);
vcl::value priv_perf(vcl::call& c, arguments args);
vcl::value store_ip(vcl::call& c, arguments args);
vcl::value get_ip(vcl::call& c, arguments args);
vcl::value fail_task_fini(vcl::call& c, arguments args);
vcl::value ok_task_fini(vcl::call& c, arguments args);

// objects.cpp
made new_obj(vcl::call& c, std::string_view name, arguments args);
vcl::value obj_string(vcl::call& c, arguments args);
vcl::value obj_number(vcl::call& c, arguments args);
vcl::value obj_foo(vcl::call& c, arguments args);
vcl::value obj_date(vcl::call& c, arguments args);
vcl::value obj_test_priv_task(vcl::call& c, arguments args);
vcl::value obj_test_priv_top(vcl::call& c, arguments args);
made new_obj_opt(vcl::call& c, std::string_view name, arguments args);
vcl::value obj_opt_meth_opt(vcl::call& c, arguments args);

// backends.cpp
made new_director(vcl::call& c, std::string_view name, arguments args);
vcl::value director_fail(vcl::call& c, arguments args);
made new_dyn(vcl::call& c, std::string_view name, arguments args);
made new_dyn_uds(vcl::call& c, std::string_view name, arguments args);
vcl::value dyn_backend(vcl::call& c, arguments args);
vcl::value dyn_refresh(vcl::call& c, arguments args);
vcl::value dyn_uds_refresh(vcl::call& c, arguments args);
vcl::value test_probe(vcl::call& c, arguments args);

// life.cpp
bool event(vcl::event_call& e);
vcl::value register_obj_events(vcl::call& c, arguments args);
vcl::value vcl_prevent_cold(vcl::call& c, arguments args);
vcl::value vcl_allow_cold(vcl::call& c, arguments args);
vcl::value vcl_discard_delay(vcl::call& c, arguments args);
vcl::value cold_backend(vcl::call& c, arguments args);
vcl::value cooling_backend(vcl::call& c, arguments args);
vcl::value catflap(vcl::call& c, arguments args);

// connection.cpp
vcl::value sndbuf(vcl::call& c, arguments args);

// filters.cpp
extern const std::span<const vcl::filter_row> filters;

// acls.cpp
vcl::value null_acl(vcl::call& c, arguments args);
vcl::value match_acl(vcl::call& c, arguments args);
made new_aclobj(vcl::call& c, std::string_view name, arguments args);
vcl::value aclobj_get(vcl::call& c, arguments args);

// subs.cpp
vcl::value call_sub(vcl::call& c, arguments args);
vcl::value check_call(vcl::call& c, arguments args);
vcl::value bad_memory(vcl::call& c, arguments args);
vcl::value total_recall(vcl::call& c, arguments args);
made new_caller(vcl::call& c, std::string_view name, arguments args);
vcl::value caller_call(vcl::call& c, arguments args);
vcl::value caller_xsub(vcl::call& c, arguments args);

} // namespace clearcoat::vmod::debug
