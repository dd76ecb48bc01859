/* analysis/ddp: the submodule of DDP's split that an artifact belongs to. */
#define _GNU_SOURCE
#include "whole.h"

static void log_kind(struct buf *log, const char *kind) {
    char fields[200];
    snprintf(fields, sizeof fields, "\"%s\": {}, " ID0, kind);
    log_payload(log, fields, "graph");
}

static void log_child(struct buf *log, const char *name) {
    char fields[200];
    snprintf(fields, sizeof fields, "\"optimize_ddp_split_child\": {\"name\": \"%s\"}, " ID0, name);
    log_payload(log, fields, "graph");
}

static void log_split(struct buf *log) {
    log_kind(log, "dynamo_output_graph");
    log_kind(log, "optimize_ddp_split_graph");
    log_child(log, "submod_0");
    log_child(log, "submod_1");
}

/* Artifacts with their submodules: "a=submod_0 b=-". */
static void assert_submodules(const struct model *model, const char *expected) {
    struct buf text = {0};
    for (size_t i = 0; i < model->artifacts.count; i++) {
        const struct artifact *artifact = &model->artifacts.items[i];
        buf_add_str(&text, i ? " " : "");
        buf_add(&text, artifact->name);
        buf_add_byte(&text, '=');
        buf_add(&text, artifact->subgraph.ptr ? artifact->subgraph : SLICE("-"));
    }
    assert_buf(&text, expected);
    buf_free(&text);
}

#define HEAD                                                                                                           \
    "dynamo_output_graph=- optimize_ddp_split_graph=- optimize_ddp_split_child_submod_0=submod_0 "                     \
    "optimize_ddp_split_child_submod_1=submod_1 "

static void has_submodules(const struct model *model) {
    assert_submodules(model, HEAD "aotautograd_cache_bypass=submod_0 aot_joint_graph=submod_0 "
                                  "aotautograd_cache_miss=submod_1 aot_joint_graph=submod_1 dynamo_cpp_guards_str=- "
                                  "aot_backward_graph=-");
    /* A submodule is a part of the frame's compile; the compile itself has none. */
    assert_null(model->compiles.items[0]->subgraph.ptr);
}

static void names_submodules(void **state) {
    (void)state;
    struct buf log = {0};
    log_split(&log);
    log_artifact(&log, "aotautograd_cache_bypass", "json", "{}");
    log_kind(&log, "aot_joint_graph");
    log_artifact(&log, "aotautograd_cache_miss", "json", "{}");
    log_kind(&log, "aot_joint_graph");
    log_kind(&log, "dynamo_cpp_guards_str");
    log_kind(&log, "aot_backward_graph"); /* of a backward: its records do not name a submodule */
    look_at(&log, has_submodules);
}

static void has_the_first(const struct model *model) {
    assert_submodules(model, HEAD "aot_joint_graph=submod_0 aot_forward_graph=submod_0");
}

static void handles_truncated_logs(void **state) {
    (void)state;
    struct buf log = {0};
    log_split(&log);
    log_kind(&log, "aot_joint_graph");
    log_kind(&log, "aot_forward_graph");
    look_at(&log, has_the_first);
}

static void has_none(const struct model *model) {
    assert_submodules(model, HEAD "aot_joint_graph=- dynamo_cpp_guards_str=-");
}

static void has_no_hit(const struct model *model) {
    assert_submodules(model, HEAD "aot_joint_graph=- aotautograd_cache_hit=- aot_joint_graph=- "
                                  "aotautograd_cache_hit=- dynamo_cpp_guards_str=-");
}

static void names_nothing_if_counts_differ(void **state) {
    (void)state;
    struct buf log = {0};
    log_split(&log);
    log_kind(&log, "aot_joint_graph");
    log_kind(&log, "dynamo_cpp_guards_str");
    look_at(&log, has_none);
    log_split(&log);
    for (int i = 0; i < 2; i++) {
        log_kind(&log, "aot_joint_graph");
        log_artifact(&log, "aotautograd_cache_hit", "json", "{}");
    }
    log_kind(&log, "dynamo_cpp_guards_str");
    look_at(&log, has_no_hit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_submodules),
        cmocka_unit_test(handles_truncated_logs),
        cmocka_unit_test(names_nothing_if_counts_differ),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
