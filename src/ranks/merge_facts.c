#include "ranks/merge_facts.h"

#include <sys/stat.h>

#include "facts/facts_file.h"
#include "ranks/plan.h"
#include "ranks/representatives.h"
#include "ranks/together.h"
#include "sink/assets.h"
#include "sink/spool.h"
#include "trace/choice.h"
#include "trace/source.h"

struct merge {
    const struct merge_request *request;
    const struct ranks_watcher *watcher;
    struct merge_result *result;
    struct facts_set *set;
    struct facts_log *logs; /* the logs that count, in the order of the report */
    size_t count;
    bool whole; /* all logs of the report are here, so it will not be merged again */
    struct rank_facts **facts;
    struct key_store *keys;
};

static void tell(const struct merge *merge, const char *path, const char *what, const char *why) {
    if (merge->watcher->fault)
        merge->watcher->fault(merge->watcher->context, path, what, 0, slice_str(why));
}

/* Notes an unread file. The report mentions it, too. */
static void note_unread(struct merge *merge, const char *path, const char *why) {
    struct facts_set *set = merge->set;
    AUTO_BUF text = {0};
    BUF_ADD(&text, source_shown(path), ": ", why);
    ARENA_ADD(&set->arena, &set->unread, arena_slice(&set->arena, buf_slice(&text)));
}

static bool read_source(struct merge *merge, const char *path, struct err *err) {
    struct source source;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return err_set(err, ERR_INPUT, "it is a folder; name the files in it, such as %s/*.facts", path);
    if (!source_open_from(&source, merge->request->options.remote, path, &path, 1, err))
        return false;
    bool good = facts_set_read(merge->set, &source, err);
    source_close(&source);
    return good;
}

static void read_files(struct merge *merge) {
    const struct merge_request *request = merge->request;
    struct unpacker *unpacker = unpacker_create(request->paths, request->count, request->options.workers);
    for (size_t i = 0; i < request->count; i++) {
        size_t before = merge->set->logs.count;
        struct err err = {0};
        struct slice text = unpacker_next(unpacker);
        merge->result->files++;
        if (text.ptr ? facts_set_read_text(merge->set, text, &err) : read_source(merge, request->paths[i], &err))
            continue;
        bool part = merge->set->logs.count > before;
        char *why = mem_printf("%s%s", err.text, part ? "; the facts before it count" : "");
        tell(merge, request->paths[i], part ? "read a part of these facts" : "skipped these facts", why);
        merge->result->files_unread++;
        note_unread(merge, request->paths[i], why);
        mem_free(why);
    }
    unpacker_destroy(unpacker);
}

static struct slice first_path(const struct rank_facts *facts) {
    return facts->paths.count ? facts->paths.items[0] : slice_str(facts->file);
}

static int by_number(bool has_one, uint64_t one, bool has_other, uint64_t other) {
    if (has_one != has_other)
        return has_one ? -1 : 1;
    return !has_one || one == other ? 0 : one < other ? -1 : 1;
}

static int by_log(const struct rank_facts *x, const struct rank_facts *y) {
    int order = slice_cmp(first_path(x), first_path(y));
    return order ? order : slice_cmp(x->host, y->host);
}

static int by_own_rank(const struct rank_facts *x, const struct rank_facts *y) {
    return by_number(x->has_own_rank, x->own_rank, y->has_own_rank, y->own_rank);
}

static int by_first_time(const struct rank_facts *x, const struct rank_facts *y) {
    return by_number(x->first_us > 0, (uint64_t)x->first_us, y->first_us > 0, (uint64_t)y->first_us);
}

/* Whether its records distinguish it from other logs of the same name: logs from standard input, and from containers
 * whose hosts have the same name. */
static bool is_told_apart(const struct rank_facts *facts) {
    return slice_is(first_path(facts), "-") || (facts->has_own_rank && facts->first_us > 0);
}

/* The same file on the same host. */
static int by_place(const struct rank_facts *x, const struct rank_facts *y) {
    int order = by_log(x, y);
    if (!order)
        order = by_number(x->has_rank, x->rank, y->has_rank, y->rank);
    if (!order)
        order = by_number(is_told_apart(x), 0, is_told_apart(y), 0);
    if (!order && is_told_apart(x))
        order = by_own_rank(x, y);
    return !order && is_told_apart(x) ? by_first_time(x, y) : order;
}

/* The same log, at another time or seen from another host: its name and beginning are the same. */
static int by_beginning(const struct rank_facts *x, const struct rank_facts *y) {
    int order = slice_cmp(path_last(first_path(x)), path_last(first_path(y)));
    if (!order)
        order = by_number(x->has_rank, x->rank, y->has_rank, y->rank);
    return order ? order : by_first_time(x, y);
}

static int newest_first(const struct facts_log *x, const struct facts_log *y) {
    if (x->made_us != y->made_us)
        return x->made_us > y->made_us ? -1 : 1;
    if (x->facts->bytes != y->facts->bytes)
        return x->facts->bytes > y->facts->bytes ? -1 : 1;
    return by_log(x->facts, y->facts);
}

static int by_place_and_age(const void *a, const void *b) {
    const struct facts_log *x = a, *y = b;
    int order = by_place(x->facts, y->facts);
    return order ? order : newest_first(x, y);
}

static int by_beginning_and_age(const void *a, const void *b) {
    const struct facts_log *x = a, *y = b;
    int order = by_beginning(x->facts, y->facts);
    return order ? order : newest_first(x, y);
}

static bool same_place(const struct rank_facts *x, const struct rank_facts *y) {
    return by_place(x, y) == 0;
}

static bool same_beginning(const struct rank_facts *x, const struct rank_facts *y) {
    return x->first_us > 0 && by_beginning(x, y) == 0;
}

/* Keeps only the first of adjacent facts of the same log. */
static void drop_repeated(struct merge *merge, bool same(const struct rank_facts *, const struct rank_facts *)) {
    struct facts_log *logs = merge->set->logs.items;
    size_t kept = 0;
    for (size_t i = 0; i < merge->set->logs.count; i++) {
        if (!kept || !same(logs[kept - 1].facts, logs[i].facts)) {
            logs[kept++] = logs[i];
            continue;
        }
        if (!merge->result->repeated++)
            snprintf(merge->result->first_repeated, sizeof merge->result->first_repeated, "%.*s",
                     SLICE_ARG(slice_first(first_path(logs[kept - 1].facts), 250)));
        rank_facts_finish(logs[i].facts);
        facts_log_forget_result(&logs[i]);
    }
    merge->set->logs.count = kept;
}

static int by_text(const void *a, const void *b) {
    return slice_cmp(*(const struct slice *)a, *(const struct slice *)b);
}

/* By rank, then the newest first, then by path, as in the plan for reading logs. */
static int by_rank(const void *a, const void *b) {
    const struct rank_facts *x = ((const struct facts_log *)a)->facts, *y = ((const struct facts_log *)b)->facts;
    if (x->has_rank != y->has_rank)
        return x->has_rank ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    int64_t one = log_newness(x->began_us, (int64_t)x->modified_ns),
            other = log_newness(y->began_us, (int64_t)y->modified_ns);
    if (one != other)
        return one > other ? -1 : 1;
    return by_log(x, y);
}

static bool has_one_own_rank(const struct rank_facts *facts) {
    return !facts->has_rank && !facts->bad && facts->has_own_rank && !facts->counters[COUNT_OTHER_RANK];
}

/* A log without a rank in its name gets the rank in its records, unless another log has that rank: see choice.h. */
static void number_logs(struct merge *merge) {
    struct map seen = {0}; /* rank → number of logs */
    size_t count = merge->set->logs.count;
    for (size_t i = 0; i < count; i++) {
        const struct rank_facts *facts = merge->set->logs.items[i].facts;
        uint64_t rank = facts->has_rank ? facts->rank : facts->own_rank;
        if (facts->has_rank || has_one_own_rank(facts))
            ++*map_put(&seen, slice_make((const char *)&rank, sizeof rank), 0, NULL);
    }
    for (size_t i = 0; i < count && count > 1; i++) {
        struct rank_facts *facts = merge->set->logs.items[i].facts;
        struct slice key = slice_make((const char *)&facts->own_rank, sizeof facts->own_rank);
        if (!has_one_own_rank(facts) || map_get(&seen, key) != 1)
            continue;
        facts->has_rank = true;
        facts->rank = facts->own_rank;
    }
    map_free(&seen);
}

static void order_logs(struct merge *merge) {
    struct facts_log *logs = merge->set->logs.items;
    qsort(logs, merge->set->logs.count, sizeof *logs, by_place_and_age);
    drop_repeated(merge, same_place);
    qsort(logs, merge->set->logs.count, sizeof *logs, by_beginning_and_age);
    drop_repeated(merge, same_beginning);
    if (merge->whole)
        number_logs(merge);
    size_t count = merge->count = merge->set->logs.count;
    merge->logs = logs;
    qsort(logs, count, sizeof *logs, by_rank);
    merge->facts = arena_alloc(&merge->set->arena, (count + 1) * sizeof *merge->facts);
    for (size_t i = 0; i < count; i++)
        merge->facts[i] = logs[i].facts;
}

/* "rank_3"; for an older log of the rank, "rank_3-2". */
static void name_dirs(struct merge *merge) {
    size_t nth = 0;
    for (size_t i = 0; i < merge->count; i++) {
        struct rank_facts *facts = merge->facts[i];
        const struct rank_facts *before = i ? merge->facts[i - 1] : NULL;
        AUTO_BUF dir = {0};
        nth = before && before->has_rank == facts->has_rank && before->rank == facts->rank ? nth + 1 : 1;
        if (facts->has_rank)
            buf_addf(&dir, "rank_%" PRIu64, facts->rank);
        else
            buf_add_lit(&dir, "rank_none");
        if (nth > 1)
            buf_addf(&dir, "-%zu", nth);
        facts->dir = arena_str(&merge->set->arena, buf_slice(&dir));
    }
}

static void add_results(struct merge *merge) {
    AUTO_MAP known = {0};
    for (size_t i = 0; i < merge->count; i++)
        pipeline_result_add(&merge->result->total, merge->logs[i].result, &known);
    merge->result->total.missing_inputs += merge->set->unread.count;
    merge->result->logs = merge->count;
}

/* Reads the files and puts their logs in order. Returns false if there is none. */
static bool begin(struct merge *merge, struct err *err) {
    merge->set = facts_set_create();
    merge->keys = key_store_create();
    read_files(merge);
    if (!merge->set->logs.count) {
        err_set(err, ERR_INPUT, "no log has facts in %s",
                merge->request->count == 1 ? merge->request->paths[0] : "these files");
        return false;
    }
    if (merge->set->unread.count)
        qsort(merge->set->unread.items, merge->set->unread.count, sizeof *merge->set->unread.items, by_text);
    order_logs(merge);
    name_dirs(merge);
    add_results(merge);
    for (size_t i = 0; i < merge->count; i++)
        facts_set_add_keys(merge->keys, merge->facts[i]);
    return true;
}

static void end(struct merge *merge) {
    key_store_destroy(merge->keys);
    facts_set_destroy(merge->set);
}

/* Makes the reports on the logs that should have one. */
static bool write_reports(struct merge *merge, const struct divergences *divergences, struct sink *sink,
                          struct spool *spool, struct spooled *events, struct err *err) {
    struct arena *arena = &merge->set->arena;
    struct representatives chosen = {0};
    struct ranks_reports reports = {.options = &merge->request->options, .spool = spool};
    representatives_choose(&chosen, merge->request, merge->facts, merge->count, divergences, arena);
    reports.count = chosen.found;
    reports.logs = chosen.logs;
    const char **dirs = arena_alloc(arena, (chosen.found + 1) * sizeof *dirs);
    reports.dirs = dirs;
    reports.made = arena_zalloc(arena, (chosen.found + 1) * sizeof *reports.made);
    reports.events = arena_zalloc(arena, (chosen.found + 1) * sizeof *reports.events);
    for (size_t i = 0; i < chosen.found; i++)
        dirs[i] = merge->facts[chosen.places[i]]->dir;
    bool good = !chosen.found || ranks_reports(&reports, sink, merge->watcher, err);
    for (size_t i = 0; i < chosen.found; i++) {
        events[chosen.places[i]] = reports.events[i];
        merge->facts[chosen.places[i]]->no_report = !reports.made[i];
        merge->result->reports += reports.made[i];
    }
    for (size_t i = 0; i < merge->count; i++)
        merge->facts[i]->wanted = chosen.is_wanted[i];
    merge->result->trouble = chosen.trouble;
    merge->result->unknown = chosen.unknown;
    merge->result->first_unknown = chosen.first_unknown;
    merge->result->reports_missing = chosen.wanted - merge->result->reports;
    return good;
}

/* The folders that could not be searched for logs. The caller frees them. */
static void copy_unread(const struct merge *merge, struct choice_paths *unread) {
    *unread = (struct choice_paths){0};
    for (size_t i = 0; i < merge->set->unread.count; i++)
        LIST_ADD(unread, mem_printf("%.*s", SLICE_ARG(merge->set->unread.items[i])));
}

static bool write_report(struct merge *merge, struct sink *sink, struct err *err) {
    struct reading_options options = merge->request->options;
    struct choice_paths unread;
    struct files files;
    for (size_t i = 0; i < merge->count; i++)
        facts_log_forget_result(&merge->logs[i]); /* the total has it */
    copy_unread(merge, &unread);
    options.unread = &unread;
    struct together together = {.facts = merge->facts,
                                .count = merge->count,
                                .total = &merge->result->total,
                                .options = &options,
                                .settings = merge->set->settings,
                                .keys = merge->keys};
    files_init(&files, sink);
    assets_write(&files, NULL);
    together_find(&together);
    for (size_t i = 0; i < merge->count; i++)
        merge->facts[i]->no_report = true;
    struct spool *spool = spool_create(sink);
    struct spooled *events = mem_zalloc(merge->count, sizeof *events);
    const struct spooled **kept = mem_zalloc(merge->count, sizeof *kept);
    bool good = write_reports(merge, &together.divergences, sink, spool, events, err);
    for (size_t i = 0; i < merge->count; i++)
        kept[i] = merge->facts[i]->no_report ? NULL : &events[i];
    together.events = kept;
    if (good)
        together_write(&together, &files);
    good = good && files_good(&files, err);
    for (size_t i = 0; i < merge->count; i++)
        spooled_free(&events[i]);
    mem_free(events);
    mem_free(kept);
    spool_destroy(spool);
    together_finish(&together);
    files_finish(&files);
    choice_paths_free(&unread);
    return good;
}

bool ranks_merge(const struct merge_request *request, struct sink *sink, const struct ranks_watcher *watcher,
                 struct merge_result *result, struct err *err) {
    struct merge merge = {.request = request, .watcher = watcher, .result = result, .whole = true};
    bool good = begin(&merge, err) && write_report(&merge, sink, err);
    end(&merge);
    return good;
}

bool ranks_merge_facts(const struct merge_request *request, const struct ranks_facts_out *out,
                       const struct ranks_watcher *watcher, struct merge_result *result, struct err *err) {
    struct merge merge = {.request = request, .watcher = watcher, .result = result};
    struct ranks_facts_out all = *out;
    struct choice_paths unread = {0};
    bool good = begin(&merge, err);
    if (good) {
        struct arena *arena = &merge.set->arena;
        const struct pipeline_result **results = arena_alloc(arena, merge.count * sizeof *results);
        int64_t *made_us = arena_alloc(arena, merge.count * sizeof *made_us);
        for (size_t i = 0; i < merge.count; i++) {
            results[i] = merge.logs[i].result;
            made_us[i] = merge.logs[i].made_us;
        }
        copy_unread(&merge, &unread);
        all.origin.unread = &unread;
        const struct facts_of_logs logs = {merge.facts, results, made_us, merge.count, merge.set->settings, merge.keys};
        good = facts_write(&logs, &all);
    }
    choice_paths_free(&unread);
    end(&merge);
    return good;
}
