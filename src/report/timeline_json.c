
#include "report/members.h"
#include "sink/script.h"

enum { TOTALS_MAX = 1000 };

/* Largest self time first, then by name, which makes the order deterministic. */
static int by_self(const void *a, const void *b) {
    const struct timeline_total *x = a, *y = b;
    if (x->self_us != y->self_us)
        return x->self_us < y->self_us ? 1 : -1;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : slice_cmp(x->name, y->name);
}

static void write_totals(struct jsonw *w, const struct timeline *timeline) {
    size_t count = timeline->totals.count;
    struct timeline_total *sorted = mem_alloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = timeline->totals.items[i];
    qsort(sorted, count, sizeof *sorted, by_self);
    jsonw_array(w, "totals");
    for (size_t i = 0; i < count && i < TOTALS_MAX; i++) {
        if (!sorted[i].count) /* end events only */
            continue;
        jsonw_object(w, NULL);
        JSON_ADD(w, "name", sorted[i].name, "count", sorted[i].count);
        jsonw_i64(w, "total_us", sorted[i].total_us);
        jsonw_i64(w, "self_us", sorted[i].self_us);
        jsonw_i64(w, "max_us", sorted[i].max_us);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_totals", count > TOTALS_MAX ? count - TOTALS_MAX : 0);
    mem_free(sorted);
}

static void write_tracks(struct jsonw *w, const struct timeline *timeline) {
    jsonw_array(w, "lanes");
    for (size_t i = 0; i < timeline->tracks.count; i++) {
        const struct timeline_track *track = &timeline->tracks.items[i];
        jsonw_object(w, NULL);
        jsonw_raw(w, "pid", track->pid);
        jsonw_raw(w, "tid", track->tid);
        JSON_MEMBERS(w, track, process, thread);
        if (track->dir.ptr) {
            JSON_ADD(w, "rank", track->has_rank ? (int64_t)track->rank : -1, "dir", track->dir);
        }
        JSON_MEMBERS(w, track, spans, instants);
        jsonw_i64(w, "busy_us", track->busy_us);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void timeline_json_add(struct jsonw *w, const char *key, const struct timeline *timeline) {
    static const struct timeline none = {0};
    const struct timeline *t = timeline ? timeline : &none;
    jsonw_object(w, key);
    jsonw_known(w, "start_us", t->has_base ? t->base_us + t->first_us : -1);
    jsonw_i64(w, "duration_us", t->last_us - t->first_us);
    JSON_MEMBERS(w, t, spans, instants, kept, no_end, no_begin, bad_times, other_events, left_out);
    write_totals(w, t);
    write_tracks(w, t);
    jsonw_end_object(w);
}

void timeline_json_write_head(const struct timeline *timeline) {
    AUTO_BUF json = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    jsonw_known(&w, "start_us", timeline->has_base ? timeline->base_us : -1);
    jsonw_i64(&w, "first_us", timeline->first_us);
    jsonw_i64(&w, "last_us", timeline->last_us);
    JSON_ADD(&w, "chunks", timeline->chunks, "spans", timeline->kept);
    JSON_LIST(&w, "names", i, timeline->totals.count, timeline->totals.items[i].name);
    JSON_LIST(&w, "ids", i, timeline->ids.count, timeline->ids.items[i]);
    jsonw_texts(&w, "functions", timeline->functions.items, timeline->functions.count);
    JSON_LIST(&w, "phases", phase, PHASES, phase_name((enum phase)phase));
    timeline_json_add(&w, "summary", timeline);
    jsonw_end_object(&w);
    script_write(timeline->files, SLICE("data/timeline.js"), SLICE("timeline"), buf_slice(&json));
}
