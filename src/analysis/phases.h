/* phases.h - what the phases of a compile took, each by itself.
 *
 * PyTorch's timers lie inside one another: dynamo holds aot, aot holds inductor, inductor holds codegen, codegen holds
 * triton; the passes lie in aot and inductor. backward is compiled later and stands beside. Pure. */
#ifndef TLPARSE_ANALYSIS_PHASES_H
#define TLPARSE_ANALYSIS_PHASES_H

#include "model/model.h"

enum { NO_PHASE = -1 };
/* The phase that a span of this name is of, or NO_PHASE: where PyTorch starts and stops the phase's timer, and its counterparts in an
 * export and in AOTInductor, which have no timer. */
int phase_of_span(struct slice name);
/* The phase that the self time of a span counts in, or NO_PHASE: its own, or that of `around`, the phase of its parent. The frame's compile
 * as a whole is Dynamo's, and that of a backward graph is the backward's. */
int phase_within(struct slice name, int around);
/* Whether the span is the compile of a frame, or of a backward graph, as a whole. */
bool is_compile_span(struct slice name);
/* Microseconds of each timer (negative: not known) to those that no inner timer has; never negative. */
void phases_own(const int64_t timers[PHASES], int64_t own[PHASES]);
/* Adds what is known; timers begin as not known (-1). */
void phases_add(int64_t timers[PHASES], const int64_t more[PHASES]);

/* Whether the phase is one of the compile's: it has a timer, or is the backward. */
bool phases_has(const struct compile *compile, enum phase phase);
/* What each phase of the compile took by itself, and as the result what these leave of its compile time. The backward is all of the time
 * that its metrics say: its timers are for parts of it. */
int64_t phases_split(const struct compile *compile, int64_t own[PHASES]);

#endif
