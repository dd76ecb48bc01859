#include "trace/choice.h"

enum { JOBS_MAX = 256 }; /* folders beyond this share the last job */

/* Logs that belong to one job regardless of their ranks: those of a folder, or of an argument. */
struct origin {
    struct slice path;
    size_t job, first, last; /* first and last item of its list */
    bool has_rank;
};

struct finding {
    struct choice *choice;
    struct origin *origins;
    size_t count;
    uint32_t *of_item;
    size_t *next_item; /* next item of the same origin, or SIZE_MAX */
    struct map ranks;  /* job and rank → 1 */
    size_t jobs;
    struct slice parents[JOBS_MAX];
};

static struct slice without_slashes(struct slice path) {
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return path;
}

struct slice choice_folder_of(struct slice path) {
    path = without_slashes(path);
    size_t slash = slice_rfind_byte(path, '/');
    return slash == SIZE_MAX ? SLICE("") : slice_first(path, slash);
}

/* Two logs of one rank that were both given by name are two runs. Other logs of one folder belong to one job. */
static bool are_two_of_a_rank(const struct choice *choice, const char *const *paths) {
    const struct choice_log *a = &choice->items[0], *b = &choice->items[choice->count - 1];
    return choice->count == 2 && a->has_rank && b->has_rank && a->rank == b->rank && a->argument != b->argument &&
           strcmp(a->path, paths[a->argument]) == 0 && strcmp(b->path, paths[b->argument]) == 0;
}

static struct slice origin_path(const struct choice *choice, const struct choose_request *request,
                                const char *const *paths, const struct choice_log *log) {
    bool one = request->path_count < 2, named = strcmp(log->path, paths[log->argument]) == 0;
    if (request->compare && one)
        return choice_folder_of(slice_str(log->path));
    if (request->compare || !named || are_two_of_a_rank(choice, paths))
        return slice_str(paths[log->argument]);
    return choice_folder_of(slice_str(log->path));
}

static void find_origins(struct finding *finding, const struct choose_request *request, const char *const *paths) {
    const struct choice *choice = finding->choice;
    AUTO_MAP known = {0};
    for (size_t i = 0; i < choice->count; i++) {
        struct slice path = without_slashes(origin_path(choice, request, paths, &choice->items[i]));
        bool added;
        uint32_t at = *map_put(&known, path, (uint32_t)finding->count, &added);
        struct origin *origin = &finding->origins[at];
        finding->of_item[i] = at;
        finding->next_item[i] = SIZE_MAX;
        if (added) {
            finding->count++;
            *origin = (struct origin){.path = path, .job = SIZE_MAX, .first = i, .last = i};
        } else {
            finding->next_item[origin->last] = i;
            origin->last = i;
        }
        origin->has_rank |= choice->items[i].has_rank;
    }
}

static bool has_rank_in(struct finding *finding, size_t job, uint64_t rank, bool add) {
    const uint64_t key[2] = {job, rank};
    struct slice text = slice_make((const char *)key, sizeof key);
    if (add)
        map_put(&finding->ranks, text, 1, NULL);
    return map_get(&finding->ranks, text) != MAP_NONE;
}

/* Whether the job already has a rank of the origin. Notes the lowest such rank. */
static bool shares_rank(struct finding *finding, const struct origin *origin, size_t job, uint64_t *rank) {
    bool found = false;
    for (size_t i = origin->first; i != SIZE_MAX; i = finding->next_item[i]) {
        const struct choice_log *log = &finding->choice->items[i];
        if (!log->has_rank || !has_rank_in(finding, job, log->rank, false))
            continue;
        *rank = found && *rank < log->rank ? *rank : log->rank;
        found = true;
    }
    return found;
}

static void join(struct finding *finding, struct origin *origin, size_t job) {
    origin->job = job;
    for (size_t i = origin->first; i != SIZE_MAX; i = finding->next_item[i])
        if (finding->choice->items[i].has_rank)
            has_rank_in(finding, job, finding->choice->items[i].rank, true);
}

static size_t new_job(struct finding *finding, const struct origin *origin) {
    if (finding->jobs == JOBS_MAX)
        return JOBS_MAX - 1;
    finding->parents[finding->jobs] = choice_folder_of(origin->path);
    return finding->jobs++;
}

/* The job of an origin with ranks: one without any of these ranks, preferably in the same folder; otherwise a new one.
 */
static void place(struct finding *finding, struct origin *origin, bool apart) {
    struct choice *choice = finding->choice;
    size_t best = SIZE_MAX;
    for (size_t job = 0; job < finding->jobs && !apart; job++) {
        uint64_t rank = 0;
        bool same = slice_eq(finding->parents[job], choice_folder_of(origin->path));
        if (shares_rank(finding, origin, job, &rank)) {
            if (!choice->has_shared_rank)
                choice->shared_rank = rank;
            choice->has_shared_rank = true;
        } else if (best == SIZE_MAX || (same && !slice_eq(finding->parents[best], finding->parents[job]))) {
            best = job;
        }
    }
    join(finding, origin, best != SIZE_MAX ? best : new_job(finding, origin));
}

/* The job of an origin without ranks. */
static void place_rankless(struct finding *finding, struct origin *origin, bool apart) {
    size_t job = 0;
    if (apart) {
        origin->job = new_job(finding, origin);
        return;
    }
    while (job < finding->jobs && !slice_eq(finding->parents[job], choice_folder_of(origin->path)))
        job++;
    origin->job = job < finding->jobs ? job : 0;
}

/* Names each job: by its folder, by the parent folder of several, or by its only log. */
static void name_jobs(const struct finding *finding, struct choice_jobs *jobs) {
    size_t *origins = mem_zalloc(finding->jobs + 1, sizeof *origins);
    for (size_t i = 0; i < finding->count; i++) {
        const struct origin *origin = &finding->origins[i];
        bool single = origin->first == origin->last;
        jobs->paths[origin->job] = origins[origin->job]++ ? choice_folder_of(origin->path)
                                 : single                 ? slice_str(finding->choice->items[origin->first].path)
                                                          : origin->path;
    }
    mem_free(origins);
}

void choice_jobs_find(struct choice *choice, const struct choose_request *request, const char *const *paths,
                      struct choice_jobs *jobs) {
    struct finding finding = {.choice = choice};
    size_t with_rank = 0;
    finding.origins = mem_zalloc(choice->count + 1, sizeof *finding.origins);
    finding.of_item = mem_zalloc(choice->count + 1, sizeof *finding.of_item);
    finding.next_item = mem_zalloc(choice->count + 1, sizeof *finding.next_item);
    find_origins(&finding, request, paths);
    bool arguments = request->compare && request->path_count > 1;
    for (size_t i = 0; i < finding.count; i++)
        if (finding.origins[i].has_rank) {
            place(&finding, &finding.origins[i], arguments);
            with_rank++;
        }
    for (size_t i = 0; i < finding.count; i++)
        if (!finding.origins[i].has_rank)
            place_rankless(&finding, &finding.origins[i],
                           arguments || (finding.count == 2 && request->path_count == 2));
    for (size_t i = 0; i < choice->count; i++)
        choice->items[i].job = finding.origins[finding.of_item[i]].job;
    choice->hosts = finding.jobs == 1 && with_rank > 1 ? with_rank : 0;
    jobs->count = finding.jobs;
    jobs->paths = mem_zalloc(finding.jobs + 1, sizeof *jobs->paths);
    name_jobs(&finding, jobs);
    map_free(&finding.ranks);
    mem_free(finding.origins);
    mem_free(finding.of_item);
    mem_free(finding.next_item);
}

void choice_jobs_finish(struct choice_jobs *jobs) {
    mem_free(jobs->paths);
    *jobs = (struct choice_jobs){0};
}
