#include "ranks/comparison.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "ranks/comparison_parts.h"
#include "ranks/run_match.h"
#include "report/json/place_json.h"

static bool is_wanted(size_t count, size_t a, size_t b) {
    return count <= COMPARED_ALL_MAX || a == 0 || b == a + 1;
}

void run_pairs_find(struct run_pairs *pairs, const struct rank_facts *const *facts, size_t count) {
    LIST(const struct rank_facts *) runs = {0};
    *pairs = (struct run_pairs){0};
    for (size_t i = 0; i < count; i++)
        if (!facts[i]->bad && facts[i]->run) {
            MEM_GROW(&runs);
            runs.items[runs.count++] = facts[i];
        }
    for (size_t a = 0; a < runs.count; a++)
        for (size_t b = a + 1; b < runs.count; b++) {
            if (!is_wanted(runs.count, a, b) || pairs->count == COMPARED_PAIRS_MAX) {
                pairs->more++;
                continue;
            }
            MEM_GROW(pairs);
            pairs->items[pairs->count++] = (struct run_pair){runs.items[a], runs.items[b]};
        }
    free(runs.items);
}

void run_pairs_finish(struct run_pairs *pairs) {
    free(pairs->items);
    *pairs = (struct run_pairs){0};
}

/* Two logs whose functions are compared. */
struct logs {
    bool has_rank;
    uint64_t rank;
    struct slice dirs[2];
    const struct run_facts *a, *b;
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

static void add_logs(struct log_list *logs, const struct run_pair *pair, bool has_rank, uint64_t rank) {
    struct logs found = {.has_rank = has_rank, .rank = rank};
    if (!log_of(pair->a, rank, &found.dirs[0], &found.a) || !log_of(pair->b, rank, &found.dirs[1], &found.b))
        return;
    MEM_GROW(&logs->list);
    logs->list.items[logs->list.count++] = found;
}

/* For jobs, the logs of the ranks that both have. */
static void find_logs(struct log_list *logs, const struct run_pair *pair) {
    const struct rank_facts *job = pair->a->members.count ? pair->a : pair->b;
    if (!job->members.count)
        add_logs(logs, pair, false, 0);
    for (size_t i = 0; i < job->members.count; i++)
        if (job->members.items[i].has_rank && job->members.items[i].compared)
            add_logs(logs, pair, true, job->members.items[i].rank);
}

/* Writes the findings of `of` that `not_of` does not have. Two findings are the same if kind, place and title (without
 * numbers) are. */
static uint64_t write_findings(struct jsonw *w, const char *key, const struct run_facts *of,
                               const struct run_facts *not_of) {
    struct map known = {0};
    uint64_t same = 0;
    for (size_t i = 0; i < not_of->findings.count; i++)
        map_put(&known, not_of->findings.items[i].key, 0, NULL);
    jsonw_array(w, key);
    for (size_t i = 0; i < of->findings.count; i++) {
        const struct run_finding *finding = &of->findings.items[i];
        if (map_get(&known, finding->key) != MAP_NONE) {
            same++;
            continue;
        }
        jsonw_object(w, NULL);
        jsonw_u64(w, "index", i);
        jsonw_str(w, "kind", finding_kind_name(finding->kind));
        jsonw_str(w, "severity", severity_name(finding->severity));
        jsonw_text(w, "title", finding->title);
        place_json_write(w, "place", &finding->place);
        jsonw_known(w, "time_us", finding->time_us);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    map_free(&known);
    return same;
}

static void compare_findings(struct jsonw *w, const struct run_facts *a, const struct run_facts *b) {
    jsonw_object(w, "findings");
    uint64_t same = write_findings(w, "new", b, a);
    write_findings(w, "gone", a, b);
    jsonw_u64(w, "same", same);
    jsonw_end_object(w);
}

static struct run_item *break_items(const struct run_facts *facts) {
    struct run_item *items = mem_alloc((facts->breaks.count + 1) * sizeof *items);
    for (size_t i = 0; i < facts->breaks.count; i++)
        items[i] = (struct run_item){facts->breaks.items[i].key, facts->breaks.items[i].place.line};
    return items;
}

static void write_breaks(struct jsonw *w, const char *key, const struct run_matches *matches, bool new,
                         const struct run_facts *of) {
    jsonw_array(w, key);
    for (size_t i = 0; i < matches->count; i++) {
        const struct run_match *match = &matches->items[i];
        if ((new ? match->a : match->b) != NO_MATCH)
            continue;
        const struct run_break *found = &of->breaks.items[new ? match->b : match->a];
        jsonw_object(w, NULL);
        jsonw_text(w, "id", found->id);
        jsonw_text(w, "reason", found->reason);
        place_json_write(w, "place", &found->place);
        jsonw_u64(w, "count", found->count);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void compare_breaks(struct jsonw *w, const struct run_facts *a, const struct run_facts *b) {
    struct run_item *left = break_items(a), *right = break_items(b);
    struct run_matches matches;
    uint64_t same = 0;
    run_matches_find(&matches, left, a->breaks.count, right, b->breaks.count);
    for (size_t i = 0; i < matches.count; i++)
        same += matches.items[i].a != NO_MATCH && matches.items[i].b != NO_MATCH;
    jsonw_object(w, "graph_breaks");
    write_breaks(w, "new", &matches, true, b);
    write_breaks(w, "gone", &matches, false, a);
    jsonw_u64(w, "same", same);
    jsonw_end_object(w);
    run_matches_finish(&matches);
    mem_free(left);
    mem_free(right);
}

static void write_head(struct jsonw *w, const struct run_pair *pair, const struct log_list *logs) {
    jsonw_str(w, "a", pair->a->dir);
    jsonw_str(w, "b", pair->b->dir);
    jsonw_array(w, "ranks");
    for (size_t i = 0; i < logs->list.count; i++)
        if (logs->list.items[i].has_rank)
            jsonw_u64(w, NULL, logs->list.items[i].rank);
    jsonw_end_array(w);
}

static void write_logs(struct jsonw *w, const struct logs *logs) {
    jsonw_object(w, NULL);
    jsonw_known(w, "rank", logs->has_rank ? (int64_t)logs->rank : -1);
    jsonw_texts(w, "dirs", logs->dirs, 2);
    functions_compare(w, logs->a, logs->b);
    compare_breaks(w, logs->a, logs->b);
    settings_compare(w, logs->a, logs->b);
    jsonw_end_object(w);
}

void run_pair_add(struct buf *out, const struct run_pair *pair) {
    struct jsonw w = {.out = out};
    struct log_list logs = {0};
    find_logs(&logs, pair);
    jsonw_object(&w, NULL);
    write_head(&w, pair, &logs);
    jsonw_end_object(&w);
    free(logs.list.items);
}

void run_comparison_add(struct buf *out, const struct run_pair *pair) {
    struct jsonw w = {.out = out};
    struct log_list logs = {0};
    find_logs(&logs, pair);
    jsonw_object(&w, NULL);
    write_head(&w, pair, &logs);
    figures_write(&w, pair->a, pair->b);
    compare_findings(&w, pair->a->run, pair->b->run);
    jsonw_array(&w, "logs");
    for (size_t i = 0; i < logs.list.count; i++)
        write_logs(&w, &logs.list.items[i]);
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    free(logs.list.items);
}
