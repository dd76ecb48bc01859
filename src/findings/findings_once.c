/* findings_once.c - graph breaks in code that a library only runs in its first call, such as installing hooks. */

#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "scan/guard_failure.h"
#include "scan/library.h"

enum { COMPILES_MAX = 1024, VERSIONS_MAX = 8, STEPS_MAX = 4096, FRAMES_MAX = 16 };

/* Whether the compile is of the function, or of its rest after a graph break. */
static bool is_of(const struct compile *compile, const struct frame *function) {
    uint64_t unused;
    return compile->framed && slice_eq(compile->frame.file, function->file) &&
           slice_eq(resumed_function(compile->frame.function, &unused), function->function);
}

static bool has_break(const struct graph_break *found, uint32_t place) {
    for (size_t i = 0; i < found->compiles.count; i++)
        if (found->compiles.items[i] == place)
            return true;
    return false;
}

/* Whether only sizes made it a separate version, so no flag decides whether it reaches the break. */
static bool differs_in_sizes(const struct compile *compile) {
    for (size_t i = 0; i < compile->reasons.count; i++)
        if (guard_failure_read(compile->reasons.items[i]).type != GUARD_SIZE)
            return false;
    return compile->reasons.count > 0;
}

/* "/…/site-packages/transformers/": the folder of the library's files; "": unknown. */
static struct slice package_of(struct slice file) {
    static const struct slice packages = SLICE_INIT("/site-packages/");
    size_t at = slice_find(file, packages), name = at == SIZE_MAX ? 0 : at + packages.len,
           end = at == SIZE_MAX ? SIZE_MAX : slice_find(slice_from(file, name), SLICE("/"));
    return end == SIZE_MAX ? (struct slice){0} : slice_first(file, name + end + 1);
}

/* Whether its graph has operations of a library other than torch that the user's line calls. */
static bool traced_library(const struct compile *compile, const struct graph_break *found, const struct frame *user) {
    const struct frame *frame = user + 1, *end = found->stack.items + found->stack.count;
    for (size_t n = 0; frame < end && n < FRAMES_MAX; frame++, n++) {
        struct slice package = package_of(frame->file);
        for (uint32_t i = 0; package.len && compile->trace && i < compile->trace->count && i < STEPS_MAX; i++)
            if (slice_starts(compile->trace->steps[i].file, package) && !slice_ends(package, SLICE("/torch/")))
                return true;
    }
    return false;
}

/* Whether no graph break ends its trace on the user's line or before, nor on an unknown line. */
static bool traced_beyond(const struct model *model, const struct compile *compile, const struct frame *user) {
    for (size_t b = 0; b < compile->breaks.count; b++) {
        const struct graph_break *other = model->breaks.items[compile->breaks.items[b]];
        bool later = false;
        for (size_t i = 0; i < other->stack.count && !later; i++)
            later = slice_eq(other->stack.items[i].file, user->file) &&
                    slice_eq(other->stack.items[i].function, user->function) && other->stack.items[i].line > user->line;
        if (!later)
            return false;
    }
    return true;
}

/* The first later version of the user's function that passes the line without the break, like all later ones. NULL:
 * none. */
static const struct compile *passing_version(const struct model *model, const struct graph_break *found,
                                             const struct frame *user) {
    const struct compile *first = NULL, *passes = NULL;
    if (!found->compiles.count)
        return NULL;
    uint32_t broken = found->compiles.items[0], last = found->compiles.items[found->compiles.count - 1];
    for (size_t i = broken > COMPILES_MAX ? broken - COMPILES_MAX : 0; i <= broken && !first; i++)
        first = is_of(model->compiles.items[i], user) ? model->compiles.items[i] : NULL;
    if (!first)
        return NULL;
    for (size_t i = (size_t)last + 1, n = 0;
         i < model->compiles.count && i - last < COMPILES_MAX && n < VERSIONS_MAX && !passes; i++) {
        const struct compile *later = model->compiles.items[i];
        if (later->process == first->process && later->frame_id == first->frame_id && later->epoch == first->epoch &&
            !later->failed && later->ops > 0 && differs_in_sizes(later) && traced_beyond(model, later, user) &&
            (n++, traced_library(later, found, user)))
            passes = later;
    }
    return passes && !has_break(found, passes->index) ? passes : NULL;
}

bool failure_once(struct findings *findings, const struct model *model, struct finding *finding,
                  const struct graph_break *found) {
    const struct frame *user, *called = found->library ? failure_library_called(found, &user) : NULL;
    const struct compile *passes = called ? passing_version(model, found, user) : NULL;
    if (!passes)
        return false;
    finding->advice = finding_say(
        findings,
        "Call `%.*s` once without the compiler first, such as under `torch.compiler.set_stance(\"force_eager\")`: "
        "[%.*s] differs in sizes only, and passes %.*s:%" PRIu64
        " without this break, so it may be one of the first call.",
        SLICE_ARG(user->function), SLICE_ARG(passes->key), SLICE_ARG(path_last(user->file)), user->line);
    finding->evidence = finding_say(findings, "the graph and recompile_reasons of %.*s", SLICE_ARG(passes->key));
    if (passes->shapes[SHAPE_SYMBOL].count) /* it is tried before the earlier versions, and matches their sizes, too */
        finding->impact = IMPACT_COMPILE_TIME;
    return true;
}
