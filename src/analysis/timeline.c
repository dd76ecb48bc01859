#include "analysis/timeline.h"

#include "model/log_info.h"
#include "sink/script.h"

enum {
    CHUNK_ROWS = 16384,
    CHUNK_ARGS = 1 << 20, /* bytes */
    ARGS_BYTES = 1024,    /* bytes per span */
    ARG_BYTES = 300,      /* bytes per value */
    NAME_BYTES = 300,
    KEY_BYTES = 100, /* pid, tid, compile id */
};

#define NO_ID UINT32_MAX

struct timeline *timeline_create(struct files *files) {
    struct timeline *timeline = mem_zalloc(1, sizeof *timeline);
    timeline->files = files;
    return timeline;
}

static void destroy_part(void *part) {
    timeline_destroy(part);
}

struct timeline *timeline_of(struct model *model, struct files *files) {
    if (!model->timeline) {
        model->timeline = timeline_create(files);
        model_own(model, model->timeline, destroy_part);
    }
    return model->timeline;
}

void timeline_destroy(struct timeline *timeline) {
    if (!timeline)
        return;
    for (size_t l = 0; l < timeline->tracks.count; l++) {
        struct timeline_track *track = &timeline->tracks.items[l];
        for (size_t i = 0; i < track->open_cap; i++)
            buf_free(&track->open[i].args);
    }
    buf_free(&timeline->rows);
    buf_free(&timeline->args);
    arena_free(&timeline->arena);
    mem_free(timeline);
}

uint32_t timeline_name(struct timeline *timeline, struct slice name) {
    bool added;
    name = slice_first(name, NAME_BYTES);
    if (timeline->totals.count == TIMELINE_NAMES_MAX)
        return map_get(&timeline->name_map, name);
    uint32_t index = *map_put_in(&timeline->arena, &timeline->name_map, name, (uint32_t)timeline->totals.count, &added);
    if (added)
        ARENA_ADD(&timeline->arena, &timeline->totals,
                  (struct timeline_total){.name = map_key(&timeline->name_map, name)});
    return index;
}

static uint32_t id_of(struct timeline *timeline, struct slice id) {
    bool added;
    if (!id.len || id.len > KEY_BYTES)
        return NO_ID;
    if (timeline->ids.count == TIMELINE_IDS_MAX)
        return map_get(&timeline->id_map, id);
    uint32_t index = *map_put_in(&timeline->arena, &timeline->id_map, id, (uint32_t)timeline->ids.count, &added);
    if (added) {
        ARENA_ADD(&timeline->arena, &timeline->ids, map_key(&timeline->id_map, id));
        ARENA_ADD(&timeline->arena, &timeline->outermost_us, 0);
        ARENA_ADD(&timeline->arena, &timeline->timers_us, 0);
        ARENA_ADD(&timeline->arena, &timeline->cudagraphs, (struct cudagraph_counts){0});
        ARENA_ADD(&timeline->arena, &timeline->spent, NULL);
    }
    return index;
}

/* A pid or tid as JSON: a number, or a text. */
static void add_key(struct buf *out, yyjson_val *value) {
    struct slice text = json_text(value);
    if (yyjson_is_num(value) || yyjson_is_raw(value))
        json_add_value(out, value);
    else
        json_add_string_or_null(out, text.ptr ? slice_first(text, KEY_BYTES) : text);
}

/* The track of an event, or of the nth thread beside that track, from 1; NULL if there are too many. */
static struct timeline_track *lane_of(struct timeline *timeline, yyjson_val *event, uint64_t writer, uint32_t worker) {
    AUTO_BUF key = {0};
    bool added = false;
    add_key(&key, json_get(event, "pid"));
    size_t pid_len = key.len;
    buf_add_byte(&key, ' ');
    add_key(&key, json_get(event, "tid"));
    size_t tid_end = key.len;
    BUF_ADD(&key, " ", writer);
    if (worker)
        BUF_ADD(&key, " worker ", (uint64_t)worker);
    uint32_t index = map_get(&timeline->lane_map, buf_slice(&key));
    if (index == MAP_NONE && timeline->tracks.count < TIMELINE_LANES_MAX) {
        index = *map_put_in(&timeline->arena, &timeline->lane_map, buf_slice(&key), (uint32_t)timeline->tracks.count,
                            &added);
        struct slice kept = map_key(&timeline->lane_map, buf_slice(&key));
        ARENA_ADD(&timeline->arena, &timeline->tracks,
                  (struct timeline_track){.history = arena_zalloc(&timeline->arena, sizeof(struct track_history)),
                                          .pid = slice_first(kept, pid_len),
                                          .tid = slice_from(slice_first(kept, tid_end), pid_len + 1),
                                          .writer = writer,
                                          .last_us = INT64_MIN});
        if (worker) {
            key.len = 0;
            buf_addf(&key, "compile worker %" PRIu32, worker);
            timeline->tracks.items[index].thread = arena_slice(&timeline->arena, buf_slice(&key));
        }
    }
    return index == MAP_NONE ? NULL : &timeline->tracks.items[index];
}

/* Adds the arguments that fit. Long values are truncated and become texts. */
static void add_args(struct buf *out, yyjson_val *args) {
    size_t i, max;
    yyjson_val *key, *value;
    AUTO_BUF one = {0};
    yyjson_obj_foreach(args, i, max, key, value) {
        struct slice name = json_text(key);
        if (slice_is(name, "compile_id") || name.len > KEY_BYTES)
            continue;
        one.len = 0;
        json_add_string(&one, name);
        buf_add_byte(&one, ':');
        size_t at = one.len;
        struct slice text = json_text(value);
        if (text.ptr && text.len > ARG_BYTES) {
            json_add_string(&one, slice_first(text, ARG_BYTES));
            one.len--;
            buf_add_lit(&one, "…\"");
        } else {
            json_add_value(&one, value);
            if (one.len - at > 2 * ARG_BYTES) {
                char *head = mem_alloc(ARG_BYTES);
                memcpy(head, one.ptr + at, ARG_BYTES);
                one.len = at;
                json_add_string(&one, slice_make(head, ARG_BYTES));
                one.len--;
                buf_add_lit(&one, "…\"");
                mem_free(head);
            }
        }
        if (out->len + one.len + 1 > ARGS_BYTES)
            continue;
        if (out->len)
            buf_add_byte(out, ',');
        buf_add(out, buf_slice(&one));
    }
}

static void write_script(struct timeline *timeline, const char *what, struct buf *json) {
    script_write_part(timeline->files, what, timeline->chunks, buf_slice(json));
    json->len = 0;
}

static void end_chunk(struct timeline *timeline) {
    if (!timeline->rows_count)
        return;
    buf_add_byte(&timeline->rows, ']');
    if (!timeline->args.len)
        buf_add_byte(&timeline->args, '{');
    buf_add_byte(&timeline->args, '}');
    write_script(timeline, "timeline", &timeline->rows);
    write_script(timeline, "timeline_args", &timeline->args);
    timeline->rows_count = 0;
    timeline->chunks++;
}

struct span {
    const struct timeline_track *track;
    uint32_t name, id;
    int64_t start_us, us, self_us;
    int flags, phase;
    struct slice args;
    bool within;
};

static void add_row(struct timeline *timeline, const struct span *span) {
    if (timeline->kept == TIMELINE_SPANS_MAX || !timeline->files) {
        timeline->left_out++;
        return;
    }
    timeline->kept++;
    struct buf *rows = &timeline->rows;
    const int64_t numbers[] = {span->start_us,      span->us,
                               span->self_us,       span->track - timeline->tracks.items,
                               (int64_t)span->name, span->id == NO_ID ? -1 : (int64_t)span->id,
                               span->flags,         span->phase};
    buf_add_byte(rows, timeline->rows_count ? ',' : '[');
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (i)
            buf_add_byte(rows, ',');
        buf_add_i64(rows, numbers[i]);
    }
    if (span->args.len) {
        struct buf *args = &timeline->args;
        BUF_ADD(args, args->len ? "," : "{", "\"", timeline->rows_count, "\":{", span->args, "}");
    }
    if (++timeline->rows_count == CHUNK_ROWS || timeline->args.len > CHUNK_ARGS)
        end_chunk(timeline);
}

/* Whether a span with this name is open among the first `depth` ones. */
static bool is_open(const struct timeline_track *track, size_t depth, uint32_t name) {
    for (size_t i = 0; i < depth; i++)
        if (track->open[i].name == name)
            return true;
    return false;
}

/* Ends a span: updates the totals and its track, and adds its row. `depth` spans are open around it. */
static void add_span(struct timeline *timeline, struct timeline_track *track, const struct span *span, size_t depth) {
    struct timeline_total *total = &timeline->totals.items[span->name];
    total->count++;
    total->self_us += span->self_us;
    if (span->us > total->max_us)
        total->max_us = span->us;
    if (!is_open(track, depth, span->name))
        total->total_us += span->us;
    if (depth == 0 && !(span->flags & SPAN_INSTANT)) {
        track->busy_us += span->us;
        if (span->id != NO_ID && span->within && !(span->flags & SPAN_NO_END))
            timeline->outermost_us.items[span->id] += span->us;
    }
    uint64_t *of_track = span->flags & SPAN_INSTANT ? &track->instants : &track->spans;
    uint64_t *of_all = span->flags & SPAN_INSTANT ? &timeline->instants : &timeline->spans;
    ++*of_track;
    ++*of_all;
    add_row(timeline, span);
}

/* The open outermost span, or else the latest one; NULL: none. */
static struct outermost_span *latest_outermost(struct timeline_track *track) {
    return track->history->recent_count ? &track->history->recent[(track->history->recent_count - 1) % RECENT_MAX]
                                        : NULL;
}

/* Sets a span's phase and enclosing phases. The second span is NULL for an outermost one. */
static void set_phase(const struct timeline *timeline, struct open_span *open, const struct open_span *around) {
    struct slice name = timeline->totals.items[open->name].name;
    open->phase = phase_of_span(name);
    open->self_phase = phase_within(name, around ? around->self_phase : NO_PHASE);
    open->spend = spend_within(name, around ? around->spend : SPEND_NONE);
    open->backward = (around && around->backward) || slice_is(name, "entire_backward_compile");
    open->flags = open->id != NO_ID && (!around || around->id != open->id) && is_compile_span(name) ? SPAN_COMPILE : 0;
    open->around = around ? around->around : 0;
    if (around && around->phase != NO_PHASE)
        open->around |= 1U << around->phase;
}

/* Adds the time of a span within the outermost one to its phase. Nested spans of a phase count once. */
static void add_phase(int64_t phases_us[PHASES], const struct open_span *span, int64_t us) {
    if (span->phase != NO_PHASE && !(span->around & 1U << span->phase))
        phases_us[span->phase] += us;
}

static struct spent *spent_of(struct timeline *timeline, uint32_t id) {
    struct spent **spent = &timeline->spent.items[id];
    if (!*spent)
        *spent = arena_zalloc(&timeline->arena, sizeof **spent);
    return *spent;
}

/* ---- threads that compile C++ kernels, while a compile waits for them -------------------------------------------- */

/* Whether the event is from another thread. PyTorch gives all threads the same numbers, and events of a thread without
 * a compile have no id. In the compile's own thread, an event without an id is not within a compile, or is not a
 * kernel. */
static bool is_of_worker(const struct timeline_track *track, yyjson_val *event, struct slice name, char ph) {
    yyjson_val *id = json_get(json_get(event, "args"), "compile_id");
    if (!slice_is(name, "compile_file") || !id || !(yyjson_is_null(id) || slice_is(json_text(id), "None")))
        return false;
    if (ph == 'E')
        return track->working > 0;
    return ph == 'B' && track->open_count && track->open[0].id != NO_ID &&
           spend_within(name, track->open[track->open_count - 1].spend) == SPEND_KERNELS;
}

/* Adds the time up to now during which threads have worked, if the track waits for them. */
static void note_worked(const struct timeline *timeline, struct timeline_track *track, int64_t us) {
    struct open_span *top = track->open_count ? &track->open[track->open_count - 1] : NULL;
    if (!track->working)
        return;
    if (top && slice_is(timeline->totals.items[top->name].name, "async_compile.wait")) {
        int64_t from = track->working_since_us > top->start_us ? track->working_since_us : top->start_us;
        top->worked_us += us > from ? us - from : 0;
    }
    track->working_since_us = us;
}

/* The track of a thread that works for the track at this place. For a begin event, one without an open span; for an end
 * event, the one whose span began first. NULL: too many. */
static struct timeline_track *worker_of(struct timeline *timeline, size_t own, yyjson_val *event, uint64_t writer,
                                        char ph) {
    struct timeline_track *found = NULL;
    uint32_t known = 0;
    if (ph == 'B' && timeline->tracks.items[own].working == TIMELINE_WORKERS_MAX)
        return NULL;
    for (size_t i = 0; i < timeline->tracks.count; i++) {
        struct timeline_track *track = &timeline->tracks.items[i];
        if (track->works_for != own + 1)
            continue;
        known++;
        if (ph == 'B' && !track->open_count)
            return track;
        if (ph == 'E' && track->open_count && (!found || track->open[0].start_us < found->open[0].start_us))
            found = track;
    }
    if (ph == 'B' && (found = lane_of(timeline, event, writer, known + 1)) != NULL)
        found->works_for = (uint32_t)own + 1;
    return found;
}

static int spent_phase(const struct open_span *span) {
    return span->backward ? (int)PHASE_BACKWARD : span->self_phase != NO_PHASE ? span->self_phase : (int)PHASE_DYNAMO;
}

/* Adds the time in a span to its kind, for the compile of the outermost span around it. NULL: it has no compile. */
static struct spent *spend(struct timeline *timeline, struct timeline_track *track, const struct open_span *span,
                           enum spend on, int64_t us) {
    const struct open_span *outermost = &track->open[0];
    if (on >= SPENDS || (outermost->id != NO_ID && !outermost->within))
        return NULL;
    struct spent *spent = outermost->id != NO_ID ? spent_of(timeline, outermost->id) : &latest_outermost(track)->spent;
    spent->us[on][spent_phase(span)] += us;
    return spent;
}

/* Dynamo begins a trace of the compile: the previous one, if any, was discarded. */
static void note_attempt(struct timeline *timeline, struct timeline_track *track, const struct open_span *open) {
    bool again;
    if (open->id != NO_ID && open->id == track->open[0].id && track->open[0].within &&
        attempt_is(timeline->totals.items[open->name].name, &again))
        attempt_begin(&track->history->attempt, spent_of(timeline, open->id), again);
}

/* The build of a test program starts: the time since the end of the previous one, without another span, was spent
 * loading that one. */
static int64_t loading_us(const struct open_span *around, int64_t start_us) {
    if (around->probe_end_us == INT64_MIN || around->probe_children_us != around->children_us ||
        start_us <= around->probe_end_us)
        return 0;
    return start_us - around->probe_end_us;
}

static void add_loading(struct timeline *timeline, struct timeline_track *track, struct open_span *around, int64_t us) {
    if (us <= 0)
        return;
    around->loading_us += us;
    around->longest_load_us = us > around->longest_load_us ? us : around->longest_load_us;
    spend(timeline, track, around, SPEND_PROBES, us);
}

/* The time after the last test program was spent loading it, but at most as long as for an earlier one. */
static void add_last_loading(struct timeline *timeline, struct timeline_track *track, struct open_span *around,
                             int64_t until_us) {
    int64_t us = around->longest_load_us ? loading_us(around, until_us) : 0;
    if (us <= 0)
        return;
    add_loading(timeline, track, around, us < around->longest_load_us ? us : around->longest_load_us);
    around->probe_end_us = INT64_MIN;
}

/* Whether the span is a build before code is written: a test program, if the record of the code follows. */
static bool is_first_build(const struct open_span *span, const struct open_span *around) {
    return span->spend == SPEND_PACKAGE && around->spend == SPEND_PACKAGING && !around->builds.over;
}

/* Notes a build in a span of precompiled headers: the preprocessor runs for each header, and then, if the header does
 * not exist, the compiler, which takes much longer. */
static void note_header(struct header_builds *builds, int64_t us) {
    enum { MUCH_LONGER = 4 };
    if (!builds->first_us)
        builds->first_us = us;
    if (us / MUCH_LONGER <= builds->first_us)
        builds->preprocessed_us += us;
    else
        builds->built = true;
}

/* Counts a finished build in its span, which may build a test program or contain builds. */
static void note_build(struct open_span *around, const struct open_span *span, int64_t end_us, int64_t self_us) {
    bool first = is_first_build(span, around);
    if (first) {
        around->builds.us += self_us;
        around->builds.count++;
        around->builds.self_phase = span->self_phase;
        if (self_us > around->builds.longest_us)
            around->builds.longest_us = self_us;
    }
    if (first || span->spend == SPEND_PROBES) {
        around->probe_end_us = end_us;
        around->probe_children_us = around->children_us;
    }
}

void timeline_wrote_wrapper(struct timeline *timeline, uint64_t writer) {
    struct timeline_track *track = NULL;
    for (size_t i = 0; i < timeline->tracks.count; i++) {
        struct timeline_track *other = &timeline->tracks.items[i];
        if (other->writer != writer || !other->open_count ||
            other->open[other->open_count - 1].spend != SPEND_PACKAGING)
            continue;
        if (track) /* with several threads, the record does not tell which */
            return;
        track = other;
    }
    if (!track)
        return;
    struct open_span *around = &track->open[track->open_count - 1];
    struct first_builds *builds = &around->builds;
    if (!builds->over && builds->count) {
        const struct open_span build = {.self_phase = builds->self_phase, .backward = around->backward};
        spend(timeline, track, &build, SPEND_PACKAGE, -builds->us);
        struct spent *spent = spend(timeline, track, &build, SPEND_PROBES, builds->us);
        if (spent) {
            spent->count[SPEND_PACKAGE] -= builds->count;
            spent->count[SPEND_PROBES] += builds->count;
            if (builds->longest_us > spent->longest_us[SPEND_PROBES])
                spent->longest_us[SPEND_PROBES] = builds->longest_us;
        }
        add_loading(timeline, track, around, builds->loading_us);
    }
    builds->over = true;
}

/* Adds the self time of a span to its kind. */
static void add_spent(struct timeline *timeline, struct timeline_track *track, const struct open_span *span, int64_t us,
                      int64_t self_us) {
    struct spent *spent = spend(timeline, track, span, span->spend, self_us);
    if (!spent)
        return;
    spent->count[span->spend]++;
    if (us > spent->longest_us[span->spend])
        spent->longest_us[span->spend] = us;
}

/* Moves the times of an outermost span without an id to a compile. */
static void give_spent(struct timeline *timeline, struct outermost_span *span, struct slice id) {
    struct spent *to = NULL;
    for (int spend = 0; spend < SPENDS && span->id == NO_ID; spend++) {
        if (!span->spent.count[spend])
            continue;
        uint32_t index = to ? NO_ID : id_of(timeline, id);
        if (!to && index == MAP_NONE)
            return;
        to = to ? to : spent_of(timeline, index);
        for (int phase = 0; phase < PHASES; phase++)
            to->us[spend][phase] += span->spent.us[spend][phase];
        to->count[spend] += span->spent.count[spend];
        if (span->spent.longest_us[spend] > to->longest_us[spend])
            to->longest_us[spend] = span->spent.longest_us[spend];
    }
    span->spent = (struct spent){0};
}

/* Ends the innermost open span. */
static void close_top(struct timeline *timeline, struct timeline_track *track, int64_t end_us, int flags) {
    note_worked(timeline, track, end_us);
    struct open_span *open = &track->open[--track->open_count];
    int64_t us = end_us > open->start_us ? end_us - open->start_us : 0;
    int64_t self = us > open->children_us ? us - open->children_us : 0;
    latest_outermost(track)->whole &= !(flags & SPAN_NO_END);
    if (track->open_count)
        add_phase(latest_outermost(track)->phases_us, open, us);
    else
        latest_outermost(track)->end_us = end_us;
    track->history->attempt.open &= track->open_count > 0;
    track->history->attempt.us[spent_phase(open)] += self;
    if (flags & SPAN_NO_END)
        timeline->no_end++;
    if (open->id != NO_ID && open->within && !(flags & SPAN_NO_END) &&
        is_timer_span(timeline->totals.items[open->name].name))
        timeline->timers_us.items[open->id] += us;
    add_last_loading(timeline, track, open, end_us);
    if (open->headers.built && slice_is(timeline->totals.items[open->name].name, "aoti_precompile_header"))
        timeline->headers_us += us - open->headers.preprocessed_us;
    add_spent(timeline, track, open, us, self > open->loading_us ? self - open->loading_us : 0);
    if (open->worked_us)
        spend(timeline, track, open, SPEND_KERNELS, open->worked_us);
    if (track->open_count) {
        struct open_span *around = &track->open[track->open_count - 1];
        around->children_us += us;
        if (open->spend == SPEND_PACKAGE)
            note_header(&around->headers, us);
        note_build(around, open, end_us, self);
    }
    add_span(timeline, track,
             &(struct span){track, open->name, open->id, open->start_us, us, self, flags | open->flags,
                            open->self_phase, buf_slice(&open->args), open->within},
             track->open_count);
}

static void begin(struct timeline *timeline, struct timeline_track *track, uint32_t name, uint32_t id, bool within,
                  int64_t us, yyjson_val *args) {
    note_worked(timeline, track, us);
    if (track->open_count == TIMELINE_DEPTH_MAX) {
        timeline->left_out++;
        timeline->lost++;
        return;
    }
    if (track->open_count == track->open_cap) {
        size_t cap = track->open_cap ? track->open_cap * 2 : 16;
        struct open_span *grown = arena_zalloc(&timeline->arena, cap * sizeof *grown);
        if (track->open_cap)
            memcpy(grown, track->open, track->open_cap * sizeof *grown);
        track->open = grown;
        track->open_cap = cap;
    }
    struct open_span *open = &track->open[track->open_count++];
    open->name = name;
    open->id = id;
    open->within = within;
    open->start_us = us;
    open->children_us = 0;
    open->probe_end_us = INT64_MIN;
    open->loading_us = 0;
    open->longest_load_us = 0;
    open->worked_us = 0;
    open->builds = (struct first_builds){0};
    open->headers = (struct header_builds){0};
    open->args.len = 0;
    add_args(&open->args, args);
    set_phase(timeline, open, track->open_count > 1 ? open - 1 : NULL);
    if (open->spend == SPEND_PROBES)
        add_loading(timeline, track, open - 1, loading_us(open - 1, us));
    else if (track->open_count > 1 && is_first_build(open, open - 1))
        open[-1].builds.loading_us += loading_us(open - 1, us);
    else if (track->open_count > 1)
        add_last_loading(timeline, track, open - 1, us);
    note_attempt(timeline, track, open);
    if (track->open_count == 1)
        track->history->recent[track->history->recent_count++ % RECENT_MAX] =
            (struct outermost_span){.start_us = us, .end_us = INT64_MAX, .id = id, .phase = open->phase, .whole = true};
}

/* The compile is over: if the log has no end for its threads' work, it must not count in the next compile. */
static void end_workers(struct timeline *timeline, struct timeline_track *track, int64_t us) {
    uint32_t place = (uint32_t)(track - timeline->tracks.items) + 1;
    for (size_t i = 0; i < timeline->tracks.count && track->working; i++) {
        struct timeline_track *worker = &timeline->tracks.items[i];
        if (worker->works_for != place || !worker->open_count)
            continue;
        close_top(timeline, worker, us, SPAN_NO_END);
        track->working--;
    }
}

/* Ends the innermost open span with this name, and the open spans within it, whose ends were not logged. */
static void end(struct timeline *timeline, struct timeline_track *track, uint32_t name, int64_t us, yyjson_val *args) {
    size_t at = track->open_count;
    while (at > 0 && track->open[at - 1].name != name)
        at--;
    if (at == 0) {
        timeline->no_begin++;
        return;
    }
    while (track->open_count > at)
        close_top(timeline, track, us, SPAN_NO_END);
    add_args(&track->open[at - 1].args, args);
    close_top(timeline, track, us, 0);
    if (!track->open_count)
        end_workers(timeline, track, us);
}

/* The track of the event's thread, or the track itself if there are too many. */
static struct timeline_track *to_worker(struct timeline *timeline, struct timeline_track *track, yyjson_val *event,
                                        uint64_t writer, char ph, int64_t us) {
    size_t own = (size_t)(track - timeline->tracks.items);
    struct timeline_track *worker = worker_of(timeline, own, event, writer, ph);
    track = &timeline->tracks.items[own]; /* a new track may have moved it */
    if (!worker)
        return track;
    note_worked(timeline, track, us);
    if (ph == 'B') {
        track->working_since_us = track->working++ ? track->working_since_us : us;
        return worker;
    }
    track->working--;
    struct spent *spent =
        track->open_count ? spend(timeline, track, &track->open[track->open_count - 1], SPEND_KERNELS, 0) : NULL;
    int64_t took_us = us - worker->open[0].start_us;
    if (spent) {
        spent->count[SPEND_KERNELS]++;
        if (took_us > spent->longest_us[SPEND_KERNELS])
            spent->longest_us[SPEND_KERNELS] = took_us;
    }
    return worker;
}

/* A span that is logged when it ends. Earlier spans within it are its children. */
static void whole(struct timeline *timeline, struct timeline_track *track, struct span span) {
    struct open_span itself = {.name = span.name, .id = span.id};
    struct open_span *around = track->open_count ? &track->open[track->open_count - 1] : NULL;
    size_t most = sizeof track->history->whole / sizeof *track->history->whole;
    while (track->history->whole_count &&
           track->history->whole[track->history->whole_count - 1].start_us >= span.start_us &&
           track->history->whole[track->history->whole_count - 1].start_us +
                   track->history->whole[track->history->whole_count - 1].us <=
               span.start_us + span.us)
        span.self_us -= track->history->whole[--track->history->whole_count].us;
    if (span.self_us < 0)
        span.self_us = 0;
    if (track->history->whole_count == most)
        memmove(track->history->whole, track->history->whole + 1,
                --track->history->whole_count * sizeof *track->history->whole);
    track->history->whole[track->history->whole_count].start_us = span.start_us;
    track->history->whole[track->history->whole_count++].us = span.us;
    set_phase(timeline, &itself, around);
    if (around) {
        around->children_us += span.self_us;
        struct outermost_span *outermost = latest_outermost(track);
        assert(outermost); /* the span that is open */
        add_phase(outermost->phases_us, &itself, span.us);
    }
    span.phase = itself.self_phase;
    span.flags |= itself.flags;
    add_span(timeline, track, &span, track->open_count);
}

/* Names of processes and threads. */
static void meta(struct timeline *timeline, struct timeline_track *track, struct slice what, struct slice text) {
    struct slice kept = arena_slice(&timeline->arena, slice_first(text, NAME_BYTES));
    if (!text.ptr)
        return;
    if (slice_is(what, "thread_name") && !track->thread.ptr)
        track->thread = kept;
    for (size_t i = 0; i < timeline->tracks.count && slice_is(what, "process_name"); i++)
        if (!timeline->tracks.items[i].process.ptr && timeline->tracks.items[i].writer == track->writer &&
            slice_eq(timeline->tracks.items[i].pid, track->pid))
            timeline->tracks.items[i].process = kept;
}

void timeline_see(struct timeline *timeline, int64_t from_us, int64_t to_us) {
    if (from_us < timeline->first_us)
        timeline->first_us = from_us;
    if (to_us > timeline->last_us)
        timeline->last_us = to_us;
}

void timeline_event(struct timeline *timeline, yyjson_val *event, uint64_t writer, bool good_time, struct slice id,
                    bool within) {
    struct slice phase = json_get_text(event, "ph"), name = json_get_text(event, "name");
    yyjson_val *args = json_get(event, "args");
    double ts = 0, dur = 0;
    char ph = phase.len == 1 ? phase.ptr[0] : 0;
    if (!ph || !strchr("BEXiIM", ph)) {
        timeline->other_events++;
        return;
    }
    struct timeline_track *track = lane_of(timeline, event, writer, 0);
    if (ph == 'M' && track) {
        meta(timeline, track, name, json_get_text(args, "name"));
        return;
    }
    if (!good_time || !json_to_double(json_get(event, "ts"), &ts) ||
        (ph == 'X' && json_to_double(json_get(event, "dur"), &dur) && !(dur >= 0 && dur < 9e12))) {
        timeline->bad_times++;
        timeline->lost++;
        return;
    }
    uint32_t key = track ? timeline_name(timeline, name.ptr ? name : SLICE("(no name)")) : MAP_NONE;
    if (key == MAP_NONE) {
        timeline->left_out++;
        timeline->lost++;
        return;
    }
    if (!timeline->has_base)
        timeline->base_us = (int64_t)ts;
    timeline->has_base = true;
    int64_t us = (int64_t)ts - timeline->base_us;
    if (is_of_worker(track, event, name, ph))
        track = to_worker(timeline, track, event, writer, ph, us);
    uint32_t id_key = ph == 'E' ? NO_ID : id_of(timeline, id);
    timeline_see(timeline, us, us + (int64_t)dur);
    if (us + (int64_t)dur > track->last_us)
        track->last_us = us + (int64_t)dur;
    if (ph == 'B') {
        if (id_key != NO_ID && slice_is(name, "cudagraphify.get_container"))
            timeline->cudagraphs.items[id_key].prepared++;
        else if (id_key != NO_ID && slice_is(name, "CUDAGraphNode.record"))
            timeline->cudagraphs.items[id_key].recorded++;
        begin(timeline, track, key, id_key, within, us, args);
    } else if (ph == 'E') {
        end(timeline, track, key, us, args);
    } else {
        AUTO_BUF text = {0};
        add_args(&text, args);
        struct span span = {track,
                            key,
                            id_key,
                            us,
                            (int64_t)dur,
                            (int64_t)dur,
                            ph == 'X' ? 0 : SPAN_INSTANT,
                            NO_PHASE,
                            buf_slice(&text),
                            within};
        if (ph == 'X')
            whole(timeline, track, span);
        else
            add_span(timeline, track, &span, track->open_count);
    }
}

/* Adds the phases of an outermost span between the two times, including open spans. */
static void add_outermost(int64_t phases_us[PHASES], const struct timeline_track *track,
                          const struct outermost_span *span, int64_t start_us, int64_t end_us) {
    bool open = span->end_us == INT64_MAX;
    int64_t from = span->start_us > start_us ? span->start_us : start_us,
            to = open || span->end_us > end_us ? end_us : span->end_us;
    for (int phase = 0; phase < PHASES; phase++)
        if (phase != span->phase)
            phases_us[phase] += span->phases_us[phase];
    if (span->phase != NO_PHASE)
        phases_us[span->phase] += to - from;
    for (size_t i = 1; open && i < track->open_count; i++)
        if (track->open[i].start_us < end_us)
            add_phase(phases_us, &track->open[i], end_us - track->open[i].start_us);
}

bool timeline_phases(struct timeline *timeline, uint64_t writer, struct slice id, int64_t start_us, int64_t end_us,
                     int64_t phases_us[PHASES]) {
    bool any = false;
    uint32_t wanted = id.len ? map_get(&timeline->id_map, id) : NO_ID;
    memset(phases_us, 0, PHASES * sizeof *phases_us);
    if (!timeline->has_base || timeline->lost || timeline->no_begin)
        return false;
    start_us -= timeline->base_us;
    end_us -= timeline->base_us;
    for (size_t l = 0; l < timeline->tracks.count; l++) {
        struct timeline_track *track = &timeline->tracks.items[l];
        size_t count = track->history->recent_count < RECENT_MAX ? track->history->recent_count : RECENT_MAX;
        for (size_t i = 0; i < count && track->writer == writer && !track->works_for; i++) {
            struct outermost_span *span = &track->history->recent[i];
            if (span->start_us >= end_us || span->end_us <= start_us || (span->id != NO_ID && span->id != wanted))
                continue;
            if (!span->whole)
                return false;
            add_outermost(phases_us, track, span, start_us, end_us);
            give_spent(timeline, span, id);
            any = true;
        }
    }
    return any;
}

enum { TOKEN_MARK = 1 }; /* no compile id begins with this byte */

void timeline_add_token(struct buf *id, uint32_t compile) {
    buf_add_byte(id, TOKEN_MARK);
    buf_add_u64(id, compile);
}

void timeline_map_ids(struct map *ids, const struct timeline *timeline, struct arena *arena) {
    for (size_t i = 0; timeline && i < timeline->ids.count; i++)
        map_put_in(arena, ids, timeline->ids.items[i], (uint32_t)i, NULL);
}

static void name_ids(struct timeline *timeline, const struct model *model) {
    for (size_t i = 0; i < timeline->ids.count; i++) {
        struct slice *id = &timeline->ids.items[i];
        struct slice function = {0};
        uint64_t index;
        if (id->len && id->ptr[0] == TOKEN_MARK && slice_to_u64(slice_from(*id, 1), &index) &&
            index < model->compiles.count) {
            const struct compile *compile = model->compiles.items[index];
            *id = compile->key;
            function = compile->label.len ? compile->label : compile->frame.function;
            function = function.len ? function : (struct slice){0};
        }
        ARENA_ADD(&timeline->arena, &timeline->functions, function);
    }
}

/* If an event was lost, it may have been the end event. */
static void note_unfinished(struct timeline *timeline) {
    for (size_t l = 0; l < timeline->tracks.count; l++)
        for (size_t i = 0; i < timeline->tracks.items[l].open_count; i++) {
            const struct open_span *open = &timeline->tracks.items[l].open[i];
            ARENA_ADD(&timeline->arena, &timeline->unfinished,
                      (struct unfinished_span){open->name, open->id, (uint32_t)l, open->start_us});
        }
}

/* If several processes wrote, an unnamed track is named after its process. */
static void name_processes(struct timeline *timeline, const struct model *model) {
    for (size_t i = 0; i < timeline->tracks.count; i++) {
        struct timeline_track *track = &timeline->tracks.items[i];
        AUTO_BUF name = {0}, json = {0};
        track->whose = track->pid;
        if (model->process_count < 2)
            continue;
        buf_add_lit(&name, "process ");
        size_t word = name.len;
        model_add_process_name(&name, model, track->writer);
        struct slice file = model_process_file(model, track->writer);
        if (file.ptr)
            buf_addf(&name, " of %.*s", SLICE_ARG(slice_first(file, NAME_BYTES)));
        json_add_string(&json, slice_from(buf_slice(&name), word));
        track->whose = arena_slice(&timeline->arena, buf_slice(&json));
        if (!track->process.ptr)
            track->process = arena_slice(&timeline->arena, buf_slice(&name));
    }
}

/* The last event of the process that wrote the track: a span left open there lasted at least until then. */
static int64_t last_of_process(const struct timeline *timeline, const struct timeline_track *track) {
    int64_t last_us = track->last_us;
    for (size_t i = 0; i < timeline->tracks.count; i++)
        if (timeline->tracks.items[i].writer == track->writer && timeline->tracks.items[i].last_us > last_us)
            last_us = timeline->tracks.items[i].last_us;
    return last_us;
}

void timeline_end(struct timeline *timeline, const struct model *model) {
    name_ids(timeline, model);
    name_processes(timeline, model);
    if (!model->events_lost && !timeline->lost)
        note_unfinished(timeline);
    for (size_t l = 0; l < timeline->tracks.count; l++) {
        struct timeline_track *track = &timeline->tracks.items[l];
        int64_t last_us = track->open_count ? last_of_process(timeline, track) : 0;
        while (track->open_count)
            close_top(timeline, track, last_us, SPAN_NO_END);
    }
}

uint32_t timeline_add_track(struct timeline *timeline, struct slice process, struct slice thread) {
    if (timeline->tracks.count == TIMELINE_LANES_MAX)
        return UINT32_MAX;
    ARENA_ADD(&timeline->arena, &timeline->tracks,
              (struct timeline_track){.pid = SLICE("null"),
                                      .tid = SLICE("null"),
                                      .whose = SLICE("null"),
                                      .process = arena_slice(&timeline->arena, slice_first(process, NAME_BYTES)),
                                      .thread = arena_slice(&timeline->arena, slice_first(thread, NAME_BYTES)),
                                      .last_us = INT64_MIN});
    return (uint32_t)(timeline->tracks.count - 1);
}

void timeline_add_ran(struct timeline *timeline, uint32_t track, uint32_t name, uint32_t id, int64_t start_us,
                      int64_t us, int64_t self_us) {
    struct timeline_track *of = &timeline->tracks.items[track];
    timeline_see(timeline, start_us, start_us + us);
    of->spans++;
    of->busy_us += self_us; /* self times add up to the time of the outermost spans */
    timeline->spans++;
    add_row(timeline, &(struct span){of, name, id, start_us, us, self_us, 0, NO_PHASE, {0}, false});
}

void timeline_write(struct timeline *timeline) {
    end_chunk(timeline);
}
