#include "diverge/jobs.h"

#include "facts/rank_parts.h"

enum { JOBS_MAX = 64, NOTES_MAX = 100 };
/* Ranks of one job start together, and a rank that compiles late usually overlaps the others. But PyTorch creates a log
 * when a rank first compiles, which may be hours later, and the clock of a host may be set to local time. So only a
 * longer gap separates two jobs; the same job may run every day. */
static const int64_t apart_us = INT64_C(18) * 3600 * 1000000, doubtful_us = INT64_C(6) * 3600 * 1000000;

/* A job: the log that identifies it, and the time range of its logs. */
struct job {
    const struct rank_facts *first;
    int64_t first_us, last_us;
    uint32_t ranks;
};

static bool share_a_file(const struct rank_facts *a, const struct rank_facts *b) {
    for (size_t i = 0; i < a->frame_files.count; i++)
        for (size_t j = 0; j < b->frame_files.count; j++)
            if (slice_eq(a->frame_files.items[i], b->frame_files.items[j]))
                return true;
    return false;
}

/* Whether files have the same name: they may be copies in the folders of several nodes, so the jobs may be the same. */
static bool share_a_name(const struct rank_facts *a, const struct rank_facts *b) {
    for (size_t i = 0; i < a->frame_files.count; i++)
        for (size_t j = 0; j < b->frame_files.count; j++)
            if (slice_eq(path_last(a->frame_files.items[i]), path_last(b->frame_files.items[j])))
                return true;
    return false;
}

/* "<string>" is the start of any program under multiprocessing. */
static bool same_program(const struct rank_facts *a, const struct rank_facts *b) {
    return a->program.ptr && slice_eq(a->program, b->program) && !slice_starts(a->program, SLICE("<"));
}

enum apart { APART_NOT, APART_TORCH, APART_TIME, APART_PROGRAM };

static enum apart apart(const struct job *job, const struct job *other) {
    const struct rank_facts *a = job->first, *b = other->first;
    if (a->torch.ptr && b->torch.ptr && !slice_eq(a->torch, b->torch))
        return APART_TORCH;
    if (job->first_us > 0 && other->first_us > 0 &&
        (other->first_us - job->last_us > apart_us || job->first_us - other->last_us > apart_us))
        return APART_TIME;
    if (a->frame_files.count && b->frame_files.count && !share_a_file(a, b) && !same_program(a, b))
        return APART_PROGRAM;
    return APART_NOT;
}

static void join(struct job *job, const struct rank_facts *facts) {
    /* A log without compiles does not show its program, so a log with compiles identifies the job better. */
    if (!job->first || (!job->first->frame_files.count && facts->frame_files.count))
        job->first = facts;
    job->ranks++;
    if (facts->first_us > 0 && (!job->first_us || facts->first_us < job->first_us))
        job->first_us = facts->first_us;
    job->last_us = facts->last_us > job->last_us ? facts->last_us : job->last_us;
}

/* A log that is read later may connect two jobs. `becomes` gets the resulting job of each. */
static void merge_jobs(struct job *jobs, uint32_t count, uint32_t *becomes) {
    for (uint32_t j = 0; j < count; j++)
        becomes[j] = j;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = a + 1; b < count; b++) {
                if (becomes[a] != a || becomes[b] != b || apart(&jobs[a], &jobs[b]) != APART_NOT)
                    continue;
                uint32_t ranks = jobs[b].ranks;
                join(&jobs[a], jobs[b].first);
                jobs[a].ranks += ranks - 1;
                if (jobs[b].first_us > 0 && (!jobs[a].first_us || jobs[b].first_us < jobs[a].first_us))
                    jobs[a].first_us = jobs[b].first_us;
                jobs[a].last_us = jobs[b].last_us > jobs[a].last_us ? jobs[b].last_us : jobs[a].last_us;
                jobs[b].ranks = 0;
                for (uint32_t c = 0; c < count; c++)
                    becomes[c] = becomes[c] == b ? a : becomes[c];
                changed = true;
            }
    }
}

void rank_jobs_find(struct rank_facts *const *facts, size_t count) {
    struct job jobs[JOBS_MAX] = {0};
    uint32_t job_count = 0, main = 0, becomes[JOBS_MAX];
    for (size_t i = 0; i < count; i++) {
        uint32_t job = 0;
        struct job alone = {0};
        facts[i]->job = 0;
        if (!rank_is_taken(facts[i]))
            continue;
        join(&alone, facts[i]);
        while (job < job_count && job + 1 < JOBS_MAX && apart(&jobs[job], &alone) != APART_NOT)
            job++;
        job_count = job < job_count ? job_count : job + 1;
        join(&jobs[job], facts[i]);
        facts[i]->job = job;
    }
    merge_jobs(jobs, job_count, becomes);
    for (uint32_t j = 1; j < job_count; j++)
        if (jobs[j].ranks > jobs[main].ranks ||
            (jobs[j].ranks == jobs[main].ranks && jobs[j].last_us > jobs[main].last_us))
            main = j;
    for (size_t i = 0; i < count && job_count; i++) {
        if (!rank_is_taken(facts[i]))
            continue;
        uint32_t job = becomes[facts[i]->job];
        facts[i]->job = job == main ? 0 : job == 0 ? main : job;
    }
}

struct world rank_world(const struct rank_facts *const *facts, size_t count) {
    struct world_hints hints = {0};
    struct world world = {0};
    uint64_t highest = 0;
    for (size_t i = 0; i < count; i++) {
        if (!facts[i]->has_rank || facts[i]->job != 0)
            continue;
        highest = facts[i]->rank >= highest ? facts[i]->rank + 1 : highest;
        world_hints_add(&hints, &facts[i]->world);
    }
    if (hints.size && !hints.contradicts && hints.size >= highest && hints.size >= hints.at_least) {
        world.size = world.at_least = hints.size;
        world.from = "the default process group in the graphs";
        return world;
    }
    world.claimed = hints.size && hints.size < highest ? hints.size : 0;
    world.at_least = highest;
    world.from = highest ? "the highest rank that has a log" : NULL;
    if (hints.at_least > highest) {
        world.at_least = hints.at_least;
        world.from = hints.at_least_from;
    }
    if (hints.size > world.at_least) {
        world.at_least = hints.size;
        world.from = "a process group in the graphs";
    }
    return world;
}

struct notes {
    struct jsonw *w;
    const struct rank_facts *const *facts;
    size_t count, written;
};

static void write_ranks_of(struct jsonw *w, const struct rank_facts *const *facts, const uint32_t *places,
                           size_t count) {
    JSON_LIST(w, "ranks", i, count, facts[places[i]]->rank);
}

static void write_note(struct notes *notes, const char *kind, const struct buf *title, const char *why,
                       const uint32_t *places, size_t count) {
    if (notes->written++ >= NOTES_MAX)
        return;
    jsonw_object(notes->w, NULL);
    jsonw_str(notes->w, "kind", kind);
    jsonw_text(notes->w, "title", buf_slice(title));
    jsonw_str(notes->w, "why", why);
    write_ranks_of(notes->w, notes->facts, places, count);
    jsonw_end_object(notes->w);
}

static void add_distance(struct buf *out, int64_t us) {
    int64_t hours = (us + 1800000000) / 3600000000;
    buf_addf(out, hours >= 48 ? "%" PRId64 " days" : "%" PRId64 " hours", hours >= 48 ? (hours + 12) / 24 : hours);
}

/* Notes logs that do not belong to the job with the most logs. */
static void note_jobs(struct notes *notes, uint32_t *places) {
    struct job main = {0};
    for (size_t i = 0; i < notes->count; i++)
        if (rank_is_taken(notes->facts[i]) && notes->facts[i]->job == 0)
            join(&main, notes->facts[i]);
    if (!main.first)
        return;
    for (uint32_t job = 1; job < JOBS_MAX; job++) {
        struct job other = {0};
        size_t count = 0;
        for (size_t i = 0; i < notes->count; i++)
            if (rank_is_taken(notes->facts[i]) && notes->facts[i]->job == job) {
                places[count++] = (uint32_t)i;
                join(&other, notes->facts[i]);
            }
        if (!count)
            continue;
        AUTO_BUF title = {0};
        enum apart why = apart(&main, &other);
        int64_t gap = other.first_us > main.last_us ? other.first_us - main.last_us : main.first_us - other.last_us;
        buf_addf(&title, "%s of ", count == 1 ? "the log" : "the logs");
        rank_words_add(&title, notes->facts, places, count);
        bool perhaps = why == APART_PROGRAM && share_a_name(main.first, other.first);
        buf_addf(&title, " %s from another job: ", perhaps ? "may be" : count == 1 ? "is" : "are");
        if (why == APART_TORCH) {
            BUF_ADD(&title, "PyTorch ", slice_first(other.first->torch, 100), ", not ",
                    slice_first(main.first->torch, 100));
        } else if (perhaps) {
            buf_add_lit(&title, "the compiled files have the same names, but are in other folders");
        } else if (why == APART_PROGRAM) {
            buf_add_lit(&title, "no compiled frame is in a file in which the others have frames");
        } else {
            buf_add_lit(&title, "recorded ");
            add_distance(&title, gap);
            buf_addf(&title, " %s the others", other.first_us > main.last_us ? "after" : "before");
        }
        write_note(notes, "different_jobs", &title,
                   "These logs are not compared: differences between jobs are not rank divergence.", places, count);
    }
}

static int by_begin(const void *a, const void *b) {
    const struct rank_facts *x = *(const struct rank_facts *const *)a, *y = *(const struct rank_facts *const *)b;
    return x->first_us != y->first_us ? (x->first_us < y->first_us ? -1 : 1)
                                      : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Notes logs of the job that begin hours after the others have ended, or end hours before: too close to be certain that
 * they belong to another job. */
static void note_gap(struct notes *notes, uint32_t *places) {
    const struct rank_facts **list = mem_alloc((notes->count + 1) * sizeof *list);
    size_t count = 0, named = 0, at = 1;
    for (size_t i = 0; i < notes->count; i++)
        if (rank_is_compared(notes->facts[i]) && notes->facts[i]->first_us > 0)
            list[count++] = notes->facts[i];
    if (count)
        qsort(list, count, sizeof *list, by_begin);
    int64_t end = count ? list[0]->last_us : 0;
    for (; at < count && list[at]->first_us - end <= doubtful_us; at++)
        end = list[at]->last_us > end ? list[at]->last_us : end;
    if (at < count) {
        bool later = at > count - at; /* the smaller part is listed; if both are equal, the first */
        int64_t begin = list[at]->first_us;
        for (size_t i = 0; i < notes->count; i++) {
            const struct rank_facts *facts = notes->facts[i];
            if (rank_is_compared(facts) && facts->first_us > 0 && (facts->first_us >= begin) == later)
                places[named++] = (uint32_t)i;
        }
        AUTO_BUF title = {0};
        buf_addf(&title, "%s of ", named == 1 ? "the log" : "the logs");
        rank_words_add(&title, notes->facts, places, named);
        buf_addf(&title, " %s ", later ? (named == 1 ? "begins" : "begin") : (named == 1 ? "ends" : "end"));
        add_distance(&title, begin - end);
        buf_add_str(&title, later ? " after the others end" : " before the others begin");
        write_note(notes, "recorded_apart", &title,
                   "Either a rank compiles late, or the clock of a host is wrong, or these are logs of two jobs.",
                   places, named);
    }
    mem_free(list);
}

/* Notes logs that are copies: two processes would not have their first and last events in the same microseconds. */
static void note_copies(struct notes *notes, uint32_t *places) {
    AUTO_MAP known = {0};
    uint32_t *group = mem_alloc((notes->count + 1) * sizeof *group), groups = 0;
    for (size_t i = 0; i < notes->count; i++) {
        const struct rank_facts *facts = notes->facts[i];
        int64_t times[2] = {facts->first_us, facts->last_us};
        bool added;
        group[i] = MAP_NONE;
        if (!rank_is_taken(facts) || facts->first_us <= 0 || facts->last_us <= facts->first_us)
            continue;
        group[i] = *map_put(&known, slice_make((const char *)times, sizeof times), groups, &added);
        groups += added;
    }
    uint32_t *counts = mem_zalloc(groups + 1, sizeof *counts);
    for (size_t i = 0; i < notes->count; i++)
        if (group[i] != MAP_NONE)
            counts[group[i]]++;
    for (uint32_t g = 0, named = 0; g < groups && named < NOTES_MAX; g++) {
        AUTO_BUF title = {0};
        size_t count = 0;
        if (counts[g] < 2)
            continue;
        for (size_t i = 0; i < notes->count; i++)
            if (group[i] == g)
                places[count++] = (uint32_t)i;
        buf_add_lit(&title, "the logs of ");
        rank_words_add(&title, notes->facts, places, count);
        buf_add_lit(&title, " are copies of one log: their first and last events are at the same microsecond");
        write_note(notes, "copies", &title, "Copies always agree, so this comparison does not show that the ranks do.",
                   places, count);
        named++;
    }
    mem_free(counts);
    mem_free(group);
}

static void note_own_ranks(struct notes *notes) {
    for (size_t i = 0; i < notes->count; i++) {
        const struct rank_facts *facts = notes->facts[i];
        uint32_t place = (uint32_t)i;
        AUTO_BUF title = {0};
        if (!facts->has_rank || facts->bad || !facts->has_own_rank || facts->own_rank == facts->rank)
            continue;
        buf_addf(&title, "the log of rank %" PRIu64 " has records of rank %" PRIu64, facts->rank, facts->own_rank);
        write_note(notes, "other_rank", &title, "The file name and the records of the log name different ranks.",
                   &place, 1);
    }
}

static void note_world(struct notes *notes, const struct world *world) {
    AUTO_BUF title = {0};
    if (!world->claimed)
        return;
    buf_addf(&title, "the graphs say that the job has %" PRIu64 " ranks, but there are logs up to rank %" PRIu64,
             world->claimed, world->at_least - 1);
    write_note(notes, "world_size", &title, "Logs of several jobs, or of several process groups, may be mixed here.",
               NULL, 0);
}

void rank_jobs_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    struct world world = rank_world(facts, count);
    struct notes notes = {w, facts, count, 0};
    uint32_t *places = mem_alloc((count + 1) * sizeof *places);
    jsonw_object(w, "world");
    JSON_ADD(w, "size", world.size ? (int64_t)world.size : -1, "at_least",
             world.at_least ? (int64_t)world.at_least : -1, "from",
             world.from ? slice_str(world.from) : (struct slice){0});
    jsonw_end_object(w);
    jsonw_array(w, "ranks_notes");
    note_jobs(&notes, places);
    note_gap(&notes, places);
    note_copies(&notes, places);
    note_own_ranks(&notes);
    note_world(&notes, &world);
    jsonw_end_array(w);
    mem_free(places);
}
