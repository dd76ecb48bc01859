/* coverage.h - which functions run as compiled code, which only in part, and which not at all.
 *
 * A function is a code object: its process, file, name and first line, over all versions and resets. A resume function,
 * for the rest of a function after a graph break (`torch_dynamo_resume_in_f_at_7`), belongs to that function. Graphs
 * that PyTorch generates (`<eval_with_key>.3`) are one function per name. Only functions that Dynamo began to trace
 * have records. Functions of an export do not count, because it does not run them. Backward graphs of Compiled Autograd
 * are not functions.
 *
 *   compiled  it has a graph, and nothing of it is known to run without
 *   partly    it has a graph, and graph breaks, failed versions or backwards, or it reached the recompile limit
 *   not       it has no graph: Dynamo gave it up after a graph break or another failure, or its only operators break
 *   no_ops    Dynamo traced it, and found no operators outside of its graph breaks
 *   unknown   the log does not have the end of a trace, or does not say why Dynamo skipped it
 *
 * If Dynamo compiles a function separately only because a call of its caller did not compile, the function is partly
 * compiled if a graph of the caller contains it, and unknown otherwise.
 *
 * Derived from the complete model and the ranked findings. One thread. */
#pragma once

#include "findings/finding.h"

enum coverage_state {
    COVERAGE_NOT,
    COVERAGE_PARTLY,
    COVERAGE_UNKNOWN,
    COVERAGE_NO_OPS,
    COVERAGE_COMPILED,
    COVERAGE_STATES
};
const char *coverage_state_name(enum coverage_state state); /* in report.json */

struct covered {
    enum coverage_state state;
    struct place place;      /* of its first line; 0: unknown, because the log only has its rest after a break */
    struct slice label;      /* as in struct compile */
    LIST(uint32_t) compiles; /* indices in model->compiles, in log order */
    uint64_t graphs, breaks; /* number of versions with a graph; number of distinct graph breaks */
    struct slice reason;     /* why it is not, or only partly, compiled; ptr NULL: it is compiled, or the reason is
                              * not logged */
    uint32_t finding;        /* index in the ranked list of the finding that explains it, or NO_FINDING */
    bool library;            /* not the user's code */
};

struct coverage {
    LIST(struct covered) functions; /* by state, the user's own first, then in log order */
    uint64_t counts[COVERAGE_STATES];
    uint64_t library; /* of these, functions outside of the user's code */
    struct arena arena;
};

void coverage_find(struct coverage *coverage, const struct model *model, const struct findings *findings);
void coverage_finish(struct coverage *coverage);
