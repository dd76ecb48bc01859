/* findings_failures.h - shared by findings_failures.c (graph breaks, restarts) and findings_errors.c.
 *
 * Texts as in findings_make.h. One thread. */
#pragma once

#include "findings/findings_make.h"

enum { TITLE_MAX = 300 };

/* findings_raised.c */
/* The records after an error: a later compile of the process, or one of the rest of the call, which runs eagerly. */
enum aftermath { AFTER_NOTHING, AFTER_OUTSIDE, AFTER_INSIDE };
/* The aftermath of the last of these compiles. `found`: the break after which their frames run eagerly, so compiles
 * within the same call prove nothing, except those after its line. NULL: the error is raised, so nothing else in the
 * call runs. */
enum aftermath aftermath_of(const struct model *model, const compile_list *list, const struct graph_break *found);
/* Describes a break that is an exception of the traced code. Returns false for other breaks. */
bool raised_describe(struct findings *findings, struct finding *finding, const struct model *model,
                     const struct graph_break *found, const compile_list *split, const compile_list *eager);
/* "ValueError: no such mode: 'fast'", on one line. */
struct slice failure_exception_title(struct findings *findings, struct slice text);
/* For an exception in an operation that was run with fake tensors: what to check, unless the operation is PyTorch's
 * own. */
struct slice failure_fake_advice(struct findings *findings, struct slice text);
/* Functions that the frames call and that are separate frames. */
enum called_frames {
    CALLED_NONE,
    CALLED_EMPTY,    /* none of them contains operators */
    CALLED_COMPILED, /* one may have */
};
enum called_frames failure_called_frames(const struct model *model, const compile_list *frames);
/* Whether a failed frame continued eagerly: the next compile is for a function with operations in the frame's graph,
 * and is called from deeper than the frame. */
bool failure_went_on(const struct model *model, const struct compile *frame);
/* Whether the log ends with the last of these frames that the break split, although code follows the line. */
bool failure_is_last(const struct model *model, const struct graph_break *found, const compile_list *split);
/* Whether the log ends within the call of this frame, which the break split: code follows the line, the rest of the
 * function was not compiled, and all later compiles are called from the line. */
bool failure_is_unfinished(const struct model *model, const struct graph_break *found, uint32_t place);
/* Advice if the break is a method that the tensor does not have; empty: another break. */
struct slice failure_missing_method(struct findings *findings, const struct graph_break *found);

/* findings_between.c */
/* The first compile of the resume function after the break in the function that it splits, called from the same frames;
 * NULL: the log has none. */
const struct compile *failure_first_rest(const struct model *model, const struct graph_break *found);
/* Whether the frame was compiled within the call of the split frame: before `rest`, the first compile of the rest, or
 * NULL if that was not compiled. */
bool failure_is_between(const struct model *model, const struct graph_break *found, const struct compile *rest,
                        const struct compile *compile);

/* findings_skipped.c */
/* The first lines of functions, for all frames: computed once, in findings->scratch. {0}: not yet. */
struct beginnings {
    struct map functions; /* (function, file) → its number in items */
    struct beginning *items;
    size_t count;
};
/* Adds what runs eagerly because Dynamo's rules skip the Python function that the line calls. */
void failure_add_skipped(struct findings *findings, struct buf *why, const struct model *model,
                         struct beginnings *beginnings, const struct graph_break *found);
/* Advice on a skipped module of torch.ao.quantization; "": another break. */
struct slice failure_quantization(const struct graph_break *found);

/* findings_shared.c */
/* The cost of discarded traces in compiles with several causes, for which the log has one time. */
/* Adds such a compile that the break restarted. */
void failure_add_shared(struct findings *findings, struct finding *finding, const struct compile *compile);
/* The time of all discarded traces of these compiles, the most that a fix can save of it. */
int64_t failure_shared_us(const struct model *model, const struct finding *finding);
/* Notes that the time covers all causes. */
void failure_say_shared(struct findings *findings, struct finding *finding, const struct model *model);

/* findings_gains.c */
/* Adds the most that fixes of graph breaks save in addition to the discarded traces. Break i has the finding first + i.
 */
void failure_add_gains(struct findings *findings, const struct model *model, const struct chains *chains,
                       uint32_t first);

/* findings_lines.c */
/* The user's lines within the compiled code that lead to the break, distinct, in the order of the log.
 * None if the log only has the call of the compiled function. The lines are frames of the model. */
enum { USER_LINES_MAX = 3 };
struct user_lines {
    const struct frame *items[USER_LINES_MAX];
    size_t count;
    bool more; /* than there is room for */
};
struct user_lines failure_user_lines(const struct model *model, const struct graph_break *found);
/* PyTorch's hint to capture a value inside a library, and advice if that does not help. */
struct slice failure_captured_inside(struct findings *findings, const struct model *model,
                                     const struct graph_break *found, struct slice hint, struct slice setting);

/* findings_numbers.c */
/* Advice if a line needs the value of Python numbers that are symbols, as in `random.sample(items, n)`. Returns false
 * if it is another error, or the log does not show the numbers. */
struct static_advice {
    struct slice why, advice, evidence;
};
bool failure_needs_static(struct findings *findings, const struct model *model, const struct compile *compile,
                          const struct failure *failure, const struct place *place, struct static_advice *said);

/* findings_symbolic.c */
/* Whether the error is about a dynamic size or an expression of dynamic sizes, so it does not occur with constant
 * sizes. */
bool failure_is_of_symbols(struct slice text);
/* The nearest earlier version of the function that compiled without symbols for the sizes that are symbols in this
 * compile; NULL: none. */
const struct compile *failure_static_version(const struct model *model, const struct compile *compile);
/* Advice if a condition on a dynamic size is an argument that must be a bool; ptr NULL: another break. */
struct slice failure_symbolic_bool(struct findings *findings, const struct graph_break *found);
/* Advice on such an error in these compiles, and its cost; "": another error, or a size depends on data. */
struct static_advice failure_static_sizes(struct findings *findings, const struct model *model,
                                          const uint32_t *compiles, size_t count, struct slice text);
/* The text of a C++ exception without the frames that follow it: "Exception raised from …: frame #0: …". */
struct slice failure_without_frames(struct findings *findings, struct slice text);

/* findings_loops.c */
/* Advice on a break of a loop over Python numbers, which PyTorch's setting may not fix; ptr NULL: another break.
 * `hint`: PyTorch's. Sets `stays` of the finding if the loop runs eagerly in any case, and `unsaved` if that depends on
 * its code. */
struct slice failure_loop(struct findings *findings, const struct model *model, const struct graph_break *found,
                          struct slice hint, struct finding *finding);
/* What the hint to set this leaves out if the operator is not PyTorch's own, such as "demo.rows.default": a space and a
 * sentence, or "". */
const char *failure_rows_note(const struct graph_break *found, struct slice setting);
/* Whether the break is torchvision's nms. Its fake implementation assumes at least two boxes, which PyTorch 2.15
 * asserts in each call. */
bool failure_is_nms(const struct graph_break *found);
/* Advice on that break. `call`: the line of the user; NULL: unknown. `library`: the break is in a library. */
struct slice failure_nms(struct findings *findings, const struct frame *call, bool library);

/* findings_listed.c */
/* Advice if the hint captures a size that depends on data, and tolist() of the result follows, which would then raise
 * an error; ptr NULL: the log does not show a tolist(). */
struct slice failure_listed(struct findings *findings, const struct model *model, const struct graph_break *found,
                            struct slice hint);
/* The same if the line loops over the result, which breaks the graph even with the setting; ptr NULL: it does not. */
struct slice failure_iterated(const struct graph_break *found, struct slice hint);

/* findings_effects.c */
/* Advice if a tensor hook, or the backward of an autograd.Function, has side effects; ptr NULL: another break. `hint`:
 * PyTorch's. */
struct slice failure_side_effect(struct findings *findings, const struct graph_break *found, struct slice hint);
/* The same for an operator that is captured only as a whole, and that raised an error for this reason. */
struct slice failure_operator_effect(struct slice reason);

/* findings_traced.c */
/* Errors raised by make_fx, the tracer of AOTAutograd, which leaves the graph up to the error. */
struct notice;
/* Whether the partial graph belongs to an error of its compile, which has more details. */
bool failure_is_of_trace(const struct model *model, const struct notice *notice);
/* The text, followed by the last operation traced before the error of the compile, if there is such a graph. */
struct slice failure_traced_up_to(struct findings *findings, const struct model *model, const struct compile *compile,
                                  struct slice why);
/* What to register if an operator has no formula for its backward; ptr NULL: another error. */
struct slice failure_formula(struct findings *findings, struct slice reason);

/* findings_attributes.c */
/* Advice on an attribute that Dynamo cannot read or set; ptr NULL: another break. */
struct slice failure_attribute(struct findings *findings, const struct graph_break *found);

/* findings_arguments.c */
/* Advice if Dynamo cannot pass an argument to an operator; ptr NULL: another break. */
struct slice failure_argument(struct findings *findings, const struct graph_break *found);
/* Advice on a NumPy function without a counterpart in PyTorch; ptr NULL: it is not named. */
struct slice failure_numpy(struct findings *findings, const struct graph_break *found);
/* Advice on a condition in a library that a single argument, a tensor, decides; ptr NULL: another break. */
struct slice failure_condition_of_argument(struct findings *findings, const struct model *model,
                                           const struct graph_break *found);

/* findings_once.c */
/* Advises to call the function once without the compiler, if a later version of it passes the line that calls the
 * library without the break. Returns false if none does. */
bool failure_once(struct findings *findings, const struct model *model, struct finding *finding,
                  const struct graph_break *found);

/* findings_filters.c */
/* Advice on a condition on tensors in a comprehension, any() or all(), and on a value that Dynamo cannot reconstruct
 * because of a data-dependent branch on the same line; "": another break. */
struct slice failure_filtered(struct findings *findings, const struct model *model, const struct graph_break *found);

/* findings_functorch.c */
/* Advice on a frame that vmap, grad or jvp calls, if these run eagerly; "": another break. */
struct slice failure_functorch(struct findings *findings, const struct model *model, const struct graph_break *found);

/* findings_branches.c */
/* Whether the line needs the values of the numbers that it reads from a tensor: for a set, `in`, range(), or bool(). */
bool failure_needs_number(struct slice code);
/* Whether the line converts a condition to a number, as in `int(x.item() > 0)`. */
bool failure_converts(struct slice code);
/* Whether the line is a branch that raises: "if x.max() > n: raise ValueError". A raise on the next line is not
 * visible. */
bool failure_raises(struct slice code);
/* Advice on such lines. `hint`: PyTorch's hint, a setting that does not help; or ptr NULL. */
struct slice failure_decision(struct findings *findings, struct slice hint, struct slice code);
struct slice failure_number(struct findings *findings, struct slice hint);
struct slice failure_condition(void);
/* The advice for a break at a line that keeps a number: line_keeps_number(). */
struct slice failure_kept(struct findings *findings, struct slice hint, struct slice code);
/* The same for a branch on a random Python number, which is a tensor for Dynamo; ptr NULL: another break. */
struct slice failure_random(struct findings *findings, const struct graph_break *found);
/* Advice on a test of a size or number that depends on data, which is an error if the whole graph is captured. ptr
 * NULL: the line is not a test. */
struct slice failure_test_of_data(struct slice code);
/* Whether the break only follows from another one on the user's line: Dynamo could not save the state of its own Python
 * code there, such as enumerate(). */
bool failure_follows(const struct model *model, const struct graph_break *found, const struct frame *user);
/* PyTorch's first hint for a branch that depends on a tensor, and what it leaves out; ptr NULL: another hint. */
struct slice failure_branching(struct findings *findings, struct slice hint, struct slice code);

/* findings_hints.c */
/* PyTorch's hint, and what it leaves out. Corrects a hint to set a Dynamo setting without "config": torch._dynamo.NAME
 * = … has no effect. NAME is one of the logged settings. `found`: the break; NULL: an error. */
struct slice failure_hint(struct findings *findings, const struct model *model, const struct graph_break *found,
                          struct slice hint);
/* Our advice on a break for which PyTorch has no hint, or none that helps; ptr NULL: none. */
struct slice failure_own_advice(struct findings *findings, const struct graph_break *found);
/* Why the break is intended, so there is nothing to change; ptr NULL: it is not known to be. */
struct slice failure_intended(struct findings *findings, const struct model *model, const struct graph_break *found);
/* Whether a hint for a break at a line with this code can be followed and helps. A setting can be set for any line,
 * including a library's. A value that is captured as a symbol must not be tested on that line (HINT_BRANCHES), and
 * Python must not need its value (HINT_NUMBER), or that of a condition (HINT_CONDITION). If the line keeps the symbol
 * for the next call, that call recompiles (HINT_KEPT). */
enum hint_use { HINT_USEFUL, HINT_USELESS, HINT_BRANCHES, HINT_NUMBER, HINT_CONDITION, HINT_KEPT };
enum hint_use failure_hint_use(const struct model *model, const struct graph_break *found, struct slice hint,
                               struct slice code);
/* Advises to keep out a library function that breaks the graph and has small frames, with the savings. Returns false if
 * it is another function. */
bool failure_advise_disable(struct findings *findings, const struct model *model, struct finding *finding,
                            const struct graph_break *found);
/* The library function that the innermost line of the user calls, and that line; NULL: none. */
const struct frame *failure_library_called(const struct graph_break *found, const struct frame **user);
/* Advises the user to keep out a call into a library, if its line makes the frame run eagerly or discards traces that
 * took `lost_us`; or a call into one of Python's own modules, such as json; ptr NULL: another line. */
struct slice failure_library_call(struct findings *findings, const struct model *model, const struct graph_break *found,
                                  bool eager, int64_t lost_us);
/* The line of a text that names the setting to set; ptr NULL: none. */
struct slice failure_setting_in(struct slice text);

/* findings_following.c */
/* Advice on other breaks in later lines of the same function. Until these are removed, PyTorch's hint to set
 * trace_autograd_ops has no effect. ptr NULL: none follows, or another hint. */
struct slice failure_following(struct findings *findings, const struct model *model, const struct graph_break *found,
                               struct slice hint);
/* What PyTorch's hint to set trace_autograd_ops leaves out: a space and sentences. */
const char *failure_autograd_note(const struct graph_break *found);

/* findings_indexed.c */
/* Advice if a zero-dimensional tensor is used as an index; ptr NULL: another break. */
struct slice failure_indexed(struct findings *findings, const struct graph_break *found);
/* What the hint with this setting leaves out if an operator takes a tensor as a number: a space and a sentence, or "".
 */
const char *failure_item_note(const struct graph_break *found, struct slice setting);
/* Advice on such an operator that raises an error with the setting; ptr NULL: another error. */
struct slice failure_pending(struct findings *findings, const struct failure *failure, struct slice code);

/* findings_called.c */
/* Whether the name identifies the callee: not "forward" of some module, nor "wrapper" of a decorator. */
bool frame_has_own_name(const struct frame *called);
/* "torch/_dynamo/guards.py" for a file of an installed package or of Python; otherwise, the file name. */
struct slice failure_short_path(struct slice file);
/* Advice if the error was raised by a function that Dynamo ran with constants instead of tracing it. Returns false for
 * another error. `place`: the line that calls it; `caller`: the user's line that leads there. */
bool failure_in_called(struct findings *findings, const struct compile *compile, const struct failure *failure,
                       const struct place *place, const struct place *caller, struct static_advice *said);
/* Adds "`degree` at prog.py:36": the call in the line, or the function, unless its name is not specific. */
void failure_add_called(struct buf *text, const struct frame *called, const struct frame *user);

/* findings_others.c */
/* The hint, and those of PyTorch's further hints that are advice: one of them may be the only one that helps. */
struct slice failure_hints(struct findings *findings, const struct slice *hints, size_t count, struct slice hint);
/* PyTorch's hint to state a condition that depends on data, and advice if that is not right here. `found`: NULL:
 * unknown. */
struct slice failure_annotate(struct findings *findings, const struct graph_break *found);
/* If PyTorch only says that a break is in a loop, gives it the advice of another break on its line. Break i has the
 * finding first + i. */
void failure_add_looped(struct findings *findings, const struct model *model, uint32_t first);

/* findings_builtin.c */
/* Advice on a C function, or a function that returns no tensor, that Dynamo does not trace; ptr NULL: another break, or
 * the line is in a library. */
struct slice failure_builtin(struct findings *findings, const struct model *model, const struct graph_break *found);
/* PyTorch's hint to set allow_rnn, with its effect, or advice if it does not help. */
struct slice failure_rnn(struct findings *findings, const struct model *model, struct slice hint);

/* findings_tested.c */
/* Advice on a line that reads a number that a later line tests, with its evidence; ptr NULL: no guard shows that. */
struct slice failure_tested(struct findings *findings, const struct model *model, const struct graph_break *found,
                            struct slice hint, struct slice *evidence);

/* findings_lightning.c */
/* The most that compiling the networks of a LightningModule saves, compared with compiling the functions that the break
 * splits, in microseconds: Dynamo's part of these functions and of their rests after the break. `counted`: by index in
 * model->compiles, compiles to leave out. */
int64_t failure_lightning_us(struct findings *findings, const struct model *model, const struct graph_break *found,
                             const bool *counted);

/* findings_compiler.c */
/* Describes an error of the C++ compiler: in whose code it is, and advice. Returns false for another error. */
bool failure_describe_compiler(struct findings *findings, const struct model *model, const struct compile *compile,
                               struct slice reason, struct finding *finding);

/* findings_errors.c */
/* Adds errors. Failures with the same type, reason and place have one cause. `explained`: by index in model->failures,
 * whether a finding of a graph break explains it. */
void findings_add_errors(struct findings *findings, const struct model *model, const bool *explained);

/* findings_traces.c */
struct notice;
/* Describes a partial graph that ends with a comparison of a size or number that depends on tensor values.
 * Returns false for others. */
bool findings_describe_comparison(struct findings *findings, struct finding *finding, const struct compile *compile,
                                  const struct notice *notice);
/* The same for a partial graph whose line calls int(), float() or range() with such a number. */
bool findings_describe_conversion(struct findings *findings, struct finding *finding, const struct compile *compile,
                                  const struct notice *notice);
