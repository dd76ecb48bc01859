/* records.h - fold functions of the kinds that have a source of their own, and helpers that several kinds share. */
#pragma once

#include "base/json.h"
#include "kinds/kind.h"
#include "model/model.h"
#include "scan/text_counts.h"
#include "trace/strings.h"

struct compile;

/* artifacts.c - records that carry a named text: artifact, link, graph_dump, DDP's submodules. */
struct node *artifact_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void artifact_fold(struct fold *fold, const struct node *node);
void link_fold(struct fold *fold, const struct node *node);
struct node *graph_dump_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void graph_dump_fold(struct fold *fold, const struct node *node);
void ddp_child_fold(struct fold *fold, const struct node *node);

/* events.c - chromium events. */
/* Whether the event is the first one of a compile: the start of its outermost span. */
bool event_begins_compile(yyjson_val *event);
struct node *event_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void event_fold(struct fold *fold, const struct node *node);

/* reasons.c - artifacts that give reasons: graph breaks, recompiles, cache results, failures. */
void reasons_note(struct fold *fold, const struct node *node, struct slice name, struct slice payload);
/* The reasons in the message of a RecompileError, which torch._dynamo.config.error_on_recompile raises before PyTorch
 * logs them. */
void reasons_note_refused(struct fold *fold, struct slice message);

/* extra_records.c - rare artifacts. */
void extras_note(struct fold *fold, const struct node *node, struct slice name, struct slice payload);

/* Notes the value of a (bwd_)compilation_metrics_runtime. */
void extras_note_runtime(struct compile *compile, yyjson_val *value);

/* vllm_records.c - artifacts of vLLM. */
/* Returns false if the name is not one of vLLM. The record's artifacts begin at index `artifact` of the report. */
bool vllm_artifact(struct fold *fold, const struct node *node, struct slice name, size_t artifact);
bool vllm_graph(struct fold *fold, struct slice name, size_t artifact);

/* collectives.c - collectives in code. */
/* The kind of collective of an operator; COLLECTIVES if it is not a collective. */
enum collective collective_of(struct slice op);
/* Counts the calls of torch.ops._c10d_functional in code, ignoring comments. */
void collectives_count(struct slice code, struct calls *calls);

/* traceback.c - parses texts written by Python's traceback module. Pure, any thread; slices of the given text. */
/* The innermost user frame of the text. file.ptr NULL: none. */
struct place traceback_user_place(struct slice text);
/* The exception at the end of a traceback, including its type: "RuntimeError: no". */
struct slice traceback_message(struct slice text);

/* value_text.c - the members of a record as readable text: "name: value", stacks in Python's format. Pure, but it
 * reads the string table, so it runs on the fold's thread. */
void value_text_add(struct buf *out, yyjson_val *value, const struct strings *strings);

/* symbols.c - sizes, symbols and specializations. */
void describe_tensor_fold(struct fold *fold, const struct node *node);
void describe_storage_fold(struct fold *fold, const struct node *node);
void describe_source_fold(struct fold *fold, const struct node *node);
void specialization_fold(struct fold *fold, const struct node *node);
void guard_fast_fold(struct fold *fold, const struct node *node);
void create_symbol_fold(struct fold *fold, const struct node *node);
void create_unbacked_fold(struct fold *fold, const struct node *node);

/* payload_scan.c - scans payloads while they are decoded. */
/* Whether an artifact with this name contains a graph if it is not JSON. */
bool is_graph_name(struct slice name);
struct node *graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *output_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *backward_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *autograd_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *post_grad_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *cpp_guards_decode(const struct record *record, yyjson_val *value, struct arena *arena);
/* For an artifact or a graph_dump, by its name. */
struct node *named_text_decode(const struct record *record, struct slice name, struct arena *arena);
/* Scans the kernels of output code, and counts those that it defines. Library calls do not count. */
void kernels_decode(struct node *node, const struct record *record, struct arena *arena);

/* code.c - guards, output code, dumped code. */
void cpp_guards_fold(struct fold *fold, const struct node *node);
void output_graph_fold(struct fold *fold, const struct node *node);
/* The first graph that a call of AOTAutograd logs: the joint graph, or that of inference. */
void aot_graph_fold(struct fold *fold, const struct node *node);
void backward_graph_fold(struct fold *fold, const struct node *node);
/* Adds to the compile what the text shows about products of float32 matrices and about the device. */
void float32_note(struct fold *fold, const struct node *node);
void post_grad_fold(struct fold *fold, const struct node *node);
void autograd_graph_fold(struct fold *fold, const struct node *node);
struct node *output_code_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void output_code_fold(struct fold *fold, const struct node *node);
void dump_file_fold(struct fold *fold, const struct node *node);
struct node *guards_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void guards_fold(struct fold *fold, const struct node *node);

/* metrics.c - dynamo_start and the metrics of compiles. */
/* Whether the value of a compilation_metrics record belongs to a forward, so that the record stands for a compile. */
bool metrics_is_forward(yyjson_val *value);
/* Whether records of this kind belong to a compile that has ended: metrics of its backward and of its run time. */
bool metrics_follow_compile(const struct kind *kind);
void start_fold(struct fold *fold, const struct node *node);
void metrics_fold(struct fold *fold, const struct node *node);
void runtime_metrics_fold(struct fold *fold, const struct node *node);
void backward_metrics_fold(struct fold *fold, const struct node *node);
void old_backward_metrics_fold(struct fold *fold, const struct node *node);
