
#include "ranks/ranks_json.h"

#include "base/jsonw.h"
#include "diverge/cache_misses.h"
#include "diverge/cause.h"
#include "diverge/jobs.h"
#include "facts/rank_parts.h"
#include "facts/shared_findings.h"
#include "pages/page_parts.h"

enum { MISSING_MAX = 1024, TEXT_MAX = 2000 };

/* Finds the missing ranks from 0 to the highest one, or to the known minimum of the world size. Stores at most `most`
 * of them and returns their number. */
static uint64_t ranks_missing(const struct rank_facts *const *facts, size_t count, uint64_t *missing, size_t most) {
    uint64_t next = 0, total = 0;
    for (size_t i = 0; i < count; i++) { /* in order of rank */
        if (!facts[i]->has_rank || facts[i]->rank < next)
            continue;
        for (uint64_t rank = next; rank < facts[i]->rank && total + (rank - next) < most; rank++)
            missing[total + (rank - next)] = rank;
        total += facts[i]->rank - next;
        next = facts[i]->rank + 1;
    }
    uint64_t world = rank_world(facts, count).at_least;
    for (uint64_t rank = next; rank < world && total + (rank - next) < most; rank++)
        missing[total + (rank - next)] = rank;
    total += world > next ? world - next : 0;
    return total;
}

static void write_span(struct jsonw *w, const struct rank_facts *facts, const struct rank_span *span, bool of_all) {
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, span, name, compile);
    if (span->place.file.ptr)
        place_json_write(w, "place", &span->place);
    else
        jsonw_null(w, "place");
    jsonw_i64(w, "started_us", span->started_us);
    jsonw_i64(w, "before_end_us", span->before_end_us);
    jsonw_raw(w, "process", span->process);
    jsonw_raw(w, "thread", span->thread);
    if (of_all) {
        jsonw_null(w, "stack"); /* the rank's own report has it */
        if (span->dir.ptr) {
            JSON_ADD(w, "rank", span->has_rank ? (int64_t)span->rank : -1, "dir", span->dir);
        } else {
            rank_number_write(w, facts);
            jsonw_str(w, "dir", facts->dir);
        }
    }
    jsonw_end_object(w);
}

/* The spans that were open at the end of the rank's log, outermost first. */
static void write_unfinished(struct jsonw *w, const struct rank_facts *facts) {
    jsonw_array(w, "unfinished");
    for (size_t i = 0; i < facts->unfinished.count; i++)
        write_span(w, facts, &facts->unfinished.items[i], false);
    jsonw_end_array(w);
}

void ranks_unfinished_add(struct buf *out, const struct rank_facts *const *facts, size_t count) {
    struct jsonw w = {.out = out};
    jsonw_array(&w, NULL);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < facts[r]->unfinished.count && !facts[r]->older; i++)
            write_span(&w, facts[r], &facts[r]->unfinished.items[i], true);
    jsonw_end_array(&w);
}

/* For a run that is a job: writes its ranks. */
static void write_members(struct jsonw *w, const struct rank_facts *facts) {
    if (!facts->members.count)
        return;
    jsonw_array(w, "members");
    for (size_t i = 0; i < facts->members.count; i++) {
        const struct rank_member *member = &facts->members.items[i];
        jsonw_object(w, NULL);
        JSON_ADD(w, "rank", member->has_rank ? (int64_t)member->rank : -1, "dir", member->dir);
        jsonw_bool(w, "readable", !member->bad);
        jsonw_bool(w, "compared", member->compared);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* Writes the location of a log that has no report of its own here. */
static void write_elsewhere(struct jsonw *w, const struct rank_facts *facts) {
    jsonw_object(w, "elsewhere");
    jsonw_text(w, "host", facts->host.len ? facts->host : (struct slice){0});
    jsonw_texts(w, "paths", facts->paths.items, facts->paths.count);
    jsonw_bool(w, "wanted", facts->wanted);
    jsonw_end_object(w);
}

static void write_us(struct jsonw *w, const char *key, int64_t ns) {
    jsonw_i64(w, key, (ns + 500) / 1000);
}

/* What ran, according to the rank's profile. wait_ns: -1: unknown. */
static void write_run_time(struct jsonw *w, const struct rank_ran *ran, int64_t wait_ns) {
    int64_t collectives_ns = 0;
    jsonw_object(w, "run_time");
    JSON_ADD(w, "calls", ran->calls, "steps", ran->steps);
    write_us(w, "regions_us", ran->region_ns);
    write_us(w, "graphs_us", ran->graph_ns);
    write_us(w, "guards_us", ran->guard_ns);
    if (ran->frame.ptr) {
        jsonw_object(w, "slowest_compile");
        JSON_ADD(w, "compile", ran->frame, "function", ran->frame_name);
        write_us(w, "total_us", ran->frame_ns);
        jsonw_end_object(w);
    }
    if (ran->kernel.ptr) {
        jsonw_object(w, "slowest_kernel");
        jsonw_text(w, "name", ran->kernel);
        place_json_write(w, "place", &ran->kernel_place);
        write_us(w, "total_us", ran->kernel_ns);
        jsonw_end_object(w);
    }
    for (size_t i = 0; i < ran->collectives.count; i++)
        collectives_ns += ran->collectives.items[i].ns;
    jsonw_u64(w, "collectives", ran->collectives.count);
    write_us(w, "collectives_us", collectives_ns);
    jsonw_known(w, "wait_us", wait_ns < 0 ? -1 : (wait_ns + 500) / 1000);
    jsonw_end_object(w);
}

static void write_ranks(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    int64_t *waits_ns = mem_alloc((count + 1) * sizeof *waits_ns);
    const struct rank_ran **ran = mem_alloc((count + 1) * sizeof *ran);
    for (size_t i = 0; i < count; i++)
        ran[i] = rank_is_compared(facts[i]) ? facts[i]->ran : NULL;
    bool waits = rank_ran_waits(ran, count, waits_ns);
    jsonw_array(w, "ranks");
    for (size_t i = 0; i < count; i++) {
        const struct rank_facts *f = facts[i];
        uint64_t failed = f->inside.failed;
        for (size_t c = 0; c < f->compiles.count; c++)
            failed += f->compiles.items[c]->status == STATUS_ERROR;
        jsonw_object(w, NULL);
        rank_number_write(w, f);
        jsonw_str(w, "dir", f->dir);
        if (f->no_report && !f->bad)
            write_elsewhere(w, f);
        jsonw_array(w, "files");
        for (size_t n = 0; n < f->files.count; n++)
            jsonw_text(w, NULL, f->files.items[n].name);
        if (!f->files.count)
            jsonw_str(w, NULL, f->file);
        jsonw_end_array(w);
        if (f->name)
            jsonw_str(w, "name", f->name);
        write_members(w, f);
        JSON_ADD(w, "status",
                 f->bad                ? "bad"
                 : f->unfinished.count ? "unfinished"
                 : failed              ? "error"
                                       : "ok",
                 "older", f->older, "error", f->error ? slice_str(f->error) : (struct slice){0}, "bytes", f->bytes,
                 "compiles", f->compiles.count + f->inside.compiles, "failed", failed);
        JSON_ADD(w, "time_us", rank_time_us(f), "first_us", f->first_us ? f->first_us : -1, "last_us",
                 f->last_us ? f->last_us : -1);
        struct unread unread = counters_unread(f->counters);
        JSON_ADD(w, "malformed", unread.malformed, "skipped_lines", unread.skipped);
        jsonw_object(w, "counters");
        for (int c = 0; c < COUNTERS; c++)
            if (f->counters[c])
                jsonw_u64(w, counter_name(c), f->counters[c]);
        jsonw_end_object(w);
        jsonw_array(w, "parity");
        for (size_t p = 0; p < f->parity.count; p++) {
            jsonw_object(w, NULL);
            JSON_ADD(w, "graph", f->parity.items[p].folder, "offset", f->parity.items[p].offset, "missing_waits",
                     f->parity.items[p].missing_waits);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_u64(w, "job", f->job);
        jsonw_bool(w, "compared", rank_is_compared(f));
        write_unfinished(w, f);
        if (f->ran)
            write_run_time(w, f->ran, waits && ran[i] ? waits_ns[i] : -1);
        JSON_LIST(w, "decisions", d, f->decisions.count, slice_first(f->decisions.items[d], TEXT_MAX));
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    mem_free(waits_ns);
    mem_free(ran);
    uint64_t missing[MISSING_MAX], total = ranks_missing(facts, count, missing, MISSING_MAX);
    jsonw_array(w, "missing_ranks");
    for (uint64_t i = 0; i < total && i < MISSING_MAX; i++)
        jsonw_u64(w, NULL, missing[i]);
    jsonw_end_array(w);
    jsonw_u64(w, "more_missing_ranks", total > MISSING_MAX ? total - MISSING_MAX : 0);
}

static void write_group_ranks(struct jsonw *w, const char *key, const struct rank_facts *const *facts,
                              const struct group *group) {
    JSON_LIST(w, key, i, group->ranks.count, facts[group->ranks.items[i]]->rank);
}

/* Whether all ranks of the group have this compile under the same id. Other keys are not ids. */
static bool is_same_key(const struct rank_facts *const *facts, const struct group *group) {
    struct slice first = rank_slot_by_id(facts[group->ranks.items[0]], group->side.key);
    for (size_t i = 1; i < group->ranks.count && first.ptr; i++)
        if (!slice_eq(rank_slot_by_id(facts[group->ranks.items[i]], group->side.key), first))
            return false;
    return true;
}

static void write_divergence(struct jsonw *w, const struct rank_facts *const *facts, const struct divergence *found,
                             enum aspect aspect) {
    jsonw_object(w, aspect_name(aspect));
    JSON_ADD(w, "title", aspect_title(aspect), "why", aspect_why(aspect));
    JSON_MEMBERS(w, found, known, passed_over);
    jsonw_bool(w, "diverges", found->groups.count > 1);
    if (aspect == ASPECT_COLLECTIVES)
        jsonw_str(w, "from", calls_from_name(found->from));
    JSON_LIST(w, "not_logged", i, found->silent.count, facts[found->silent.items[i]]->rank);
    if (aspect == ASPECT_EXECUTION_ORDER) {
        JSON_LIST(w, "uncertain", i, found->uncertain.count, facts[found->uncertain.items[i]]->rank);
    }
    jsonw_array(w, "groups");
    for (size_t g = 0; g < found->groups.count; g++) {
        jsonw_object(w, NULL);
        write_group_ranks(w, "ranks", facts, &found->groups.items[g]);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    if (found->groups.count > 1) {
        jsonw_object(w, "first");
        jsonw_u64(w, "index", found->first);
        jsonw_array(w, "sides");
        for (size_t g = 0; g < found->groups.count; g++) {
            const struct side *side = &found->groups.items[g].side;
            jsonw_object(w, NULL);
            write_group_ranks(w, "ranks", facts, &found->groups.items[g]);
            jsonw_text(w, "key", !side->ended ? side->key : (struct slice){0});
            jsonw_bool(w, "same_key", side->ended || is_same_key(facts, &found->groups.items[g]));
            jsonw_u64(w, "alike", side->alike);
            jsonw_text(w, "value", !side->ended ? slice_first(side->value, TEXT_MAX) : (struct slice){0});
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_end_object(w);
    } else {
        jsonw_null(w, "first");
    }
    jsonw_end_object(w);
}

/* Writes a rank's compiles whose functions differ from the first rank's with the same id. */
static void write_others(struct jsonw *w, const struct rank_facts *facts, const struct map *ids, const uint32_t *frames,
                         const struct map *frame_map) {
    jsonw_array(w, "other");
    for (size_t c = 0; c < facts->compiles.count; c++) {
        assert(frames); /* there is an id, because the ids cover all ranks */
        uint32_t at = map_get(ids, facts->compiles.items[c]->id),
                 frame = map_get(frame_map, facts->compiles.items[c]->frame);
        if (frame == frames[at])
            continue;
        jsonw_array(w, NULL);
        jsonw_u64(w, NULL, at);
        jsonw_u64(w, NULL, frame);
        jsonw_end_array(w);
    }
    jsonw_end_array(w);
}

/* Writes ranks × compile ids: a letter for each outcome ("." if the rank does not have the id), the time, and ids with
 * different functions. */
static void write_matrix(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    static const char shown[] =
        {[STATUS_MISSING] = '?', [STATUS_OK] = 'o', [STATUS_RESTART] = 'r', [STATUS_EMPTY] = 'e', [STATUS_ERROR] = 'x'};
    AUTO_MAP known = {0}, frame_map = {0};
    LIST(struct slice) ids = {0}, frames = {0};
    LIST(uint32_t) of_ids = {0};
    for (size_t r = 0; r < count; r++)
        for (size_t c = 0; c < facts[r]->compiles.count; c++) {
            bool added;
            struct slice id = facts[r]->compiles.items[c]->id, frame = facts[r]->compiles.items[c]->frame;
            uint32_t at = *map_put(&frame_map, frame, (uint32_t)frames.count, &added);
            if (added)
                LIST_ADD(&frames, frame);
            map_put(&known, id, (uint32_t)ids.count, &added);
            if (added) {
                LIST_ADD(&ids, id);
                LIST_ADD(&of_ids, at);
            }
        }
    jsonw_object(w, "matrix");
    JSON_LIST(w, "ids", i, ids.count, ids.items[i]);
    JSON_LIST(w, "frames", i, frames.count, frames.items[i].ptr ? frames.items[i] : SLICE(""));
    JSON_LIST(w, "id_frames", i, of_ids.count, of_ids.items[i]);
    jsonw_array(w, "rows");
    char *row = mem_alloc(ids.count + 1);
    int64_t *times = mem_alloc((ids.count + 1) * sizeof *times);
    for (size_t r = 0; r < count; r++) {
        memset(row, '.', ids.count);
        for (size_t i = 0; i < ids.count; i++)
            times[i] = -1;
        for (size_t c = 0; c < facts[r]->compiles.count; c++) {
            uint32_t at = map_get(&known, facts[r]->compiles.items[c]->id);
            row[at] = shown[facts[r]->compiles.items[c]->status];
            times[at] = facts[r]->times_us[c];
        }
        jsonw_object(w, NULL);
        JSON_ADD(w, "dir", facts[r]->dir, "status", slice_make(row, ids.count));
        JSON_LIST(w, "time_us", i, ids.count, times[i]);
        write_others(w, facts[r], &known, of_ids.items, &frame_map);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
    mem_free(row);
    mem_free(times);
    mem_free(ids.items);
    mem_free(frames.items);
    mem_free(of_ids.items);
}

/* Writes texts. A text that differs between ranks includes the rank. */
static void write_said(struct jsonw *w, const char *key, const struct rank_facts *of, struct slice text, bool differs) {
    AUTO_BUF named = {0};
    if (differs && text.len) {
        if (of->has_rank)
            buf_addf(&named, "Rank %" PRIu64 ": ", of->rank);
        else
            buf_addf(&named, "%s: ", of->name ? of->name : of->file);
        buf_add(&named, text);
        text = buf_slice(&named);
    }
    jsonw_text(w, key, text);
}

static void write_findings(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    struct shared_findings shared;
    shared_findings_find(&shared, facts, count);
    jsonw_array(w, "rank_findings");
    for (size_t i = 0; i < shared.count; i++) {
        const struct shared_finding *item = &shared.items[i];
        const struct rank_finding *finding = item->finding;
        const struct rank_facts *of = facts[item->of];
        jsonw_object(w, NULL);
        JSON_ADD(w, "kind", finding_kind_name(finding->kind), "severity", severity_name(finding->severity), "impact",
                 impact_name(finding->impact), "cost", cost_name(finding->cost), "title", item->title);
        JSON_MEMBERS(w, finding, id, message);
        write_said(w, "why", of, finding->why, item->why_differs);
        write_said(w, "advice", of, finding->advice, item->advice_differs);
        JSON_MEMBERS(w, finding, evidence, expected);
        place_json_write(w, "place", &finding->place);
        jsonw_text(w, "code", finding->code);
        place_json_write(w, "caller", &finding->caller);
        JSON_MEMBERS(w, finding, library, time_us);
        JSON_ADD(w, "saves_us", item->saves_us, "dir", of->dir);
        JSON_LIST(w, "dirs", r, item->ranks.count, facts[item->ranks.items[r]]->dir);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_known(w, "rank_first", shared.first < shared.count ? (int64_t)shared.first : -1);
    shared_findings_finish(&shared);
}

void ranks_json_add(struct jsonw *w, const struct rank_facts *const *facts, size_t count,
                    const struct divergences *divergences, struct slice config_differences) {
    write_ranks(w, facts, count);
    jsonw_object(w, "divergence");
    for (int aspect = 0; aspect < ASPECTS; aspect++)
        write_divergence(w, facts, &divergences->of[aspect], aspect);
    causes_json_write(w, facts, divergences->causes);
    jsonw_end_object(w);
    rank_jobs_json_write(w, facts, count);
    rank_ends_json_write(w, facts, count);
    jsonw_raw(w, "rank_config_differences", config_differences);
    write_matrix(w, facts, count);
    runtime_json_write(w, facts, count);
    schedules_json_write(w, facts, count, divergences->of[ASPECT_COLLECTIVES].from);
    execution_json_write(w, facts, count, divergences->of[ASPECT_COLLECTIVES].from);
    write_findings(w, facts, count);
    cache_misses_write(w, divergences->misses, facts);
}
