/* recompile_advice.h - parts of chains_advise(): advice on one cause. Internal. */
#pragma once

#include "advice/advice.h"

/* A step whose numbers a piece of advice makes dynamic. */
struct dynamic_step {
    const struct step *step;
    size_t advice; /* in the chain's */
};

enum {
    ADVICE_MAX = 8,
    ISOLATION_SINCE = 214, /* torch.compile(isolate_recompiles=…) */
    SYMBOLIC_ONE_SINCE =
        215, /* from this version on, integers of 0 and 1 can be symbols, unlike sizes; before, they are constants */
};

struct advising {
    struct chain *chain;
    const struct model *model;
    struct arena *arena;
    bool empty; /* every version has an empty graph: the function only passes on its arguments */
    struct dynamic_step dynamic[ADVICE_MAX];
    size_t dynamic_count;
    bool fixed[STEPS_COMPARED_MAX]; /* steps that advice saves */
    bool said[STEPS_COMPARED_MAX];  /* steps that have advice */
};

/* advice_parts.c */
/* Frees the text. */
struct advice *advice_add(struct advising *a, enum guard_type type, struct buf *text);
void advice_cite(struct advice *advice, enum evidence_record record, uint32_t compile, struct slice says);
/* Cites the records of a step that the advice is about. A step that became a version counts as saved. */
void advice_cite_step(struct advising *a, struct advice *advice, const struct step *step);
/* The same for advice that may not save the step. */
void advice_cite_part(struct advising *a, struct advice *advice, const struct step *step);
/* Counts a step that the advice saves, provided that the user can follow the advice. */
void advice_count_possible(struct advising *a, struct advice *advice, const struct step *step);
bool step_is_of(const struct step *step, const struct cause *cause);
/* Whether the user's code can use the name. ___stack0 is Dynamo's. */
bool is_users_name(struct slice readable);
/* Whether a thread that the program starts calls the function: settings of torch._dynamo.config are per thread. */
bool is_in_thread(const struct advising *a);
/* The line that calls the frame's function in this compile; NULL: unknown. */
const struct stack_node *calling_of(const struct advising *a, uint32_t compile);
/* Whether PyTorch calls other functions from this file, so the user's call is further up the stack. */
bool is_passing_on(struct slice file);
/* Whether code that Dynamo compiles calls the function: mark_dynamic() raises an error there. */
bool is_called_compiled(const struct advising *a);
/* Whether the frame is called with inputs that can be marked. Not a backward graph of Compiled Autograd. */
bool is_called(const struct advising *a, const struct cause *cause);
/* Whether the caller of the frame's function can change this argument or its contents. A caller of a library's function
 * only passes the arguments. */
bool is_at_hand(const struct advising *a, struct slice readable);
/* Whether a library passes the argument to a function of a library, so the program does not choose it. */
bool is_librarys(const struct advising *a, struct slice readable);
/* Adds "the first argument" for args[0], "`labels`" for kwargs['labels'], "the global `opt`" for
 * G['opt'], and other names as they are. */
void advice_add_argument(struct buf *text, struct slice readable);
struct slice compile_key(const struct advising *a, uint32_t compile);

/* step_parts.c */
/* From this version on, TORCH_COMPILE_DYNAMIC_SOURCES accepts dimensions, "L['x']:0"; before, a tensor stands for all
 * of its dimensions. */
enum { DIMENSION_SINCE = 215 };
/* The version of PyTorch as a comparable number: 2.15.0+cpu is 215; 0: unknown. */
uint64_t version_of(const struct advising *a);
/* "2.15.0+cpu" as a comparable number, 215; 0: unknown. */
uint64_t version_number(struct slice rest);
/* "L['x'].size()[0]" of the change, "L['n']". */
struct slice change_expression(struct advising *a, const struct guard_change *change);
/* Whether marking a size also makes the stride dynamic. */
bool is_marked_stride(const struct step *step, const struct guard_change *change);
/* Whether the step differs in a value from before a graph break after which the function continues. */
bool step_has_stack(const struct step *step);
/* Whether it differs only in such values, so the break is what needs a fix. */
bool step_is_of_stack(const struct step *step);
/* Whether the change is in such a value. */
bool change_is_of_stack(const struct guard_change *change);
/* Whether mark_static() keeps this dimension, or all dimensions, constant. */
bool is_marked_static(const struct model *model, uint32_t compile, const struct guard_fact *fact);
/* Whether the step fails an equality of sizes that PyTorch assumed, according to the guard's origin, and otherwise
 * differs only in strides, which follow from sizes. */
bool step_is_of_equal(const struct step *step);

/* recompile_sizes.c */
/* Advice on sizes, integers and floats that can become symbols. */
void advise_symbolic(struct advising *a, const struct cause *cause);
/* Explains sizes of 0 and 1, which always have their own version. */
void explain_zero_one(struct advising *a, const struct cause *cause);
/* Advice on sizes that were equal by chance. */
void advise_equal(struct advising *a, const struct cause *cause);
/* Whether a step differs only in numbers that became symbols in it, and that can be symbols in its nearest version. */
bool has_symbols_only(struct advising *a, const struct step *step);
/* Adds the advice that makes the numbers of this step dynamic, and cites it. Returns NULL if there is no way. */
struct advice *advise_dynamic(struct advising *a, enum guard_type type, const struct step *step);
/* Whether the number of the step can be dynamic from the start: it is a symbol in the step, and nothing keeps it
 * constant. With `layouts`, assumes the strides of the nearest version. */
bool can_be_dynamic(struct advising *a, const struct step *step, const struct guard_change *change, bool layouts);
/* How to make the numbers among the step's changes dynamic in the first version; NULL: there are too many, or this
 * version of PyTorch cannot. */
struct dynamic_advice *dynamic_numbers(struct advising *a, const struct step *step);
struct advice *advice_add_numbers(struct advising *a, enum guard_type type, struct dynamic_advice *dynamic);
/* Adds such advice on the numbers of a step that also needs a version for another reason: `lead` is the advice on that
 * reason. It promises no savings. Returns false if the numbers cannot be dynamic. */
bool advise_dynamic_after(struct advising *a, const struct cause *cause, const struct step *step, struct slice lead);
/* Whether the first number that changed in the step was dynamic and then specialized. */
bool step_is_specialized(struct advising *a, const struct step *step);
/* The first size or number of the step that was specialized; NULL: none. */
const struct guard_change *specialized_change(struct advising *a, const struct step *step);

/* recompile_mixed.c */
/* Advice on steps in which sizes, layouts and floats changed at once. */
void advise_mixed(struct advising *a);

/* recompile_modules.c */
/* Whether the step is for another module of the same class. */
bool step_is_of_other_module(const struct step *step);
/* Whether a mark on a tensor changed. */
bool step_has_other_mark(const struct step *step);
/* Adds one sentence for all such steps. Returns false if this step is of another kind. */
bool note_modules(struct advising *a, const struct step *step);

/* recompile_loops.c */
/* The line of a loop `for … in range(…)` that needs the value of the changed number; code.ptr NULL: none. */
struct loop {
    struct slice code;
    struct place place; /* file.ptr NULL: unknown */
};
struct loop loop_over(struct advising *a, const struct step *step, const struct guard_change *change);
/* Advice on numbers that loops run over, in all steps. */
void advise_loops(struct advising *a);

/* recompile_items.c */
/* Advice on lines of Python that test several items of a list of numbers. */
void advise_items(struct advising *a);

/* recompile_paths.c */
/* The shortest condition on the size or number in the step's compile that does not hold for its values
 * in the nearest version; ptr NULL: none. Without `strides`, conditions on strides do not count. */
struct slice path_condition(const struct advising *a, const struct step *step, struct slice expression, bool strides);

/* The value of TORCH_COMPILE_DYNAMIC_SOURCES in the text of a piece of advice. */
/* The value of TORCH_COMPILE_DYNAMIC_SOURCES in the text of an advice. */
struct dynamic_value {
    struct slice text;   /* the whole value */
    struct slice holder; /* the function, in backquotes, whose fix shows the whole value; empty: this one shows it */
    bool above;          /* earlier advice in the same chain shows it */
    bool shared;         /* several functions have such an input */
    size_t functions;    /* number of functions whose fixes share a long value; 0: the value is short */
};
void dynamic_add_text(struct buf *out, const struct dynamic_advice *dynamic, const struct dynamic_value *value);
/* Adds a source in the syntax of the variable: "L['x']", or a pattern if the list cannot contain its name. */
void dynamic_add_source(struct buf *out, struct slice source);
/* The readable name of the list that contains the tensor, if marking only this item could be an error: the list gets
 * longer, or the code makes sizes of its items equal. Empty: it could not. */
struct slice dynamic_list(struct advising *a, struct slice source);
/* Adds a number that is not yet in the list. */
void dynamic_add_number(struct arena *arena, struct dynamic_advice *dynamic, const struct dynamic_number *number);
/* Whether the first version of the chain has no tensor with this size, so marking before its call is too early. */
bool dynamic_is_late(const struct advising *a, const struct step *step, const struct guard_change *change);
/* Writes the advice's text, with only the sources that it needs itself. */
void dynamic_write(struct arena *arena, struct advice *advice);

/* recompile_join.c */
/* Merges equal advice on several steps of a chain, and advice on numbers. */
void advice_join(struct arena *arena, struct chain *chain);

/* recompile_needed.c */
/* The line where Python or an operator needs the value of the changed float, so a tensor would break the graph there,
 * or raise an error; code.ptr NULL: unknown. */
struct needed {
    struct slice code, file; /* file.ptr NULL: unknown */
    uint64_t line;
    bool of_operator;
};
/* Finds what needs the float as a number: the operator that takes it, according to a reason of a later version of the
 * function, or the first line that uses it, if that line branches on it. Returns false if neither is known. */
bool number_user(const struct model *model, const struct compile *compile, struct slice source, struct needed *needed);
/* Adds ", and keep it one at train.py:30 (…)" if a line of the chain's function, where the graph breaks, makes the name a
 * number again (line_keeps_number()). */
void number_kept_add(struct buf *text, const struct model *model, const struct chain *chain, struct slice name);
struct needed number_needed(const struct advising *a, const struct step *step, const struct guard_change *change);

/* recompile_tested.c */
/* Whether the graph of a version computes with the argument, a float, that the line `code` of the compile's function
 * branches on. */
bool number_is_tested_input(const struct model *model, const struct compile *compile, struct slice name,
                            struct slice code);
/* Adds a space and a sentence on where the graph breaks in the step's version because its size is dynamic. */
void advice_add_symbolic_break(struct buf *text, const struct advising *a, const struct step *step);

/* recompile_bounds.c */
/* The step without conditions that follow from a changed size. It may be the same step. */
const struct step *step_without_bounds(struct advising *a, const struct step *step);

/* recompile_others.c */
/* Advice on steps that differ from another version only in numbers. */
void advise_other_versions(struct advising *a);
/* The same for a step that also differs in a float. Returns false if there is no such version. */
bool advise_float_beside(struct advising *a, const struct cause *cause, const struct step *step);

/* recompile_notes.c */
/* Adds a note on a cause without other advice. */
void advise_note(struct advising *a, const struct cause *cause);
/* The same for the attributes of a library's objects, in one sentence. */
void advise_states(struct advising *a);

/* note_parts.c */
/* Whether a step of the cause has no advice yet. Notes are about such steps: */
bool note_is_open(const struct advising *a, size_t nth, const struct cause *cause);
/* The first such step; NULL: not compared. */
const struct step *note_step(const struct advising *a, const struct cause *cause);
/* Adds "x" for type(x), len(x), x.dtype, x.stride()[0]: the readable subject of the guard. */
void note_name_add(struct buf *out, const struct advising *a, const struct cause *cause);
/* Cites the open steps, without savings. */
void note_cite(struct advising *a, const struct cause *cause, struct advice *advice);
/* Adds the reason why several versions are normal. Frees the text. */
void note_explain(struct advising *a, const struct cause *cause, struct buf *text);
/* Whether the user does not know the subject: a library's internal value, or a name that only Dynamo uses. */
bool note_is_hidden(const struct advising *a, const struct cause *cause);
/* Whether the cause is an internal value of a library's object: an attribute in a function of the library, which the
 * user does not set. */
bool note_is_state(const struct advising *a, const struct cause *cause);
#define NOTE_MARK                                                                                                      \
    "Mark the same dimensions, in the same way, in every call: a version fits only the marks that it was compiled "    \
    "for."
/* "self.norm.eps", not "x" */
bool note_is_attribute(struct slice readable);

/* recompile_strings.c */
/* A note on a string with a different value in each of many versions. Returns false if it is another string. */
bool note_many_strings(struct advising *a, const struct cause *cause);

/* recompile_kinds.c */
/* The same for floats, and for kinds of guards that share a sentence. */
void note_float(struct advising *a, const struct cause *cause);
void note_kind(struct advising *a, const struct cause *cause);
/* Whether the number of an open step was a symbol and then became a constant again. */
bool note_is_specialized(struct advising *a, const struct cause *cause);

/* recompile_constants.c */
/* The same for sizes. */
void note_size(struct advising *a, const struct cause *cause);
/* A note on a step that dynamic numbers would not save. */
void note_other(struct advising *a, const struct cause *cause);

/* recompile_lengths.c */
/* The same for lengths. */
void note_length(struct advising *a, const struct cause *cause);
/* Whether the version before the first open step changes the subject of the cause, according to its side effects. */
bool note_is_changed(const struct advising *a, const struct cause *cause);
/* Whether the length is greater in every version than in the version that it is compared with, in at least two steps:
 * the program keeps appending to the list. A call that failed has no guards. */
bool note_is_growing(const struct advising *a, const struct cause *cause);
#define NOTE_FIRST_STATE                                                                                               \
    "The first step creates the state of the optimizer: one version for it and one for the later steps are expected."
/* Whether the cause is state that an optimizer creates for each parameter in its first step. */
bool note_is_first_state(struct slice frame, const struct cause *cause);

/* recompile_blocks.c */
/* Adds how to make the sizes of a BlockMask dynamic, if the change is in one of them, from or to 1. Returns false and
 * adds nothing if it is not, or if anything but sizes differs. */
bool add_blocks(struct buf *text, struct advising *a, const struct step *step, const struct guard_change *change);

/* recompile_along.c */
/* Advice on values that the function itself changes in each call. */
void advise_own(struct advising *a);

/* recompile_stack.c */
/* Advice on values from before the graph break after which the function continues: without the break, they have no
 * guards. */
void advise_stack(struct advising *a);
/* Advice on other steps of such a function without advice. */
void advise_rest(struct advising *a);

/* recompile_wrapped.c */
/* Advice on versions of several modules that one function of PyTorch calls. */
void advise_wrapped(struct advising *a);

/* recompile_objects.c */
/* Advice on objects, functions, classes and enum members, each of which needs a version. */
void advise_objects(struct advising *a, const struct cause *cause);
void advise_deallocated(struct advising *a, const struct cause *cause);
/* Advice on modules of torch.nn that are compiled separately. */
void advise_isolation(struct advising *a);
/* Advice on numbers that objects keep: integers of modules, learning rates of optimizers. */
bool advise_module_integer(struct advising *a, const struct cause *cause);

/* recompile_optimizer.c */
bool advise_learning_rate(struct advising *a, const struct cause *cause);

/* recompile_sources.c */
/* Adds the sources of all advice to each value of TORCH_COMPILE_DYNAMIC_SOURCES. */
void recompile_join_sources(struct chains *chains, const struct model *model);
/* Whether that value, which all functions share, makes all numbers dynamic that changed in the step. */
bool recompile_is_covered(const struct model *model, const struct chains *chains, const struct step *step);
