// Module debug: what the scripts of a test-suite import to try modules out. Not for sites; its row says so. What
// reaches into the reference's own machinery (counters of a module, sweeps over ACLs) is there by name, so that a VCL
// loads, and fails the VCL with that reason when it is called.
#include "vmod/debug/functions.hpp"
#include "vmod/registry.hpp"

#include "tables/log_tags.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/vm/instance.hpp"

#include <string>

#include <fmt/core.h>

namespace clearcoat::vmod {

namespace {

using namespace debug;

vcl::value nothing(vcl::call&, arguments) {
    return no_value();
}

vcl::value forced_failure(vcl::call& c, arguments) {
    c.fail("Forced failure");
    return vcl::value::of(true);
}

vcl::value unsupported(vcl::call& c, arguments) {
    c.fail("vmod debug: this function is not supported here");
    return no_value();
}

vcl::value stk(vcl::call&, arguments) {
    return vcl::value::of_integer(0); // there is no sensible value
}

vcl::value client_ip(vcl::call& c, arguments) {
    const base::ip_address* client = c.task().get(tables::vcl_variable::client_ip).ip;
    return client == nullptr ? no_value() : workspace_text(c, base::to_string(*client));
}

vcl::value client_port(vcl::call& c, arguments) {
    const base::ip_address* client = c.task().get(tables::vcl_variable::client_ip).ip;
    return client == nullptr ? no_value() : workspace_text(c, std::to_string(client->port));
}

vcl::value vre_limit(vcl::call& c, arguments) {
    return vcl::value::of_integer(c.task().regex_limits().match);
}

constexpr vcl::function_row functions[] = {
    {"STRING author(ENUM {phk, des, kristian, mithrandir} person=\"phk\", ENUM {phk, slink, geoff} someone=\"phk\")",
     author},
    {"VOID test_priv_call(PRIV_CALL)", nothing},
    {"VOID test_priv_vcl(PRIV_VCL)", nothing},
    {"VOID test_priv_task_get()", nothing},
    {"STRING test_priv_task(PRIV_TASK, STRING s=\"\")", test_priv_task},
    {"STRING test_priv_top(PRIV_TOP, STRING)", test_priv_top},
    {"VOID rot52(HTTP hdr)", rot52},
    {"STRING argtest(STRING one, REAL two=2, STRING three=\"3\", STRING comma=\",\", INT four=4, [STRING opt])",
     argtest},
    {"INT vre_limit()", vre_limit},
    {"VOID register_obj_events(PRIV_VCL)", register_obj_events},
    {"VOID fail()", forced_failure},
    {"BOOL fail2()", forced_failure},
    {"VOID vcl_discard_delay(PRIV_VCL, DURATION)", vcl_discard_delay},
    {"ACL null_acl()", null_acl},
    {"ACL acl(ACL acl)", itself},
    {"BOOL match_acl(ACL acl, IP ip)", match_acl},
    {"BLOB sweep_acl(ACL acl, IP ip0, IP ip1, INT step=1)", unsupported},
    {"DURATION time_acl(ACL acl, IP ip0, IP ip1, INT step=1, INT rounds=1000)", unsupported},
    {"VOID test_probe(PROBE probe, PROBE same=0)", test_probe},
    {"VOID vsc_new()", unsupported},
    {"VOID vsc_count(INT val=1)", unsupported},
    {"VOID vsc_destroy()", unsupported},
    {"STRING concatenate(STRANDS)", concatenate},
    {"STRING collect(STRANDS)", collect},
    {"VOID sethdr(HEADER, STRANDS)", sethdr},
    {"DURATION priv_perf(INT size, INT rounds=10000)", priv_perf},
    {"STRANDS return_strands(STRANDS strand)", return_strands},
    {"VOID catflap(ENUM {miss, first, last} type)", catflap},
    {"BYTES stk()", stk},
    {"VOID vcl_prevent_cold(PRIV_VCL)", vcl_prevent_cold},
    {"VOID vcl_allow_cold(PRIV_VCL)", vcl_allow_cold},
    {"VOID cold_backend(PRIV_VCL)", cold_backend},
    {"VOID cooling_backend(PRIV_VCL)", cooling_backend},
    {"VOID sndbuf(BYTES sndbuf)", sndbuf},
    {"VOID store_ip(IP)", store_ip},
    {"IP get_ip()", get_ip},
    {"STRING client_ip()", client_ip},
    {"STRING client_port()", client_port},
    {"VOID fail_task_fini()", fail_task_fini},
    {"VOID ok_task_fini()", ok_task_fini},
    {"STRING re_quote(STRING)", re_quote},
    {"STRING priv_task_with_option(PRIV_TASK priv, [STRING opt])", priv_task_with_option},
    {"BOOL validhdr(STRANDS)", validhdr},
    {"REGEX just_return_regex(REGEX)", itself},
    {"STRING check_call(SUB)", check_call},
    {"VOID call(SUB)", call_sub},
    {"VOID bad_memory(SUB)", bad_memory},
    {"SUB total_recall()", total_recall},
};

constexpr vcl::function_row obj_methods[] = {
    {"VOID enum(ENUM {phk, des, kristian, mithrandir, martin})", nothing},
    {"VOID obj()", nothing},
    {"STRING string()", obj_string},
    {"STRING number()", obj_number},
    {"STRING foo(STRING why)", obj_foo},
    {"STRING bar(STRING why)", obj_foo}, // the name of old
    {"TIME date()", obj_date},
    {"VOID test_priv_call(PRIV_CALL)", nothing},
    {"VOID test_priv_vcl(PRIV_VCL)", nothing},
    {"STRING test_priv_task(STRING s=\"\")", obj_test_priv_task},
    {"STRING test_priv_top(STRING s=\"\")", obj_test_priv_top},
};

constexpr vcl::function_row dyn_methods[] = {
    {"BACKEND backend()", dyn_backend},
    {"VOID refresh(STRING addr, STRING port, PROBE probe=0)", dyn_refresh},
};

constexpr vcl::function_row dyn_uds_methods[] = {
    {"BACKEND backend()", dyn_backend},
    {"VOID refresh(STRING path)", dyn_uds_refresh},
};

constexpr vcl::function_row aclobj_methods[] = {{"ACL get()", aclobj_get}};
constexpr vcl::function_row concat_methods[] = {{"STRING get()", concat_get}};
constexpr vcl::function_row obj_opt_methods[] = {
    {"STRING meth_opt(PRIV_CALL, PRIV_VCL, PRIV_TASK, [STRING s], [BOOL b])", obj_opt_meth_opt},
};
constexpr vcl::function_row director_methods[] = {{"BACKEND fail()", director_fail}};
constexpr vcl::function_row caller_methods[] = {
    {"VOID call()", caller_call},
    {"SUB xsub()", caller_xsub},
};

constexpr vcl::object_row objects[] = {
    {"obj(STRING string=\"default\", ENUM {one, two, three} number=one)", new_obj, obj_methods},
    {"dyn(STRING addr, STRING port, PROBE probe=0)", new_dyn, dyn_methods},
    {"dyn_uds(STRING path)", new_dyn_uds, dyn_uds_methods},
    {"aclobj(ACL)", new_aclobj, aclobj_methods},
    {"concat(STRANDS)", new_concat, concat_methods},
    {"obj_opt(PRIV_CALL, PRIV_VCL, PRIV_TASK, [STRING s], [BOOL b])", new_obj_opt, obj_opt_methods},
    {"director()", new_director, director_methods},
    {"caller(SUB)", new_caller, caller_methods},
};

} // namespace

const vcl::module_row debug_module{
    "debug", "trying out modules, for test scripts only", functions, objects, event, true, debug::filters};

} // namespace clearcoat::vmod
