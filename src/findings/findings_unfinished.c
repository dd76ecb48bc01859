/* The end of the log: spans without an end event, and compiles without an end. */

#include "analysis/identity.h"
#include "analysis/timeline.h"
#include "findings/findings_make.h"
#include "model/log_info.h"

enum { WITHIN_MAX = 4 }; /* number of spans around the innermost one that are listed */

static const struct compile *compile_of(const struct model *model, const struct map *keys,
                                        const struct unfinished_span *span) {
    uint32_t index = span->id == UINT32_MAX ? MAP_NONE : map_get(keys, model->timeline->ids.items[span->id]);
    return index == MAP_NONE ? NULL : model->compiles.items[index];
}

/* The spans of one track, outermost first: [first, end). */
struct open_track {
    size_t first, end;
};

/* The track whose innermost span began last: the last activity of the program. */
static struct open_track last_track(const struct timeline *timeline, size_t *tracks) {
    struct open_track found = {0};
    int64_t latest = INT64_MIN;
    *tracks = 0;
    for (size_t first = 0, end; first < timeline->unfinished.count; first = end) {
        for (end = first + 1; end < timeline->unfinished.count &&
                              timeline->unfinished.items[end].track == timeline->unfinished.items[first].track;)
            end++;
        ++*tracks;
        if (timeline->unfinished.items[end - 1].start_us < latest)
            continue;
        latest = timeline->unfinished.items[end - 1].start_us;
        found = (struct open_track){first, end};
    }
    return found;
}

/* The longest compile that ends in the log; 0: none. */
static int64_t longest(const struct model *model) {
    int64_t most = 0;
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->framed && model->compiles.items[i]->time_us > most)
            most = model->compiles.items[i]->time_us;
    return most;
}

/* Whether the process began another compile after this one that ends in the log. */
static bool goes_on(const struct model *model, const struct compile *compile) {
    for (size_t i = 0; compile && i < model->compiles.count; i++) {
        const struct compile *other = model->compiles.items[i];
        if (other->framed && other->has_metrics && other->order > compile->order &&
            other->process == compile->process && other->started)
            return true;
    }
    return false;
}

static void add_where(struct buf *out, const struct timeline *timeline, struct open_track track) {
    const struct unfinished_span *inner = &timeline->unfinished.items[track.end - 1];
    size_t from = track.end - 1 > track.first + WITHIN_MAX ? track.end - 1 - WITHIN_MAX : track.first;
    buf_addf(out, ", inside `%.*s`", SLICE_ARG(timeline->totals.items[inner->name].name));
    if (track.end - 1 == track.first)
        return;
    buf_add_lit(out, " (");
    for (size_t i = from; i + 1 < track.end; i++)
        buf_addf(out, "%s`%.*s`", i == from ? "" : " › ",
                 SLICE_ARG(timeline->totals.items[timeline->unfinished.items[i].name].name));
    buf_add_lit(out, ")");
}

/* Whether the end of the compile (NULL: of any) may be in a part of the log that was not read. */
static bool is_unread(const struct model *model, const struct compile *compile) {
    const struct log_file *file = model->files.count == 1 ? model->files.items : NULL;
    if (!file && compile)
        file = model_file_at(model, model_process(model, compile->process).first_line);
    return file && file->damage.ptr;
}

/* Adds what such a log cannot show: whether the process waited, was killed, or only stopped writing. */
static void add_limits(struct buf *out, const struct model *model, const struct compile *compile, bool on) {
    const struct fault *last = model->faults.count ? &model->faults.items[model->faults.count - 1] : NULL;
    if (is_unread(model, compile))
        buf_addf(out, " The log was not read to its end: %s may have ended.", compile ? "the compile" : "it");
    else if (last && !model->more_faults && last->line >= model->last_line)
        buf_addf(out, " The last record of the log (line %" PRIu64 ") is cut off or damaged.", last->line);
    else if (!on)
        buf_add_lit(out,
                    " The log does not say whether the process was stopped or hung, nor for how long it waited after "
                    "its last record.");
}

/* The last artifact before the end. */
static void add_last_artifact(struct buf *out, const struct model *model, const struct compile *compile) {
    if (compile->artifacts.count)
        buf_addf(out, " Its last artifact is `%.*s`.",
                 SLICE_ARG(model->artifacts.items[compile->artifacts.items[compile->artifacts.count - 1]].name));
}

static void add_spans(struct findings *findings, const struct model *model, bool *reported) {
    const struct timeline *timeline = model->timeline;
    size_t tracks;
    if (!timeline || !timeline->unfinished.count)
        return;
    struct map keys = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++)
        map_put_in(&findings->scratch, &keys, model->compiles.items[i]->key, i, NULL);
    struct open_track track = last_track(timeline, &tracks);
    const struct unfinished_span *outer = &timeline->unfinished.items[track.first];
    const struct compile *compile = NULL;
    for (size_t i = track.first; i < track.end; i++) { /* the compile of the innermost one, and its time */
        const struct compile *one = compile_of(model, &keys, &timeline->unfinished.items[i]);
        if (one && one != compile)
            outer = &timeline->unfinished.items[i];
        compile = one ? one : compile;
    }
    bool unread = is_unread(model, compile);
    struct finding *finding = finding_add(findings, FINDING_UNFINISHED, unread ? SEVERITY_WARNING : SEVERITY_ERROR,
                                          unread ? IMPACT_INFORMATION : IMPACT_STOPS);
    int64_t elapsed = timeline->last_us - outer->start_us, most = longest(model);
    bool on = goes_on(model, compile);
    struct buf why = {0};
    finding->cost = COST_UNFINISHED;
    finding->time_us = elapsed;
    finding->title = on     ? SLICE("A compile never ended")
                   : unread ? SLICE("What was read of the log ends during a compile")
                            : SLICE("The log ends during a compile");
    buf_add_str(&why, on ? "The log goes on for " : unread ? "It ends " : "The log ends ");
    finding_add_duration(&why, elapsed);
    buf_add_str(&why, on ? " after the start of " : " into ");
    if (compile)
        buf_addf(&why, "[%.*s] %.*s", SLICE_ARG(compile->key), SLICE_ARG(finding_function(findings, compile)));
    else
        buf_add_lit(&why, "work of no compile id");
    add_where(&why, timeline, track);
    if (on)
        buf_add_lit(&why, ", without its end");
    buf_add_byte(&why, '.');
    if (!on && most > 0 && elapsed > most) {
        buf_add_lit(&why, " No other compile took longer than ");
        finding_add_duration(&why, most);
        buf_add_byte(&why, '.');
    }
    if (compile)
        add_last_artifact(&why, model, compile);
    if (tracks > 1)
        buf_addf(&why, " Spans of %zu threads are open.", tracks);
    add_limits(&why, model, compile, on);
    finding->why = finding_keep(findings, &why);
    for (size_t i = 0; i < timeline->unfinished.count; i++) {
        const struct compile *one = compile_of(model, &keys, &timeline->unfinished.items[i]);
        if (!one)
            continue;
        finding_name_compile(findings, finding, one->index);
        reported[one->index] = true;
    }
    finding->link = compile ? finding_link(findings, compile) : SLICE("#/timeline");
    if (!compile)
        return;
    finding->place = finding_place(compile->frame, compile->stack);
    struct place caller = compile_caller(compile);
    if (caller.line != finding->place.line || !slice_eq(caller.file, finding->place.file))
        finding->caller = caller;
}

/* Whether events show that the compile has ended: a compile that loads its code has no metrics. */
static bool has_ended(const struct model *model, const struct compile *compile, const struct map *ids) {
    uint32_t id = map_get(ids, compile->key);
    return id != MAP_NONE && model->timeline->outermost_us.items[id] > 0;
}

static bool was_loaded(const struct model *model, const struct compile *compile) {
    for (size_t i = 0; i < compile->artifacts.count; i++)
        if (slice_starts(model->artifacts.items[compile->artifacts.items[i]].name, SLICE("fx_graph_bundled_cache_hit")))
            return true;
    return false;
}

static void add_loaded(struct findings *findings, const struct model *model, const uint32_t *items, size_t count,
                       bool loaded) {
    struct finding *finding = finding_add(findings, FINDING_MISSING_METRICS, SEVERITY_INFO, IMPACT_INFORMATION);
    struct buf why = {0};
    finding->title =
        finding_say(findings, "%zu %s no compilation metrics", count, count == 1 ? "compile has" : "compiles have");
    finding_add_functions(&why, model, items, count);
    BUF_ADD(&why, count == 1 ? ": its events end, so it is finished" : ": their events end, so they are finished",
            loaded ? "; the code was loaded (`fx_graph_bundled_cache_hit`)."
                   : "; its time and outcome are not in "
                     "the log.");
    finding->why = finding_keep(findings, &why);
    finding->link = finding_link(findings, model->compiles.items[items[0]]);
    finding->place = model->compiles.items[items[0]]->frame;
    for (size_t i = 0; i < count; i++)
        finding_name_compile(findings, finding, items[i]);
}

static void add_endless(struct findings *findings, const struct model *model, const uint32_t *items, size_t count) {
    struct finding *finding = finding_add(findings, FINDING_MISSING_METRICS, SEVERITY_WARNING, IMPACT_INFORMATION);
    const struct compile *last = model->compiles.items[items[0]];
    struct buf why = {0};
    for (size_t i = 0; i < count; i++) {
        finding_name_compile(findings, finding, items[i]);
        if (model->compiles.items[items[i]]->order > last->order)
            last = model->compiles.items[items[i]];
    }
    finding->title = finding_say(findings, "The log has no end of %zu %s", count, count == 1 ? "compile" : "compiles");
    buf_addf(&why, "[%.*s] %.*s began, and the log has neither its metrics nor the end of its events.",
             SLICE_ARG(last->key), SLICE_ARG(finding_function(findings, last)));
    add_last_artifact(&why, model, last);
    add_limits(&why, model, last, false);
    finding->why = finding_keep(findings, &why);
    finding->place = finding_place(last->frame, last->stack);
    finding->link = finding_link(findings, last);
}

/* Adds compiles that began but have no metrics, except those with an open span. */
static void add_missing(struct findings *findings, const struct model *model, const bool *reported) {
    struct map ids = {0};
    LIST(uint32_t) loaded = {0};
    LIST(uint32_t) ended = {0};
    LIST(uint32_t) endless = {0};
    timeline_map_ids(&ids, model->timeline, &findings->scratch);
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (!compile->framed || compile->has_metrics || reported[i])
            continue;
        if (was_loaded(model, compile)) {
            ARENA_ADD(&findings->scratch, &loaded, i);
        } else if (model->timeline && has_ended(model, compile, &ids)) {
            ARENA_ADD(&findings->scratch, &ended, i);
        } else {
            ARENA_ADD(&findings->scratch, &endless, i);
        }
    }
    if (loaded.count)
        add_loaded(findings, model, loaded.items, loaded.count, true);
    if (ended.count)
        add_loaded(findings, model, ended.items, ended.count, false);
    if (endless.count)
        add_endless(findings, model, endless.items, endless.count);
}

/* Adds compiles that ended with neither code nor a failure. */
static void add_interrupted(struct findings *findings, const struct model *model) {
    LIST(uint32_t) found = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (!compile_is_interrupted(model, compile))
            continue;
        ARENA_ADD(&findings->scratch, &found, i);
    }
    if (found.count) {
        const struct compile *first = model->compiles.items[found.items[0]];
        struct finding *finding = finding_add(findings, FINDING_INTERRUPTED, SEVERITY_ERROR, IMPACT_STOPS);
        struct buf why = {0};
        finding->title = finding_say(findings, "%zu %s interrupted", found.count,
                                     found.count == 1 ? "compile was" : "compiles were");
        finding_add_functions(&why, model, found.items, found.count);
        buf_addf(&why,
                 " %s a graph, but neither code nor guards, and the metrics name no failure. PyTorch logs no "
                 "failure for KeyboardInterrupt, SystemExit, and others that are no Exception.",
                 found.count == 1 ? "has" : "have");
        finding->why = finding_keep(findings, &why);
        finding->place = finding_place(first->frame, first->stack);
        finding->link = finding_link(findings, first);
        for (size_t i = 0; i < found.count; i++)
            finding_add_compile(findings, finding, model, found.items[i]);
    }
}

void findings_add_unfinished(struct findings *findings, const struct model *model) {
    bool *reported = arena_zalloc(&findings->scratch, (model->compiles.count + 1) * sizeof *reported);
    add_spans(findings, model, reported);
    add_missing(findings, model, reported);
    add_interrupted(findings, model);
}
