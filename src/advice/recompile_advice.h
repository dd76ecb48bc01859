/* recompile_advice.h - parts of chains_advise(): what to do about one cause. Internal. */
#pragma once

#include "advice/advice.h"

/* A step whose numbers an advice makes dynamic. */
struct dynamic_step {
    const struct step *step;
    size_t advice; /* in the chain's */
};

enum {
    ADVICE_MAX = 8,
    ISOLATION_SINCE = 215, /* torch.compile(isolate_recompiles=…) */
    SYMBOLIC_ONE_SINCE =
        215, /* integers of 0 and 1 can be symbols, unlike sizes; in older versions, they are constants */
};

struct advising {
    struct chain *chain;
    const struct model *model;
    struct arena *arena;
    bool empty; /* every version has an empty graph: the function only passes its arguments on */
    struct dynamic_step dynamic[ADVICE_MAX];
    size_t dynamic_count;
    bool fixed[STEPS_COMPARED_MAX]; /* steps that advice saves */
    bool said[STEPS_COMPARED_MAX];  /* steps that advice is about */
};

/* advice_parts.c */
/* Frees the text. */
struct advice *advice_add(struct advising *a, enum guard_type type, struct buf *text);
void advice_cite(struct advice *advice, enum evidence_record record, uint32_t compile, struct slice says);
/* Cites the records of a step, which the advice is about; a step that became a version is counted as saved. */
void advice_cite_step(struct advising *a, struct advice *advice, const struct step *step);
/* The same for advice that may not save the step. */
void advice_cite_part(struct advising *a, struct advice *advice, const struct step *step);
/* Counts a step that the advice saves if what it says can be done. */
void advice_count_possible(struct advising *a, struct advice *advice, const struct step *step);
bool step_is_of(const struct step *step, const struct cause *cause);
/* A name that the user's code can use. ___stack0 is Dynamo's. */
bool is_users_name(struct slice readable);
/* Whether a thread that the program starts calls it: settings of torch._dynamo.config are those of the thread. */
bool is_in_thread(const struct advising *a);
/* The line that calls the frame's function in this compile; NULL: unknown. */
const struct stack_node *calling_of(const struct advising *a, uint32_t compile);
/* Whether PyTorch calls other functions from this file: what the user calls is behind it. */
bool is_passing_on(struct slice file);
/* Whether that is code which Dynamo compiles, where mark_dynamic() raises an error. */
bool is_called_compiled(const struct advising *a);
/* Whether the frame is called with inputs that can be marked: a backward graph of Compiled Autograd is not. */
bool is_called(const struct advising *a, const struct cause *cause);
/* Whether whoever calls the frame's function can change this argument, or what is in it. A caller of a library's
 * function only passes the arguments. */
bool is_at_hand(const struct advising *a, struct slice readable);
/* Whether a library passes the argument to a function of a library: the program does not choose what it is. */
bool is_librarys(const struct advising *a, struct slice readable);
/* Adds "the first argument" for args[0], "`labels`" for kwargs['labels'], "the global `opt`" for
 * G['opt'], and other names as they are. */
void advice_add_argument(struct buf *text, struct slice readable);
struct slice compile_key(const struct advising *a, uint32_t compile);

/* step_parts.c */
/* The version from which on TORCH_COMPILE_DYNAMIC_SOURCES takes dimensions, "L['x']:0"; in older ones, a tensor stands for
 * all of its dimensions. */
enum { DIMENSION_SINCE = 215 };
/* The version of PyTorch as a comparable number: 2.15.0+cpu is 215; 0: unknown. */
uint64_t version_of(const struct advising *a);
/* "2.15.0+cpu" as a comparable number, 215; 0: unknown. */
uint64_t version_number(struct slice rest);
/* "L['x'].size()[0]" of the change, "L['n']". */
struct slice change_expression(struct advising *a, const struct guard_change *change);
/* Whether a mark on a size makes the stride dynamic. */
bool is_marked_stride(const struct step *step, const struct guard_change *change);
/* Whether the step differs in such a value, from before the graph break after which the function goes on. */
bool step_has_stack(const struct step *step);
/* Whether it differs in such values only: the break is what to fix. */
bool step_is_of_stack(const struct step *step);
/* Whether it is of such a value. */
bool change_is_of_stack(const struct guard_change *change);
/* Whether mark_static() keeps this dimension constant, or all of them. */
bool is_marked_static(const struct model *model, uint32_t compile, const struct guard_fact *fact);
/* Whether the step fails an equality of sizes that PyTorch assumed, as the guard's origin says, and only strides, which
 * follow from sizes, in addition. */
bool step_is_of_equal(const struct step *step);

/* recompile_sizes.c */
/* Sizes, integers and floats that can become symbols. */
void advise_symbolic(struct advising *a, const struct cause *cause);
/* Sizes of 0 and 1, which always have a version of their own. */
void explain_zero_one(struct advising *a, const struct cause *cause);
/* Sizes that were equal by chance. */
void advise_equal(struct advising *a, const struct cause *cause);
/* Whether a step differs only in numbers that became symbols in it, and that can be symbols in its nearest version. */
bool has_symbols_only(struct advising *a, const struct step *step);
/* Adds the advice that makes the numbers of this step dynamic, and cites it. Returns NULL if there is no way. */
struct advice *advise_dynamic(struct advising *a, enum guard_type type, const struct step *step);
/* Whether the number of the step can be dynamic from the start: it is a symbol in the step, and nothing keeps it. With
 * `layouts`, the strides are those of the nearest version then. */
bool can_be_dynamic(struct advising *a, const struct step *step, const struct guard_change *change, bool layouts);
/* What makes the numbers among the step's changes dynamic in the first version; NULL: there are too many, or this version
 * of PyTorch has no way. */
struct dynamic_advice *dynamic_numbers(struct advising *a, const struct step *step);
struct advice *advice_add_numbers(struct advising *a, enum guard_type type, struct dynamic_advice *dynamic);
/* Adds such advice on the numbers of a step that something else keeps apart, too: `lead` says what to do about that. It
 * promises no saving. Returns false if the numbers cannot be dynamic. */
bool advise_dynamic_after(struct advising *a, const struct cause *cause, const struct step *step, struct slice lead);
/* Whether the first number that changed in the step was dynamic and was specialized. */
bool step_is_specialized(struct advising *a, const struct step *step);
/* The first size or number of the step that was; NULL: none. */
const struct guard_change *specialized_change(struct advising *a, const struct step *step);

/* recompile_mixed.c */
/* Steps in which sizes, layouts and floats changed at once. */
void advise_mixed(struct advising *a);

/* recompile_modules.c */
/* Whether the step is for another module of the class. */
bool step_is_of_other_module(const struct step *step);
/* Whether a mark on a tensor changed. */
bool step_has_other_mark(const struct step *step);
/* One sentence for all such steps. Returns false if this one is not. */
bool note_modules(struct advising *a, const struct step *step);

/* recompile_loops.c */
/* The line of a loop `for … in range(…)` that needs the number of the change; code.ptr NULL: none. */
struct loop {
    struct slice code;
    struct place place; /* file.ptr NULL: unknown */
};
struct loop loop_over(struct advising *a, const struct step *step, const struct guard_change *change);
/* Numbers over which loops run, in all steps. */
void advise_loops(struct advising *a);

/* recompile_items.c */
/* Lines of Python that test several items of a list of numbers. */
void advise_items(struct advising *a);

/* recompile_paths.c */
/* The shortest condition on the size or number in the step's compile that does not hold for its values
 * in the nearest version; ptr NULL: none. Without `strides`, those on strides do not count. */
struct slice path_condition(const struct advising *a, const struct step *step, struct slice expression, bool strides);

/* recompile_dynamic.c */
/* The value of TORCH_COMPILE_DYNAMIC_SOURCES in the text of an advice. */
struct dynamic_value {
    struct slice text;   /* the whole value */
    struct slice holder; /* the function, in backquotes, whose fix has the whole value; empty: this one has it */
    bool above;          /* advice before it in the same chain has it */
    bool shared;         /* several functions have such an input */
    size_t functions;    /* whose fixes need a long value; 0: it is short */
};
void dynamic_add_text(struct buf *out, const struct dynamic_advice *dynamic, const struct dynamic_value *value);
/* Adds a source as the variable needs it: "L['x']", or a pattern, if its name cannot be in the list. */
void dynamic_add_source(struct buf *out, struct slice source);
/* The readable name of the list that the tensor is an item of, if a mark on this item alone could be an error: the list
 * gets longer, or the code makes sizes of its items equal. Empty: it could not. */
struct slice dynamic_list(struct advising *a, struct slice source);
/* Adds a number that is not in the list. */
void dynamic_add_number(struct arena *arena, struct dynamic_advice *dynamic, const struct dynamic_number *number);
/* Whether the first version of the chain has no tensor with this size, so that a mark before its call is too early. */
bool dynamic_is_late(const struct advising *a, const struct step *step, const struct guard_change *change);
/* Sets the advice's text, with the value that it needs alone. */
void dynamic_write(struct arena *arena, struct advice *advice);

/* recompile_join.c */
/* Makes one of equal advice on several steps of a chain, and of advice on numbers. */
void advice_join(struct arena *arena, struct chain *chain);

/* recompile_needed.c */
/* The line where Python or an operator needs the float of the change itself, so that a tensor would
 * break the graph there, or raise an error; code.ptr NULL: none is known. */
struct needed {
    struct slice code, file; /* file.ptr NULL: unknown */
    uint64_t line;
    bool of_operator;
};
/* What needs the float as a number: the operator that takes it, as a reason of a later version of the function says, or
 * the first line that uses it, if that decides by it. Returns false if neither is known. */
bool number_user(const struct model *model, const struct compile *compile, struct slice source, struct needed *needed);
/* Adds ", and keep it one at train.py:30 (…)" if a line of the chain's function, where the graph breaks, makes the name a
 * number again (line_keeps_number()). */
void number_kept_add(struct buf *text, const struct model *model, const struct chain *chain, struct slice name);
struct needed number_needed(const struct advising *a, const struct step *step, const struct guard_change *change);

/* recompile_tested.c */
/* Whether the graph of a version computes with the argument, a float, by which the line `code` of the
 * compile's function decides. */
bool number_is_tested_input(const struct model *model, const struct compile *compile, struct slice name,
                            struct slice code);
/* Where the graph breaks in the version of the step because its size is dynamic: a sentence after a space. */
void advice_add_symbolic_break(struct buf *text, const struct advising *a, const struct step *step);

/* recompile_bounds.c */
/* The step without conditions that a size which changed explains. It may be the same. */
const struct step *step_without_bounds(struct advising *a, const struct step *step);

/* recompile_others.c */
/* Steps that are near another version by numbers only. */
void advise_other_versions(struct advising *a);
/* The same for one that also differs in a float. Returns false if there is no such version. */
bool advise_float_beside(struct advising *a, const struct cause *cause, const struct step *step);

/* recompile_notes.c */
/* What is to say about a cause without other advice. */
void advise_note(struct advising *a, const struct cause *cause);
/* The same for the attributes of a library's objects, in one sentence. */
void advise_states(struct advising *a);

/* note_parts.c */
/* Whether a step of the cause has no advice yet. The notes are about such steps: */
bool note_is_open(const struct advising *a, size_t nth, const struct cause *cause);
/* The first one; NULL: not compared. */
const struct step *note_step(const struct advising *a, const struct cause *cause);
/* "x" for type(x), len(x), x.dtype, x.stride()[0]: what the guard is on, readable. */
void note_name_add(struct buf *out, const struct advising *a, const struct cause *cause);
/* Cites the open steps, without a saving. */
void note_cite(struct advising *a, const struct cause *cause, struct advice *advice);
/* Why several versions are normal. Frees the text. */
void note_explain(struct advising *a, const struct cause *cause, struct buf *text);
/* What a library keeps for itself, or what only Dynamo names: the user does not know it. */
bool note_is_hidden(const struct advising *a, const struct cause *cause);
/* Whether the cause is what an object of a library keeps: its attributes in a function of the library, which the user does
 * not set. */
bool note_is_state(const struct advising *a, const struct cause *cause);
#define NOTE_MARK                                                                                                      \
    "Mark the same dimensions, in the same way, in every call: a version fits only the marks that it was compiled "    \
    "for."
/* "self.norm.eps", not "x" */
bool note_is_attribute(struct slice readable);

/* recompile_strings.c */
/* A string that had another value in each of many versions. Returns false if this one had not. */
bool note_many_strings(struct advising *a, const struct cause *cause);

/* recompile_kinds.c */
/* The same for floats, and for kinds of guards that all need the same sentence. */
void note_float(struct advising *a, const struct cause *cause);
void note_kind(struct advising *a, const struct cause *cause);
/* Whether the number of an open step was a symbol that became a constant again. */
bool note_is_specialized(struct advising *a, const struct cause *cause);

/* recompile_constants.c */
/* The same for sizes. */
void note_size(struct advising *a, const struct cause *cause);
/* A step that dynamic numbers do not save. */
void note_other(struct advising *a, const struct cause *cause);

/* recompile_lengths.c */
/* The same for lengths. */
void note_length(struct advising *a, const struct cause *cause);
/* Whether the version before the first open step changes what the cause is about, as its side effects say. */
bool note_is_changed(const struct advising *a, const struct cause *cause);
/* Whether the length is greater in every version than in the one that it is compared with, at least in two steps:
 * something adds to the list again and again. A call that failed has no guards. */
bool note_is_growing(const struct advising *a, const struct cause *cause);
#define NOTE_FIRST_STATE                                                                                               \
    "The first step creates the state of the optimizer: one version for it and one for the later steps are expected."
/* An optimizer creates what it keeps for each parameter in its first step. */
bool note_is_first_state(struct slice frame, const struct cause *cause);

/* recompile_blocks.c */
/* Adds how the sizes of a BlockMask can be dynamic, if the change is that of one of them, from or to 1.
 * Returns false, and adds nothing, if it is not, or if something else than sizes differs. */
bool add_blocks(struct buf *text, struct advising *a, const struct step *step, const struct guard_change *change);

/* recompile_along.c */
/* What the function itself changes in each call. */
void advise_own(struct advising *a);

/* recompile_stack.c */
/* Values from before the graph break after which the function goes on: they have no guards without
 * the break. */
void advise_stack(struct advising *a);
/* Other steps of such a function that have no advice yet. */
void advise_rest(struct advising *a);

/* recompile_wrapped.c */
/* Versions of several modules that one function of PyTorch calls. */
void advise_wrapped(struct advising *a);

/* recompile_objects.c */
/* Objects, functions, classes and members of enums, each of which needs a version. */
void advise_objects(struct advising *a, const struct cause *cause);
void advise_deallocated(struct advising *a, const struct cause *cause);
/* Modules of torch.nn, each compiled by itself. */
void advise_isolation(struct advising *a);
/* Numbers that objects keep: integers of modules, learning rates of optimizers. */
bool advise_module_integer(struct advising *a, const struct cause *cause);

/* recompile_optimizer.c */
bool advise_learning_rate(struct advising *a, const struct cause *cause);

/* recompile_sources.c */
/* Puts the sources of all advice into each value of TORCH_COMPILE_DYNAMIC_SOURCES. */
void recompile_join_sources(struct chains *chains, const struct model *model);
/* Whether that value, which is one for all functions, makes all numbers dynamic that changed in the step. */
bool recompile_is_covered(const struct model *model, const struct chains *chains, const struct step *step);
