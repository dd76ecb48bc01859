/* registry.h - the kinds of records: one row each.
 *
 * To add a kind: a row in registry.c, where flags alone do not do a function in the file of its concern, a golden case, and
 * a line in the manual page. */
#ifndef TLPARSE_KINDS_REGISTRY_H
#define TLPARSE_KINDS_REGISTRY_H

#include "kinds/fold.h"

enum kind_flags {
    KIND_TEXT = 1,  /* the payload is the file <key>_<N>.txt */
    KIND_VALUE = 2, /* no file of its own; the page shows the fields of the record */
    KIND_EVENT = 4, /* the payload is an event of chromium_events.json: not in raw.jsonl, no artifact */
    KIND_TABLE = 8, /* no record of its own: it fills the table of strings */
};

struct kind {
    const char *key;
    int order; /* of the outputs of one record that has several keys */
    unsigned flags;
    const char *lang; /* of the payload */
    /* On a worker, pure: fills the record's json fields from its payload; value is that of the key. May be NULL. */
    void (*decode)(struct record *record, yyjson_val *value, struct arena *arena);
    /* In log order. May be NULL. */
    void (*fold)(struct fold *fold, const struct kind *kind, yyjson_val *value);
};

/* NULL for a key that no row has. */
const struct kind *kind_find(struct slice key);
/* Keys that say where a record belongs, and not what it is. */
bool key_is_context(struct slice key);
/* The first key of the envelope that is no context; the empty slice where there is none. */
struct slice record_key(yyjson_val *envelope);
/* The record_decoder of the registry. */
void registry_decode(struct record *record, struct arena *arena);

/* The functions of the rows, by concern. */

/* artifacts.c */
void artifact_decode(struct record *record, yyjson_val *value, struct arena *arena);
/* Whether an artifact of that name, when it is no JSON, holds a graph. */
bool is_graph_name(struct slice name);
void artifact_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void link_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void graph_dump_decode(struct record *record, yyjson_val *value, struct arena *arena);
void graph_dump_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void ddp_child_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);

/* facts.c: counts what the payload holds, into the record's facts. */
void graph_decode(struct record *record, yyjson_val *value, struct arena *arena);
void output_graph_decode(struct record *record, yyjson_val *value, struct arena *arena);
void post_grad_decode(struct record *record, yyjson_val *value, struct arena *arena);
void cpp_guards_decode(struct record *record, yyjson_val *value, struct arena *arena);
/* Of an artifact or a graph_dump, by its name. */
void named_text_decode(struct record *record, struct slice name, struct arena *arena);
void kernels_decode(struct record *record, struct arena *arena);
/* Counts the kernels that the scanned code of AOTInductor defines, its calls of libraries left out. */
void facts_note_kernels(struct record *record, struct arena *arena);
/* Adds the facts of the record to the artifact that has its payload. */
void facts_keep(struct fold *fold, struct artifact *artifact);

/* code.c */
void cpp_guards_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void output_graph_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void post_grad_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void output_code_decode(struct record *record, yyjson_val *value, struct arena *arena);
void output_code_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void dump_file_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void guards_decode(struct record *record, yyjson_val *value, struct arena *arena);
void guards_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);

/* metrics.c */
/* Whether the value of a compilation_metrics record is of a forward, so that it is a compile. */
bool metrics_is_forward(yyjson_val *value);
/* Whether records of the kind come after the compile that they are of: metrics of its backward and of what it does at run time. */
bool metrics_follow_compile(const struct kind *kind);
void start_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void metrics_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void runtime_metrics_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void backward_metrics_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void old_backward_metrics_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);

/* symbols.c */
void describe_tensor_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void describe_source_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void specialization_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void guard_fast_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void create_symbol_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void create_unbacked_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);

/* export.c */
void expression_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void guard_added_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void real_tensors_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void real_tensors_provenance_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void data_dependent_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void missing_kernel_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void mismatched_kernel_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void exported_program_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void export_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
/* Of a create_unbacked_symbol, whose symbol may be part of expressions. */
void unbacked_note(struct fold *fold, yyjson_val *value, const struct stack_node *user_stack,
                   const struct stack_node *stack);
/* Of a `str` record: a stack through torch.export tells that the log is of an export. */
void export_note_string(struct fold *fold, struct slice text);

/* events.c */
/* Whether the event is the first of a compile: it begins the span around all others of it. */
bool event_begins_compile(yyjson_val *event);
void event_decode(struct record *record, yyjson_val *value, struct arena *arena);
void event_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);

/* collectives.c */
/* What kind of collective an operator is; COLLECTIVES for none. */
enum collective collective_of(struct slice op);
/* The calls of torch.ops._c10d_functional in code, comments left out. */
void collectives_count(struct slice code, struct calls *calls);

/* vllm.c: false where the name is none of vLLM's. The record's artifacts begin at the report's place `artifact`. */
bool vllm_artifact(struct fold *fold, struct slice name, size_t artifact);
bool vllm_graph(struct fold *fold, struct slice name, size_t artifact);

/* extras.c: what artifacts of rarer names say. */
void extras_note(struct fold *fold, struct slice name, struct slice payload, yyjson_val *json);

/* Of the value of a (bwd_)compilation_metrics_runtime. */
void extras_note_runtime(struct compile *compile, yyjson_val *value);

/* reasons.c: what artifacts of certain names say. */
void reasons_note(struct fold *fold, struct slice name, struct slice payload, yyjson_val *json);

#endif
