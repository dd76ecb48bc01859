/* provenance_sets.h - which artifacts of a compile id make up its provenance: what was compiled, graph by graph.
 *
 * A set is what a node mapping speaks of: the pre-grad graph, the post-grad graph, and the code made of it, which all
 * come before the mapping in the log; the kernels' stack traces come behind it. A compile id has several: forward and
 * backward, or each graph that AOT Inductor compiles. Pure; one thread. */
#ifndef TLPARSE_ANALYSIS_PROVENANCE_SETS_H
#define TLPARSE_ANALYSIS_PROVENANCE_SETS_H

#include "model/model.h"
#include "scan/provenance_lines.h"

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
    size_t left_out; /* earlier ones */
    /* The latest of each kind: what the reference's line maps are made of. It reads them from one folder, that of the
     * compile id with its attempt. */
    struct provenance_set latest;
};

/* Whether the text of an artifact of this name may be needed for provenance: for those who keep it. */
bool provenance_reads(struct slice name);
/* Artifacts, those of a compile side by side and in log order; a set is of one compile. folder: the name of the reference's folder. */
void provenance_sets_find(struct provenance_sets *sets, const struct model *model, const uint32_t *artifacts,
                          size_t count, struct slice folder);

#endif
