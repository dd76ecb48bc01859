
#include "answers/check_logs.h"

#include "answers/sentences.h"
#include "answers/term.h"

enum { GAPS_MAX = 3 };

yyjson_val *check_totals(yyjson_val *root) {
    yyjson_val *of_all = json_get(json_get(root, "all_ranks"), "totals");
    return of_all ? of_all : json_get(root, "totals");
}

yyjson_val *check_caches(yyjson_val *root) {
    yyjson_val *of_all = json_get(json_get(root, "all_ranks"), "caches");
    return of_all ? of_all : json_get(root, "caches");
}

static yyjson_val *part_at(const struct report_part *parts, size_t count, struct slice dir) {
    for (size_t i = 0; i < count; i++)
        if (slice_eq(parts[i].dir, dir))
            return parts[i].root;
    return NULL;
}

static struct slice name_of(struct arena *arena, yyjson_val *item, struct slice run, const struct check_log *log) {
    struct buf text = {0};
    buf_add(&text, run);
    if (log->has_rank)
        buf_addf(&text, "%srank %" PRIu64, run.len ? " " : "", log->rank);
    else if (!run.len)
        buf_add(&text, json_get_text(item, "dir"));
    return arena_keep(arena, &text);
}

/* Adds a rank, a run, or a rank of a run. An empty directory is the report itself. */
static void add_log(struct check_logs *logs, yyjson_val *item, struct slice run, const struct report_part *parts,
                    size_t part_count) {
    struct check_log *log = &logs->items[logs->count++];
    struct slice dir = json_get_text(item, "dir");
    *log = (struct check_log){.root = dir.len ? part_at(parts, part_count, dir) : logs->report->root};
    log->has_rank = json_to_u64(json_get(item, "rank"), &log->rank);
    log->name = name_of(&logs->arena, item, run, log);
}

static size_t count_logs(yyjson_val *list) {
    size_t i, max, count = 0;
    yyjson_val *item;
    yyjson_arr_foreach(list, i, max, item) {
        size_t members = yyjson_arr_size(json_get(item, "members"));
        count += members ? members : 1;
    }
    return count;
}

static void add_several(struct check_logs *logs, yyjson_val *list, const struct report_part *parts, size_t part_count) {
    size_t i, max, m, member_max;
    yyjson_val *item, *member;
    yyjson_arr_foreach(list, i, max, item) {
        yyjson_val *members = json_get(item, "members");
        struct slice run = json_get_text(item, "name");
        if (!yyjson_arr_size(members)) {
            add_log(logs, item, run, parts, part_count);
            continue;
        }
        yyjson_arr_foreach(members, m, member_max, member) {
            add_log(logs, member, run, parts, part_count);
        }
        yyjson_val *job = part_at(parts, part_count, json_get_text(item, "dir"));
        if (json_get(job, "divergence"))
            logs->jobs[logs->job_count++] = job;
    }
}

/* Texts joined by "; ", and their number. */
struct gaps {
    struct buf text;
    size_t count;
};

static struct buf *next_gap(struct gaps *gaps, struct slice name) {
    if (++gaps->count > GAPS_MAX)
        return NULL;
    BUF_ADD(&gaps->text, gaps->count > 1 ? "; " : "", name, name.len ? ": " : "");
    return &gaps->text;
}

static void add_file_gaps(struct gaps *gaps, struct slice name, yyjson_val *log) {
    size_t i, max;
    yyjson_val *file;
    struct buf *to;
    yyjson_arr_foreach(json_get(log, "files"), i, max, file) {
        struct slice damage = json_get_text(file, "damage");
        if (!damage.len || !(to = next_gap(gaps, name)))
            continue;
        BUF_ADD(to, json_get_text(file, "name"), " is damaged: ", damage);
    }
}

/* Adds what a log lacks. Unrecognized lines, and payloads with an MD5 mismatch, which are still used, do not count. */
static void add_log_gaps(struct gaps *gaps, const struct check_log *one, struct slice name) {
    static const char *const lost[] = {"fail_json", "fail_parser"};
    yyjson_val *log = json_get(one->root, "log"), *span = yyjson_arr_get_first(json_get(one->root, "unfinished"));
    struct buf *to;
    uint64_t malformed = 0;
    if (!one->root) {
        if ((to = next_gap(gaps, name)))
            buf_add_lit(to, "its report.json could not be read");
        return;
    }
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        malformed += report_count(json_get(log, "counters"), lost[i]);
    uint64_t shown = report_count(json_get(log, "counters"), "unknown_encoding"); /* among fail_parser */
    malformed -= shown < malformed ? shown : malformed;
    add_file_gaps(gaps, name, log);
    if (malformed && (to = next_gap(gaps, name)))
        unit_add_plural(to, malformed, "malformed record", NULL);
    if (span && (to = next_gap(gaps, name))) {
        buf_add_lit(to, "the log ends inside a compile");
        if (json_get_text(span, "compile").len)
            BUF_ADD(to, ", ", json_get_text(span, "compile"));
    }
    if (!report_count(log, "records") && (to = next_gap(gaps, name)))
        buf_add_lit(to, "the log has no records");
}

static void add_missing(struct gaps *gaps, yyjson_val *root) {
    yyjson_val *missing = json_get(root, "missing_ranks");
    uint64_t more = report_count(root, "more_missing_ranks");
    struct buf *to;
    if (!yyjson_arr_size(missing) || !(to = next_gap(gaps, (struct slice){0})))
        return;
    facts_add_ranks(to, missing);
    if (more)
        buf_addf(to, " and %" PRIu64 " more", more);
    buf_add_str(to, yyjson_arr_size(missing) + more > 1 ? " have no log" : " has no log");
}

static struct slice find_gap(struct check_logs *logs, bool one_rank) {
    struct gaps gaps = {0};
    bool split = json_get(logs->report->root, "all_ranks"); /* the counters belong to the single log */
    if (!one_rank)
        add_missing(&gaps, logs->report->root);
    for (size_t i = 0; i < logs->job_count && !one_rank; i++)
        if (logs->jobs[i] != logs->report->root)
            add_missing(&gaps, logs->jobs[i]);
    for (size_t i = 0; i < logs->count; i++)
        if (!split || logs->items[i].root == logs->report->root)
            add_log_gaps(&gaps, &logs->items[i], !split ? logs->items[i].name : (struct slice){0});
    if (gaps.count > GAPS_MAX)
        buf_addf(&gaps.text, "; and %zu more", gaps.count - GAPS_MAX);
    struct slice gap = arena_slice(&logs->arena, buf_slice(&gaps.text));
    buf_free(&gaps.text);
    return gap;
}

void check_logs_init(struct check_logs *logs, const struct report_doc *report, const struct report_part *parts,
                     size_t part_count, bool one_rank) {
    yyjson_val *list = json_get(report->root, "ranks");
    size_t count = count_logs(list);
    *logs = (struct check_logs){.report = report};
    logs->items = mem_zalloc(count + 1, sizeof *logs->items);
    logs->jobs = mem_zalloc(yyjson_arr_size(list) + 1, sizeof(yyjson_val *));
    if (json_get(report->root, "divergence") && report->kind != DOC_RUNS)
        logs->jobs[logs->job_count++] = report->root;
    if (count)
        add_several(logs, list, parts, part_count);
    else
        logs->items[logs->count++] = (struct check_log){.root = report->root};
    if (logs->count == 1)
        logs->items[0].name = (struct slice){0};
    logs->gap = find_gap(logs, one_rank);
}

void check_logs_finish(struct check_logs *logs) {
    mem_free(logs->items);
    mem_free(logs->jobs);
    arena_free(&logs->arena);
    *logs = (struct check_logs){0};
}

/* Length of the run of consecutive ranks at items[i]; 1 if there are fewer than three. */
static size_t consecutive(const struct check_logs *logs, const size_t *items, size_t count, size_t i) {
    size_t length = 1;
    while (i + length < count && logs->items[items[i + length]].rank == logs->items[items[i]].rank + length)
        length++;
    return length > 2 ? length : 1;
}

void check_logs_add_names(struct buf *out, const struct check_logs *logs, const size_t *items, size_t count) {
    bool ranks = logs->report->kind != DOC_RUNS;
    size_t length = 1;
    if (logs->count < 2 || !count)
        return;
    for (size_t i = 0; i < count; i++)
        ranks = ranks && logs->items[items[i]].has_rank;
    if (ranks)
        buf_add_str(out, count == 1 ? "rank " : "ranks ");
    for (size_t i = 0; i < count; i += length) {
        const struct check_log *log = &logs->items[items[i]];
        length = ranks ? consecutive(logs, items, count, i) : 1;
        if (i)
            buf_add_str(out, i + length >= count ? " and " : ", ");
        if (!ranks)
            buf_add(out, log->name);
        else if (length > 1)
            buf_addf(out, "%" PRIu64 "–%" PRIu64, log->rank, (log->rank + length - 1));
        else
            buf_addf(out, "%" PRIu64, log->rank);
    }
}
