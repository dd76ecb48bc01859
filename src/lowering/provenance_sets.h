/* provenance_sets.h - groups the artifacts for the provenance of a compile id, graph by graph.
 *
 * A set belongs to one node mapping: the pre-grad graph, the post-grad graph and the generated code, which precede the
 * mapping in the log, and the kernels' stack traces, which follow it. A compile id has several sets: forward and
 * backward, or one for each graph that AOTInductor compiles. Pure; one thread. */
#pragma once

#include "codegen/provenance_lines.h"
#include "model/model.h"

enum { SET_CODES = 6, SETS_MAX = 32 };

struct provenance_set {
    const struct artifact *pre, *post, *mapping, *stacks; /* NULL: none */
    struct {
        const struct artifact *artifact;
        enum code_kind kind;
    } codes[SET_CODES];
    size_t code_count;
};

struct provenance_sets {
    struct provenance_set items[SETS_MAX]; /* the last ones */
    size_t count;
    size_t left_out; /* number of earlier ones */
    /* The latest artifact of each kind, for the reference's line maps. The reference reads them from a single folder,
     * that of the compile id with its attempt. */
    struct provenance_set latest;
};

/* Whether provenance may need the text of an artifact with this name, so it is kept. */
bool provenance_reads(struct slice name);
/* The artifacts must be grouped by compile and in log order; a set belongs to one compile. folder: the name of the
 * reference's folder. */
void provenance_sets_find(struct provenance_sets *sets, const struct model *model, const uint32_t *artifacts,
                          size_t count, struct slice folder);
