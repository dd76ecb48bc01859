/* phases.h - self times of the phases of a compile, and the phases as the page and the commands show them.
 *
 * PyTorch's timers nest: dynamo contains aot, aot contains inductor, inductor contains codegen, codegen contains
 * triton; the passes are in aot and inductor. backward is compiled later and is separate. Pure. */
#pragma once

#include "model/model.h"

enum { NO_PHASE = -1 };
/* The phase of a span with this name, or NO_PHASE. Such spans start and stop together with the phase's timer, or are
 * their counterparts in exports and AOTInductor, which have no timers. */
int phase_of_span(struct slice name);
/* The phase to which the self time of a span belongs, or NO_PHASE: its own phase, or `around`, the phase of its parent.
 * The span of a frame's whole compile belongs to Dynamo, and that of a backward graph to the backward. */
int phase_within(struct slice name, int around);
/* Whether the span covers the whole compile of a frame, or of a backward graph. */
bool is_compile_span(struct slice name);
/* Whether the span has the same times as the timer in the metrics of a frame or of a backward graph. */
bool is_timer_span(struct slice name);
/* Converts the microseconds of each timer (negative: unknown) to self times, which are never negative. */
void phases_own(const int64_t timers[PHASES], int64_t own[PHASES]);
/* Adds known times. Initialize timers to -1 (unknown). */
void phases_add(int64_t timers[PHASES], const int64_t more[PHASES]);

/* Whether the compile has the phase: a timer, or the backward. */
bool phases_has(const struct compile *compile, enum phase phase);
/* Sets the self time of each phase of the compile. Returns the rest of its compile time. The backward gets all of the
 * time in its metrics, because their timers only cover parts of it. */
int64_t phases_split(const struct compile *compile, int64_t own[PHASES]);

/* Compile time that a hit would skip. For the FX graph cache: the time that its misses report or, if all results are
 * the same, all of Inductor's time. For the AOTAutograd cache: AOTAutograd's time without Inductor. -1: not logged. */
int64_t phases_skippable(const struct compile *compile, enum cache cache, enum cache_outcome outcome);

/* Phases as readers see them: the passes together, and times whose usual name would be wrong under a better one. */
enum shown_phase {
    SHOWN_DYNAMO,
    SHOWN_AOT,
    SHOWN_BACKEND, /* instead of AOT if no part of Inductor ran: PyTorch's timer of AOTAutograd runs for any backend */
    SHOWN_PASSES,
    SHOWN_INDUCTOR,
    SHOWN_CODEGEN,
    SHOWN_TRITON,
    SHOWN_BACKWARD,
    SHOWN_OTHER,
    SHOWN_NOT_LOGGED, /* instead of OTHER if there is no other phase */
    SHOWN_PHASES,
};
struct shown_phase_info {
    const char *key, *title, *description;
    enum phase of[3]; /* the phases that it sums up; PHASES: none */
    int sum;          /* in a sum that has this shown phase, the time counts there; NO_PHASE: nowhere else */
};
const struct shown_phase_info *shown_phase_info(enum shown_phase phase);
/* Sorts self times, of a compile or of several, into the shown phases. `other_us` is the time outside of all phases. */
void phases_shown(const int64_t own[PHASES], int64_t other_us, int64_t shown[SHOWN_PHASES]);
