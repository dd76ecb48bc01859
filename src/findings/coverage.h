/* coverage.h - which functions run compiled code, which only in part, and which not at all.
 *
 * A function is a code object: its process, file, name and first line, over all versions and resets. What Dynamo makes
 * of the rest of a function after a graph break (`torch_dynamo_resume_in_f_at_7`) belongs to the function. Graphs that
 * PyTorch generates (`<eval_with_key>.3`) are one function per name. Only functions that Dynamo began to trace have
 * records, except those of an export, which does not run them. Backward graphs of Compiled Autograd are no functions.
 *
 *   compiled  it has a graph, and nothing of it is known to run without
 *   partly    it has a graph, and graph breaks, failed versions or backwards, or it reached the recompile limit
 *   not       it has no graph: Dynamo gave it up after a graph break or another failure, or its only operators break
 *   no_ops    Dynamo traced it, and found no operators outside of its graph breaks
 *   unknown   the log does not have the end of a trace, or does not say why Dynamo skipped it
 *
 * A function that Dynamo compiles on its own only since a call of its caller did not compile is partly compiled if a graph of the
 * caller contains it, and unknown otherwise.
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
    struct place place;      /* of its first line; 0: unknown, only its rest after a break is in the log */
    struct slice label;      /* as in struct compile */
    LIST(uint32_t) compiles; /* in log order; in model->compiles */
    uint64_t graphs, breaks; /* versions with a graph; distinct graph breaks */
    struct slice reason;     /* why it is not, or partly, compiled; ptr NULL: compiled, or not logged */
    uint32_t finding;        /* that explains it, in the ranked list, or NO_FINDING */
    bool library;            /* not the user's code */
};

struct coverage {
    LIST(struct covered) functions; /* by state, the user's own first, then in log order */
    uint64_t counts[COVERAGE_STATES];
    uint64_t library; /* of these, not the user's code */
    struct arena arena;
};

void coverage_find(struct coverage *coverage, const struct model *model, const struct findings *findings);
void coverage_finish(struct coverage *coverage);
