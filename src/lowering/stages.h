/* stages.h - the stages of a compile from bytecode to kernels, from its artifacts, caches, failure and timers.
 *
 * Rows are in the order of the stages: the forward, then the backward. A stage that the compile did not reach also has
 * a row, with the reason. STAGE_BYTECODE and the backward are left out if the log has nothing about them. Only the last
 * attempt counts: a new Dynamo graph, or an attempt with a higher number, starts again. Call it when the model is
 * complete; any thread. */
#pragma once

#include "base/json.h"
#include "codegen/scanned_kernel.h"
#include "model/model.h"
#include "scan/graph_trace.h"

enum stage {
    STAGE_BYTECODE,
    STAGE_DYNAMO,
    STAGE_PRE_GRAD,
    STAGE_JOINT,
    STAGE_FORWARD,
    STAGE_POST_GRAD,
    STAGE_CODE,
    STAGE_KERNELS,
    STAGE_BACKWARD,
    STAGE_BACKWARD_POST_GRAD,
    STAGE_BACKWARD_CODE,
    STAGE_BACKWARD_KERNELS,
    STAGES,
};

enum stage_state {
    STAGE_DONE,
    STAGE_CACHED,  /* loaded from a cache, with or without artifacts */
    STAGE_FAILED,  /* the compile ended here with an error */
    STAGE_SKIPPED, /* nothing to do, or the backend does not have this stage */
    STAGE_UNKNOWN, /* not logged */
};

struct stage_row {
    bool shown;
    enum stage_state state;
    const char *why;          /* a constant, or in the model; NULL if the state is sufficient */
    int64_t time_us;          /* self time, without nested stages; -1: unknown */
    LIST(uint32_t) artifacts; /* indices in the compile's artifacts */
    uint32_t parts;           /* number of graphs or codes that result: above 1 if the graph was split */
    struct graph_size graph;  /* sum of all of these; graphs 0: unknown */
    uint32_t kernels;
};

struct stages {
    struct stage_row rows[STAGES];
};

void stages_of(struct stages *stages, const struct model *model, const struct compile *compile);
void stages_free(struct stages *stages);

/* capture_joins.c - matches the captured graphs of Compiled Autograd with the compiles whose backwards they are.
 *
 * A captured graph names the AOTAutograd graphs in it by numbers: CompiledFunctionBackward2 is that of the process's
 * third call of AOTAutograd. The log has these calls in order, but may lack some, such as a call that raised. So the
 * names of all nodes must also match those of the backward graph, for all captures of the process; otherwise, none is
 * matched. */
/* Sets `captured` of compiles. Call it once, when the model is complete and compiles have keys. */
void captures_join(struct model *model);

/* equal_graphs.c - graphs that are equal except for the text of a constant, which keeps compiled code from being shared.
 *
 * An operator with a name argument, such as 'layers.10', makes the graphs of equal layers differ. Pure. */
/* Adds a key that is the same for graphs that are equal except for quoted texts among their arguments. Returns false if
 * the graph has no such text, or is not completely known. */
bool equal_graphs_key(struct buf *key, const struct graph_trace *trace);
/* The first of these texts that differs between the two, with its quotes. Returns false if they do not differ. */
bool equal_graphs_differ(const struct graph_trace *one, const struct graph_trace *other, struct slice *in_one,
                         struct slice *in_other);

/* kernel_known.c - the known nodes of kernels, for modules with their own list of kernels (provenance_lines.h). */
/* Receives the nodes "a, b" of the post-grad graph, if all of them are known, for a kernel that the code calls once
 * ("cpp_fused_add_0") or for a library call, by its debug handle ("extern_kernels.mm:4"). */
typedef void (*kernel_known)(void *to, struct slice name, struct slice nodes);
/* The code is an artifact of the report. Does not change the model. */
void kernels_each_known(const struct model *model, const struct artifact *code, kernel_known found, void *to);

/* kernel_choices.c - the kernels that Inductor chose by benchmarks (max_autotune): one choice per operation, from the events
 * *_template_autotuning, which precede the code. A part of kernels.h; the fold's thread. */
/* Notes the choice if the event ends one. */
void kernel_choices_note(struct model *model, uint32_t compile, yyjson_val *event);
/* Finds the choices behind the kernels of the latest code. A template's kernel has the winner's configuration; a
 * library call has its name. `scan` must already have been added. */
void kernel_choices_take(struct model *model, uint32_t folder, const struct kernel_scan *scan);
