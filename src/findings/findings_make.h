/* findings_make.h - helpers for the files that find issues. Only for findings*.c.
 *
 * Texts of a finding are in the findings' arena, in the model, or constants. One thread. */
#pragma once

#include "findings/finding.h"
#include "model/equal_sizes.h"
#include "recompiles/chains.h"
#include "scan/library.h"

/* Begins the last sentence of a fix by a value of the variable that covers several functions. */
#define FINDING_IN_ALL " In all, `TORCH_COMPILE_DYNAMIC_SOURCES` "

/* A formatted text in the arena. */
__attribute__((format(printf, 2, 3))) struct slice finding_say(struct findings *findings, const char *format, ...);
/* Adds a finding at the end of the list. Valid until the next one is added. */
struct finding *finding_add(struct findings *findings, enum finding_kind kind, enum severity severity,
                            enum impact impact);
/* Adds the compile and its compile time, once. */
void finding_add_compile(struct findings *findings, struct finding *finding, const struct model *model, uint32_t place);
/* Adds the compile without its time. Returns whether it is new. */
bool finding_name_compile(struct findings *findings, struct finding *finding, uint32_t place);
/* Adds to the finding's time. A negative time is unknown. */
void finding_add_time(struct finding *finding, int64_t us);
/* Adds the compile and, once, the part of its time that a cache hit would have skipped. */
void finding_add_cacheable(struct findings *findings, struct finding *finding, const struct model *model,
                           uint32_t place, int64_t time_us);
/* Sets the place of the compile's frame, and the link to the compile. */
void finding_set_place(struct findings *findings, struct finding *finding, const struct compile *compile);
/* The text, or its first bytes and "…". */
struct slice finding_cut(struct findings *findings, struct slice text, size_t max);
/* The first meaningful line, truncated. If it ends in a colon, the next line is included. */
struct slice finding_line(struct findings *findings, struct slice text);
/* The text, truncated. */
struct slice finding_message(struct findings *findings, struct slice text);
/* The frame's label or its function's name, in backticks, or "a frame". */
struct slice finding_function(struct findings *findings, const struct compile *compile);
/* What was compiled, for use in a sentence: the function's name, or that it is a backward graph, which PyTorch calls
 * "forward". */
struct slice finding_subject(struct findings *findings, const struct compile *compile, bool begins_sentence);
/* Adds the distinct functions of the compiles: "`f`", "`f` and `g`", "`f`, `g`, `h` and 4 more". Returns their number.
 */
size_t finding_add_functions(struct buf *out, const struct model *model, const uint32_t *items, size_t count);
/* "18.3 s", "42 ms" */
void finding_add_duration(struct buf *out, int64_t us);
/* Copies the content of the buffer to the arena and frees the buffer. */
struct slice finding_keep(struct findings *findings, struct buf *text);
/* Advice on a size that must equal a static one; ptr NULL: unknown. Sets the evidence. */
struct slice finding_partner_advice(struct findings *findings, const struct compile *compile,
                                    const struct equal_size *equal, struct slice *evidence);
/* "#/c/0%2F1" */
struct slice finding_link(struct findings *findings, const struct compile *compile);
/* `place`, or, if that is in a library, the innermost user frame of the stack. */
struct place finding_place(struct place place, const struct stack_node *stack);

/* findings_caches.c: the keys that lookups of the log missed. The caller frees the map. */
void cache_missed_keys(struct map *missed, const struct model *model);
/* Whether an earlier run stored the results that the compile hit, because no lookup of this log missed their key. */
bool cache_had_earlier(const struct compile *compile, const struct map *missed);
/* Whether a process hit results that another process or an earlier run stored, so the cache directory is already kept.
 */
bool cache_is_kept(const struct model *model);

/* findings_left.c: the recompiles that remain after the fixes that save some, and those that remain after fixes that
 * may save others, too. */
void findings_add_left(struct buf *text, const struct chain *chain);
void findings_add_left_with_tensors(struct buf *text, const struct chain *chain);

/* Finders, each in the file for its concern. */
void findings_add_unfinished(struct findings *findings, const struct model *model); /* findings_unfinished.c */
/* Failures, graph breaks, and restarts: one cause is one finding. findings_failures.c */
void findings_add_failures(struct findings *findings, const struct model *model, const struct chains *chains);
/* Advice on calls that raised RecompileError, which are already findings. findings_refused.c */
void findings_add_refused(struct findings *findings, const struct model *model, const struct chains *chains);
void findings_add_caches(struct findings *findings, const struct model *model);     /* findings_caches.c */
void findings_add_misses(struct findings *findings, const struct model *model);     /* findings_misses.c, for caches */
void findings_add_float32(struct findings *findings, const struct model *model);    /* findings_float32.c */
void findings_add_memory(struct findings *findings, const struct model *model);     /* findings_memory.c */
void findings_add_costs(struct findings *findings, const struct model *model);      /* findings_costs.c */
void findings_add_cudagraphs(struct findings *findings, const struct model *model); /* findings_cudagraphs.c */
void findings_add_shapes(struct findings *findings, const struct model *model,
                         const struct chains *chains); /* findings_shapes.c; call it after the findings of the chains */
void findings_add_coverage(struct findings *findings, const struct model *model); /* findings_coverage.c */
void findings_add_log(struct findings *findings, const struct model *model);      /* findings_log.c */
void findings_add_records(struct findings *findings, const struct model *model);  /* findings_records.c */
void findings_add_bounds(struct findings *findings, const struct model *model);   /* findings_bounds.c */
void findings_add_captures(struct findings *findings, const struct model *model); /* findings_captures.c */
void findings_add_moved(struct findings *findings);                               /* findings_moved.c */
/* findings_profile.c; call it after the findings of graph breaks, to which it adds. */
void findings_add_profile(struct findings *findings, const struct model *model, const struct chains *chains);
/* findings_sources.c: adds the savings of the value of TORCH_COMPILE_DYNAMIC_SOURCES in all functions to the issue that
 * has the value. */
void findings_say_variable(struct findings *findings, const struct model *model, const struct chains *chains);

/* Compiles, by index in the model. */
typedef LIST(uint32_t) compile_list;
void failure_add_place(struct findings *findings, compile_list *list, uint32_t place);
struct place frame_place(const struct frame *frame);
/* Adds a text, after a space if the buffer is not empty. */
void failure_add_sentence(struct buf *out, const char *text);
