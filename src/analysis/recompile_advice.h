/* recompile_advice.h - parts of recompile_advise(): what to do about one cause. Internal. */
#ifndef TLPARSE_ANALYSIS_RECOMPILE_ADVICE_H
#define TLPARSE_ANALYSIS_RECOMPILE_ADVICE_H

#include "analysis/chains.h"

struct advising {
    struct chain *chain;
    const struct model *model;
    struct arena *arena;
};

/* Frees the text. */
struct advice *advice_add(struct advising *a, enum guard_type type, struct buf *text);
void advice_cite(struct advice *advice, enum evidence_record record, uint32_t compile, struct slice says);
/* Cites the records of a step, which the advice is about; a step that became a version is counted as saved. */
void advice_cite_step(struct advising *a, struct advice *advice, const struct step *step);
/* Whether the setting of torch._dynamo.config has this value in the compile. */
bool recompile_setting_is(const struct model *model, uint32_t compile, const char *name, const char *wanted);
bool step_is_of(const struct step *step, const struct cause *cause);
/* A name that the user's code can use. ___stack0 is Dynamo's. */
bool is_users_name(struct slice readable);
/* Whose code calls the frame's function: it has the arguments. */
enum caller { CALLER_UNKNOWN, CALLER_USER, CALLER_LIBRARY };
enum caller frame_caller(const struct advising *a);
/* Whether whoever calls the frame's function can change this argument, or what is in it. A caller of a library's
 * function only passes the arguments. */
bool is_at_hand(const struct advising *a, struct slice readable);
/* Adds "the first argument" for args[0], "`labels`" for kwargs['labels'], and other names of arguments as they are. */
void advice_add_argument(struct buf *text, struct slice readable);
struct slice compile_key(const struct advising *a, uint32_t compile);

/* recompile_sizes.c: sizes, integers and floats that can become symbols. */
void advise_symbolic(struct advising *a, const struct cause *cause);
/* Sizes of 0 and 1, which always have a version of their own. */
void explain_zero_one(struct advising *a, const struct cause *cause);

/* recompile_objects.c: objects, functions, classes and members of enums, each of which needs a version. */
void advise_objects(struct advising *a, const struct cause *cause);
void advise_deallocated(struct advising *a, const struct cause *cause);
/* Numbers that objects keep: integers of modules, learning rates of optimizers. */
bool advise_module_integer(struct advising *a, const struct cause *cause);
bool advise_learning_rate(struct advising *a, const struct cause *cause);

#endif
