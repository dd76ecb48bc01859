#include "facts/rank_parts.h"

#include "facts/shared_findings.h"

static struct slice copy(struct rank_facts *job, struct slice text) {
    return text.ptr ? arena_slice(&job->arena, text) : text;
}

/* The folder of a rank, relative to the report that contains the job. */
static struct slice path_of(struct rank_facts *job, struct slice dir) {
    struct buf path = {0};
    buf_addf(&path, "%s/%.*s", job->dir, SLICE_ARG(dir));
    return arena_keep(&job->arena, &path);
}

static void take_files(struct rank_facts *job, const struct rank_facts *facts) {
    for (size_t i = 0; i < facts->files.count; i++) {
        ARENA_GROW(&job->arena, &job->files);
        struct log_file *kept = &job->files.items[job->files.count++];
        *kept = facts->files.items[i];
        kept->name = copy(job, kept->name);
        kept->damage = copy(job, kept->damage);
    }
    if (!facts->files.count)
        ARENA_ADD(&job->arena, &job->files,
                  (struct log_file){.name = copy(job, slice_str(facts->file)),
                                    .damage = copy(job, slice_str(facts->error))});
}

/* Moves the compared data from the log to the job. */
static void take_member(struct rank_facts *job, struct rank_facts *facts) {
    ARENA_ADD(&job->arena, &job->members,
              (struct rank_member){.has_rank = facts->has_rank,
                                   .rank = facts->rank,
                                   .time_us = rank_time_us(facts),
                                   .dir = path_of(job, slice_str(facts->dir)),
                                   .run = facts->run,
                                   .bad = facts->bad,
                                   .compared = rank_is_compared(facts)});
    facts->run = NULL;
}

/* Takes each finding of the ranks once, as in rank_findings of the job's report. */
static void take_findings(struct rank_facts *job, const struct rank_facts *const *facts, size_t count) {
    struct shared_findings shared;
    shared_findings_find(&shared, facts, count);
    job->run = run_facts_create();
    for (size_t i = 0; i < shared.count; i++) {
        const struct rank_finding *found = shared.items[i].finding;
        run_facts_add_finding(job->run, &(struct run_finding){.kind = found->kind,
                                                              .severity = found->severity,
                                                              .title = shared.items[i].title,
                                                              .place = found->place,
                                                              .time_us = found->time_us});
    }
    shared_findings_finish(&shared);
}

/* Open spans keep their rank and its folder. */
static void take_unfinished(struct rank_facts *job, const struct rank_facts *facts) {
    for (size_t i = 0; i < facts->unfinished.count && job->unfinished.count < RANK_SPANS_MAX && !facts->older; i++) {
        struct rank_span span = facts->unfinished.items[i];
        span.name = copy(job, span.name);
        span.compile = copy(job, span.compile);
        span.frame = copy(job, span.frame);
        span.process = copy(job, span.process);
        span.thread = copy(job, span.thread);
        span.place.file = copy(job, span.place.file);
        span.place.function = copy(job, span.place.function);
        span.dir = path_of(job, slice_str(facts->dir));
        span.has_rank = facts->has_rank;
        span.rank = facts->rank;
        ARENA_ADD(&job->arena, &job->unfinished, span);
    }
}

/* Adds to a sum, from which the job keeps the same parts as from a log's timeline. */
static void add_timeline(struct timeline **sum, struct rank_facts *job, const struct rank_facts *facts) {
    if (!facts->timeline)
        return;
    if (!*sum)
        *sum = timeline_create(NULL);
    size_t tracks = (*sum)->tracks.count;
    rank_timeline_add(*sum, facts->timeline, facts->has_rank, facts->rank, slice_str(facts->dir));
    for (; tracks < (*sum)->tracks.count; tracks++) {
        struct timeline_track *track = &(*sum)->tracks.items[tracks];
        track->dir = path_of(job, track->dir);
    }
}

static void take_one(struct rank_facts *job, struct rank_facts *facts, struct timeline **timeline) {
    const struct slice *from[] = {&facts->torch, &facts->python, &facts->cuda, &facts->triton};
    struct slice *to[] = {&job->torch, &job->python, &job->cuda, &job->triton};
    take_member(job, facts);
    take_files(job, facts);
    if (facts->bad)
        return;
    job->bad = false;
    job->empty &= facts->empty;
    job->bytes += facts->bytes;
    job->events += facts->events;
    for (size_t f = 0; f < sizeof from / sizeof *from; f++)
        if (!to[f]->ptr)
            *to[f] = copy(job, *from[f]);
    if (facts->first_us && (!job->first_us || facts->first_us < job->first_us))
        job->first_us = facts->first_us;
    job->last_us = facts->last_us > job->last_us ? facts->last_us : job->last_us;
    if (facts->run_first_us && (!job->run_first_us || facts->run_first_us < job->run_first_us))
        job->run_first_us = facts->run_first_us;
    job->run_last_us = facts->run_last_us > job->run_last_us ? facts->run_last_us : job->run_last_us;
    job->inside.compiles += facts->compiles.count;
    job->inside.findings += facts->findings.count;
    for (size_t c = 0; c < facts->compiles.count; c++)
        job->inside.failed += facts->compiles.items[c]->status == STATUS_ERROR;
    job->inside.time_us += rank_time_us(facts);
    if (facts->ran && facts->ran->step_ns > job->inside.step_ns)
        job->inside.step_ns = facts->ran->step_ns;
    take_unfinished(job, facts);
    add_timeline(timeline, job, facts);
}

void job_facts_take(struct rank_facts *job, struct rank_facts *const *facts, size_t count, const char *dir,
                    const char *name) {
    const struct rank_facts *const *all = (const struct rank_facts *const *)facts;
    struct view_sums sums;
    *job = (struct rank_facts){.bad = true, .empty = true};
    job->dir = arena_str(&job->arena, slice_str(dir));
    job->file = job->name = arena_str(&job->arena, slice_str(name));
    rank_sums_add(all, count, &job->totals, &sums);
    take_findings(job, all, count);
    job->graph_breaks = sums.graph_breaks;
    job->failures = sums.failures;
    memcpy(job->counters, sums.counters, sizeof job->counters);
    memcpy(job->cache_counts, sums.cache_counts, sizeof job->cache_counts);
    struct timeline *timeline = NULL;
    for (size_t i = 0; i < count; i++)
        take_one(job, facts[i], &timeline);
    job->timeline = rank_timeline_take(timeline, false, 0, &job->arena);
    timeline_destroy(timeline);
    if (job->bad)
        job->error = "none of its logs can be read";
}
