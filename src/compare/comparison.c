#include "compare/comparison.h"

#include "compare/comparison_parts.h"

static bool is_wanted(size_t count, size_t a, size_t b) {
    return count <= COMPARED_ALL_MAX || a == 0 || b == a + 1;
}

static void add_pair(struct run_pairs *pairs, struct run_side a, struct run_side b) {
    LIST_ADD(pairs, (struct run_pair){a, b});
}

void run_pairs_find(struct run_pairs *pairs, const struct rank_facts *const *facts, size_t count, size_t base_count) {
    const struct rank_facts **runs = mem_alloc((count + 1) * sizeof *runs);
    size_t n = 0, bases = 0;
    *pairs = (struct run_pairs){.runs = runs};
    for (size_t i = 0; i < count; i++)
        if (!facts[i]->bad && facts[i]->run) {
            bases += i < base_count;
            runs[n++] = facts[i];
        }
    if (base_count) {
        if (bases && n > bases)
            add_pair(pairs, run_side_of(runs, bases), run_side_of(runs + bases, n - bases));
        return;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            if (is_wanted(n, a, b) && pairs->count < COMPARED_PAIRS_MAX)
                add_pair(pairs, run_side_of(&runs[a], 1), run_side_of(&runs[b], 1));
            else
                pairs->more++;
}

void run_pairs_finish(struct run_pairs *pairs) {
    mem_free(pairs->items);
    mem_free(pairs->runs);
    *pairs = (struct run_pairs){0};
}

/* The logs whose functions are compared: one log of each run, all of the same rank. */
struct logs {
    bool has_rank;
    uint64_t rank;
    struct slice dirs[SIDES]; /* folders of the shown logs */
    struct side_logs sides[SIDES];
};
struct log_list {
    LIST(struct logs) list;
};

/* The log of this rank, or the log itself if the run is not a job. */
static bool log_of(const struct rank_facts *run, uint64_t rank, struct slice *dir, const struct run_facts **facts) {
    *dir = slice_str(run->dir);
    *facts = run->run;
    if (!run->members.count)
        return true;
    for (size_t i = 0; i < run->members.count; i++) {
        const struct rank_member *member = &run->members.items[i];
        if (!member->compared || !member->has_rank || member->rank != rank || !member->run)
            continue;
        *dir = member->dir;
        *facts = member->run;
        return true;
    }
    return false;
}

/* The logs of the rank on one side. Runs without the rank are left out, but the side needs its shown run. */
static bool find_side(struct side_logs *logs, struct slice *dir, const struct run_side *side, uint64_t rank) {
    if (!log_of(side->shown, rank, dir, &logs->shown))
        return false;
    for (size_t i = 0; i < side->count; i++) {
        const struct run_facts *facts;
        struct slice of_run;
        if (!log_of(side->runs[i], rank, &of_run, &facts))
            continue;
        LIST_ADD(&logs->all, facts);
    }
    return true;
}

static void logs_finish(struct logs *logs) {
    for (size_t side = 0; side < SIDES; side++)
        mem_free(logs->sides[side].all.items);
}

static void add_logs(struct log_list *list, const struct run_pair *pair, bool has_rank, uint64_t rank) {
    struct logs found = {.has_rank = has_rank, .rank = rank};
    if (!find_side(&found.sides[0], &found.dirs[0], &pair->a, rank) ||
        !find_side(&found.sides[1], &found.dirs[1], &pair->b, rank)) {
        logs_finish(&found);
        return;
    }
    LIST_ADD(&list->list, found);
}

/* For jobs, the logs of the ranks that both have. */
static void find_logs(struct log_list *logs, const struct run_pair *pair) {
    const struct rank_facts *job = pair->a.shown->members.count ? pair->a.shown : pair->b.shown;
    if (!job->members.count)
        add_logs(logs, pair, false, 0);
    for (size_t i = 0; i < job->members.count; i++)
        if (job->members.items[i].has_rank && job->members.items[i].compared)
            add_logs(logs, pair, true, job->members.items[i].rank);
}

static void log_list_finish(struct log_list *logs) {
    for (size_t i = 0; i < logs->list.count; i++)
        logs_finish(&logs->list.items[i]);
    mem_free(logs->list.items);
}

/* The renamed functions in the logs of all ranks. */
static void find_renames(struct renames *renames, const struct log_list *logs) {
    for (size_t i = 0; i < logs->list.count; i++)
        functions_renamed(renames, logs->list.items[i].sides[0].shown, logs->list.items[i].sides[1].shown);
}

static void write_head(struct jsonw *w, const struct run_pair *pair, const struct log_list *logs) {
    const struct run_side *sides[SIDES] = {&pair->a, &pair->b};
    JSON_ADD(w, "a", pair->a.shown->dir, "b", pair->b.shown->dir);
    if (pair->a.count > 1 || pair->b.count > 1) {
        jsonw_array(w, "sides");
        for (size_t side = 0; side < SIDES; side++) {
            JSON_LIST(w, NULL, i, sides[side]->count, sides[side]->runs[i]->dir);
        }
        jsonw_end_array(w);
    }
    jsonw_array(w, "ranks");
    for (size_t i = 0; i < logs->list.count; i++)
        if (logs->list.items[i].has_rank)
            jsonw_u64(w, NULL, logs->list.items[i].rank);
    jsonw_end_array(w);
}

static void write_logs(struct jsonw *w, const struct logs *logs, const struct renames *renames) {
    jsonw_object(w, NULL);
    jsonw_known(w, "rank", logs->has_rank ? (int64_t)logs->rank : -1);
    jsonw_texts(w, "dirs", logs->dirs, 2);
    functions_compare(w, &logs->sides[0], &logs->sides[1], renames);
    breaks_compare(w, &logs->sides[0], &logs->sides[1], renames);
    settings_compare(w, logs->sides[0].shown, logs->sides[1].shown);
    effects_compare(w, logs->sides[0].shown, logs->sides[1].shown);
    jsonw_end_object(w);
}

void run_pair_add(struct buf *out, const struct run_pair *pair) {
    struct jsonw w = {.out = out};
    struct log_list logs = {0};
    find_logs(&logs, pair);
    jsonw_object(&w, NULL);
    write_head(&w, pair, &logs);
    jsonw_end_object(&w);
    log_list_finish(&logs);
}

void run_comparison_add(struct buf *out, const struct run_pair *pair) {
    struct jsonw w = {.out = out};
    struct log_list logs = {0};
    struct renames renames = {0};
    find_logs(&logs, pair);
    jsonw_object(&w, NULL);
    write_head(&w, pair, &logs);
    figures_write(&w, &pair->a, &pair->b);
    find_renames(&renames, &logs);
    findings_compare(&w, &pair->a, &pair->b, &renames);
    jsonw_array(&w, "logs");
    for (size_t i = 0; i < logs.list.count; i++)
        write_logs(&w, &logs.list.items[i], &renames);
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    renames_free(&renames);
    log_list_finish(&logs);
}
