
#include "answers/sentences.h"

#include "answers/term.h"

static void between(struct buf *out, size_t start, const char *separator) {
    if (out->len > start)
        buf_add_str(out, separator);
}

static void add_version(struct buf *out, size_t start, yyjson_val *run, const char *key, const char *name) {
    struct slice version = json_get_text(run, key);
    if (!version.len)
        return;
    between(out, start, " · ");
    buf_addf(out, "%s ", name);
    buf_add(out, slice_first(version, slice_find(version, SLICE(" ")))); /* "3.11.7 (main, …) [GCC …]" */
}

/* Some logs have no version, such as those of PyTorch 2.6. The logs of a report on several may have different versions.
 */
static bool is_version_unknown(const struct report_doc *report) {
    return report->kind == DOC_RUN && !json_get_text(json_get(report->root, "run"), "torch").len &&
           report_count(json_get(report->root, "log"), "records");
}

void facts_add_run(struct buf *out, const struct report_doc *report) {
    yyjson_val *run = json_get(report->root, "run");
    size_t start = out->len;
    int64_t duration_us;
    struct slice started = json_get_text(run, "started"); /* "2026-11-21T00:05:12Z" */
    add_version(out, start, run, "torch", "PyTorch");
    if (is_version_unknown(report))
        buf_add_lit(out, "PyTorch version not in the log");
    add_version(out, start, run, "cuda", "CUDA");
    add_version(out, start, run, "triton", "Triton");
    add_version(out, start, run, "python", "Python");
    if (json_get_text(run, "device").len) {
        between(out, start, " · ");
        buf_add(out, json_get_text(run, "device"));
    }
    if (report_number(run, "duration_us", &duration_us)) {
        between(out, start, " · ");
        unit_add_time(out, duration_us);
    }
    size_t t = slice_find(started, SLICE("T"));
    if (t == SIZE_MAX)
        return;
    between(out, start, report_number(run, "duration_us", &duration_us) ? " from " : " · ");
    struct slice clock = slice_from(started, t + 1);
    BUF_ADD(out, slice_first(started, t), " ", slice_first(clock, slice_find(clock, SLICE("Z"))), " UTC");
}

static void add_part(struct buf *out, size_t start, uint64_t count, const char *words) {
    if (!count)
        return;
    between(out, start, ", ");
    unit_add_count(out, count);
    buf_addf(out, " %s", words);
}

void facts_add_statuses(struct buf *out, yyjson_val *totals) {
    yyjson_val *statuses = json_get(totals, "statuses");
    size_t start = out->len;
    uint64_t restarted = report_count(statuses, "restart"), empty = report_count(statuses, "empty");
    uint64_t interrupted = report_count(totals, "interrupted"), uncounted = report_count(totals, "ops_unknown");
    add_part(out, start, report_count(totals, "compiled"), "compiled");
    if (restarted)
        buf_addf(out, " (%" PRIu64 " after a restart)", restarted);
    add_part(out, start, report_count(statuses, "error"), "failed");
    add_part(out, start, interrupted, "interrupted");
    add_part(out, start, empty > interrupted + uncounted ? empty - interrupted - uncounted : 0, "with an empty graph");
    add_part(out, start, uncounted, "with ops not counted");
    add_part(out, start, report_count(statuses, "missing"), "without metrics");
}

void facts_add_exports(struct buf *out, yyjson_val *root) {
    yyjson_val *export = json_get(root, "export"), *outcomes = json_get(export, "outcomes");
    uint64_t calls = report_count(export, "call_count");
    if (!calls)
        return;
    unit_add_count(out, calls);
    buf_add_lit(out, ": ");
    size_t start = out->len;
    add_part(out, start, report_count(outcomes, "succeeded"), "succeeded");
    add_part(out, start, report_count(outcomes, "compiled"), "compiled by AOTInductor");
    add_part(out, start, report_count(outcomes, "failed"), "failed");
    add_part(out, start, report_count(outcomes, "no_program"), "without a program in the log");
    add_part(out, start, report_count(outcomes, "traced"), "traced without an error");
    add_part(out, start, report_count(outcomes, "unknown"), "with an outcome that is not in the log");
}

struct named_time {
    struct slice title;
    int64_t us;
    size_t place; /* on a tie, the earlier phase first */
};

static int longest_first(const void *a, const void *b) {
    const struct named_time *x = a, *y = b;
    return x->us != y->us ? (x->us > y->us ? -1 : 1) : x->place < y->place ? -1 : 1;
}

/* The title of a phase; ptr NULL if the report does not list it. */
static struct slice phase_title(yyjson_val *phases, struct slice key) {
    size_t i, max;
    yyjson_val *phase;
    yyjson_arr_foreach(phases, i, max,
                       phase) if (slice_eq(json_get_text(phase, "key"), key)) return json_get_text(phase, "title");
    return (struct slice){0};
}

/* "code and compiler 17.6 s, Dynamo 1.14 s, …", longest first: the self time of each phase, of all compiles of the report */
static void facts_add_phases(struct buf *out, yyjson_val *root) {
    enum { PHASES_MAX = 32 }; /* a report has 10 */
    yyjson_val *phases = json_get(root, "phases"), *times = json_get(json_get(root, "totals"), "by_phase_us"), *key,
               *us;
    struct named_time named[PHASES_MAX];
    size_t i, max, count = 0, start = out->len;
    yyjson_obj_foreach(times, i, max, key, us) {
        struct named_time time = {phase_title(phases, json_text(key)), yyjson_get_sint(us), i};
        if (slice_is(json_text(key), "not_logged") && max == 1) {
            buf_add(out, time.title);
            return;
        }
        if (count < PHASES_MAX && time.title.len && time.us > 0)
            named[count++] = time;
    }
    if (count)
        qsort(named, count, sizeof *named, longest_first);
    for (i = 0; i < count; i++) {
        between(out, start, ", ");
        BUF_ADD(out, named[i].title, " ");
        unit_add_time(out, named[i].us);
    }
}

void facts_add_shares(struct buf *out, yyjson_val *root) {
    yyjson_val *ranks = json_get(root, "ranks"), *rank;
    size_t i, max, count = 0;
    int64_t most = 0, us;
    bool older = false;
    yyjson_arr_foreach(ranks, i, max, rank) {
        if (slice_is(json_get_text(rank, "status"), "bad"))
            continue;
        count++;
        older |= json_truthy(json_get(rank, "older"));
        if (report_number(rank, "time_us", &us))
            most = us > most ? us : most;
    }
    if (count < 2 || !slice_is(json_get_text(root, "kind"), "ranks"))
        return;
    buf_addf(out, " over %zu %s, up to ", count, older ? "logs" : "ranks");
    unit_add_time(out, most);
    buf_add_lit(out, " each");
}

bool facts_add_compile_time(struct buf *out, yyjson_val *root) {
    int64_t us;
    if (!report_number(json_get(root, "totals"), "time_us", &us))
        return false;
    unit_add_time(out, us);
    facts_add_shares(out, root);
    size_t before = out->len;
    buf_add_lit(out, ": ");
    facts_add_phases(out, root);
    if (out->len == before + 2) /* a report of an older version */
        out->len = before;
    return true;
}

static void add_saves(struct buf *out, yyjson_val *line, const char *before, const char *after) {
    int64_t us;
    if (!report_number(line, "saves_us", &us) || us <= 0)
        return;
    buf_add_str(out, before);
    unit_add_time(out, us);
    buf_add_str(out, after);
}

void facts_add_first(struct buf *out, yyjson_val *root) {
    yyjson_val *first = json_get(json_get(root, "compile_time"), "first"), *of_ranks = json_get(root, "rank_first");
    if (!first && yyjson_is_uint(of_ranks))
        first = yyjson_arr_get(json_get(root, "rank_findings"), yyjson_get_uint(of_ranks));
    struct slice title = json_get_text(first, "title"), action = json_get_text(first, "action");
    if (!title.len)
        return;
    buf_add(out, title);
    add_saves(out, first, ", saves at most ", "");
    if (!action.len || json_truthy(json_get(first, "issue"))) /* it is below the issue */
        return;
    BUF_ADD(out, ". ", action);
}

void facts_add_parts(struct buf *out, yyjson_val *root) {
    enum { PARTS_SHOWN = 5 };
    yyjson_val *parts = json_get(json_get(root, "compile_time"), "parts"), *part;
    size_t i, max, start = out->len;
    int64_t us;
    yyjson_arr_foreach(parts, i, max, part) {
        if (i == PARTS_SHOWN)
            break;
        between(out, start, ", ");
        BUF_ADD(out, json_get_text(part, "title"), " ");
        if (report_number(part, "time_us", &us))
            unit_add_time(out, us);
        add_saves(out, part, " (saves at most ", ")");
    }
}

void facts_add_coverage(struct buf *out, yyjson_val *root) {
    yyjson_val *counts = json_get(json_get(root, "coverage"), "counts");
    size_t start = out->len;
    add_part(out, start, report_count(counts, "compiled"), "compiled");
    add_part(out, start, report_count(counts, "partly"), "partly compiled");
    add_part(out, start, report_count(counts, "not"), "not compiled");
    add_part(out, start, report_count(counts, "no_ops"), "without operators");
    add_part(out, start, report_count(counts, "unknown"), "unknown");
    uint64_t library = report_count(json_get(root, "coverage"), "library"), all = 0;
    static const char *const states[] = {"compiled", "partly", "not", "no_ops", "unknown"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        all += report_count(counts, states[i]);
    if (library && library < all)
        buf_addf(out, " (%" PRIu64 " of %" PRIu64 " in libraries)", library, all);
}

void facts_add_uncompiled(struct buf *out, yyjson_val *root, size_t n) {
    enum { REASON_BYTES = 100 };
    yyjson_val *coverage = json_get(root, "coverage"), *functions = json_get(coverage, "functions");
    yyjson_val *function = n < report_count(json_get(coverage, "counts"), "not") ? yyjson_arr_get(functions, n) : NULL;
    yyjson_val *frame = json_get(function, "frame");
    struct slice label = json_get_text(frame, "label"), reason = json_get_text(function, "reason"), line = {0};
    if (!function)
        return;
    buf_addf(out, "`%.*s`", SLICE_ARG(label.len ? label : json_get_text(frame, "function")));
    if (!slice_next_line(&reason, &line) || !line.len)
        return;
    bool cut = line.len > REASON_BYTES;
    buf_addf(out, ": %.*s%s", SLICE_ARG(cut ? utf8_first(line, REASON_BYTES) : line), cut ? "…" : "");
}

void facts_add_events(struct buf *out, yyjson_val *totals) {
    uint64_t refused = report_count(totals, "recompiles_refused");
    unit_add_plural(out, report_count(totals, "graph_breaks"), "graph break", NULL);
    buf_add_lit(out, " · ");
    unit_add_plural(out, report_count(totals, "recompiles"), "recompile", NULL);
    if (refused)
        buf_addf(out, " (%" PRIu64 " more refused)", refused);
    buf_add_lit(out, " · ");
    unit_add_plural(out, report_count(totals, "failures"), "failure", NULL);
}

/* The names and results match the page: web/src/store/cache-misses.ts, records.ts. */
void facts_add_guards(struct buf *out, yyjson_val *root) {
    enum { MANY = 100, KINDS_SHOWN = 3 };
    yyjson_val *most = yyjson_arr_get_first(json_get(root, "guard_checks")), *kind;
    uint64_t checks = report_count(most, "checks");
    size_t i, max;
    if (checks < MANY)
        return;
    unit_add_count(out, checks);
    BUF_ADD(out, " checks before each call of [", json_get_text(most, "compile"), "]");
    yyjson_arr_foreach(json_get(most, "by_kind"), i, max, kind) {
        if (i == KINDS_SHOWN)
            break;
        buf_add_str(out, i ? ", " : ": ");
        unit_add_count(out, report_count(kind, "checks"));
        BUF_ADD(out, " ", json_get_text(kind, "kind"));
    }
}

void facts_add_caches(struct buf *out, yyjson_val *caches) {
    static const struct {
        const char *key, *name;
    } names[] = {
        {"fx_graph", "FX graph"},     {"aotautograd", "AOTAutograd"},   {"fx_graph_bundled", "bundled FX graph"},
        {"precompile", "precompile"}, {"dynamo", "precompile package"},
    };
    static const struct {
        const char *key, *one, *many;
    } results[] = {
        {"hit", "hit", "hits"},
        {"miss", "miss", "misses"},
        {"bypass", "bypass", "bypasses"},
        {"pickle_failure", "not saved", "not saved"},
        {"exception", "failed", "failed"},
        {"entries", "entry", "entries"},
    };
    size_t start = out->len;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        yyjson_val *counts = json_get(caches, names[i].key);
        size_t before = out->len, part;
        between(out, start, " · ");
        buf_addf(out, "%s: ", names[i].name);
        part = out->len;
        for (size_t r = 0; r < sizeof results / sizeof *results; r++) {
            uint64_t count = report_count(counts, results[r].key);
            add_part(out, part, count, count == 1 ? results[r].one : results[r].many);
        }
        if (out->len == part) /* never used */
            out->len = before;
    }
}

void facts_add_place(struct buf *out, yyjson_val *place) {
    struct slice file = json_get_text(place, "file"), function = json_get_text(place, "function");
    uint64_t line = report_count(place, "line");
    if (!file.len)
        return;
    buf_add(out, file);
    if (line)
        buf_addf(out, ":%" PRIu64, line);
    if (!function.len)
        return;
    BUF_ADD(out, " in ", function);
}

const char *facts_cost(yyjson_val *finding) {
    static const struct {
        const char *cost, *words;
    } costs[] = {
        {"compile_time", "compile time"}, {"lost_to_restarts", "discarded traces"}, {"lost", "wasted compile time"},
        {"run_time", "run time"},         {"cacheable", "cacheable compile time"},  {"unfinished", "unfinished"},
    };
    struct slice cost = json_get_text(finding, "cost");
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (slice_is(cost, costs[i].cost))
            return costs[i].words;
    return "";
}

const char *facts_sign(yyjson_val *finding) {
    static const struct {
        const char *kind, *sign;
    } signs[] = {{"unfinished", "◼"}, {"graph_break", "‖"}, {"recompile", "↻"}, {"restart", "↻"}};
    struct slice kind = json_get_text(finding, "kind"), severity = json_get_text(finding, "severity");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (slice_is(kind, signs[i].kind))
            return signs[i].sign;
    return slice_is(severity, "error") ? "✕" : slice_is(severity, "warning") ? "!" : "i";
}

/* The number of consecutive numbers from items[from] on; "0 and 1" does not count as a run. */
static size_t consecutive(const uint64_t *items, size_t count, size_t from) {
    size_t length = 1;
    while (from + length < count && items[from + length] == items[from] + length)
        length++;
    return length > 2 ? length : 1;
}

void facts_add_rank_list(struct buf *out, const uint64_t *ranks, size_t count) {
    size_t length = 1;
    buf_add_str(out, count == 0 ? "" : count == 1 ? "rank " : "ranks ");
    for (size_t i = 0; i < count; i += length) {
        length = consecutive(ranks, count, i);
        if (i)
            buf_add_str(out, i + length >= count ? " and " : ", ");
        buf_addf(out, "%" PRIu64, ranks[i]);
        if (length > 1)
            buf_addf(out, "–%" PRIu64, (ranks[i] + length - 1));
    }
}

void facts_add_ranks(struct buf *out, yyjson_val *ranks) {
    size_t i, max, count = 0;
    yyjson_val *rank;
    uint64_t *items = mem_alloc((yyjson_arr_size(ranks) + 1) * sizeof *items);
    yyjson_arr_foreach(ranks, i, max, rank) {
        if (json_to_u64(rank, &items[count]))
            count++;
    }
    facts_add_rank_list(out, items, count);
    mem_free(items);
}

bool facts_diverge(yyjson_val *root) {
    return yyjson_arr_size(json_get(json_get(root, "divergence"), "root_causes")) > 0;
}

uint64_t facts_missing_inputs(yyjson_val *root) {
    return report_count(json_get(root, "log"), "missing_inputs");
}

const char *facts_no_issues(bool whole) {
    return whole ? "No issues found" : "No issues found in what was read: some input is missing or incomplete";
}

/* Numbers of ranks, in the order of their logs, each once. */
struct numbers {
    uint64_t *items;
    size_t count;
};

static void add_number(struct numbers *numbers, yyjson_val *log) {
    uint64_t rank;
    bool known = json_to_u64(json_get(log, "rank"), &rank);
    if (known && (!numbers->count || numbers->items[numbers->count - 1] != rank))
        numbers->items[numbers->count++] = rank;
}

static void say_numbers(struct buf *out, const char *what, struct numbers *numbers) {
    if (numbers->count) {
        buf_add_str(out, what);
        facts_add_rank_list(out, numbers->items, numbers->count);
    }
    mem_free(numbers->items);
}

/* Adds logs other than one for each rank: earlier logs of a rank, logs of another job, and logs without compiles. */
static void add_ranks(struct buf *out, yyjson_val *root) {
    yyjson_val *logs = json_get(root, "ranks"), *log;
    size_t i, max, older = 0, count = yyjson_arr_size(logs);
    struct numbers ranks = {mem_alloc((count + 1) * sizeof *ranks.items), 0},
                   others = {mem_alloc((count + 1) * sizeof *others.items), 0},
                   idle = {mem_alloc((count + 1) * sizeof *idle.items), 0};
    uint64_t world = report_count(json_get(root, "world"), "size");
    yyjson_arr_foreach(logs, i, max, log) {
        bool failed = json_get_text(log, "error").len > 0;
        if (json_truthy(json_get(log, "older"))) {
            older++;
            continue;
        }
        add_number(report_count(log, "job") ? &others : &ranks, log);
        if (!report_count(log, "job") && !failed && json_get(log, "compiles") && !report_count(log, "compiles"))
            add_number(&idle, log);
    }
    unit_add_count(out, ranks.count || others.count ? ranks.count : count);
    if (world)
        buf_addf(out, " of %" PRIu64, world);
    if (older) {
        buf_add_lit(out, ", ");
        unit_add_plural(out, older, "earlier log of a rank", "earlier logs of ranks");
    }
    say_numbers(out, ", nothing compiled: ", &idle);
    say_numbers(out, ", of another job and not compared: ", &others);
    mem_free(ranks.items);
}

void facts_add_logs(struct buf *out, yyjson_val *root, bool runs) {
    yyjson_val *logs = json_get(root, "ranks"), *missing = json_get(root, "missing_ranks"), *log;
    size_t i, max, unreadable = 0, partly = 0;
    uint64_t more = report_count(root, "more_missing_ranks"), inputs = facts_missing_inputs(root);
    yyjson_arr_foreach(logs, i, max, log) {
        bool bad = slice_is(json_get_text(log, "status"), "bad");
        unreadable += bad;
        partly += !bad && json_get_text(log, "error").len > 0;
    }
    if (runs)
        unit_add_count(out, yyjson_arr_size(logs));
    else
        add_ranks(out, root);
    if (yyjson_arr_size(missing)) {
        buf_add_lit(out, ", missing: ");
        facts_add_ranks(out, missing);
        if (more)
            buf_addf(out, " and %" PRIu64 " more", more);
    }
    if (unreadable) {
        buf_add_lit(out, ", ");
        unit_add_plural(out, unreadable, "log could not be read", "logs could not be read");
    }
    if (partly) {
        buf_add_lit(out, ", ");
        unit_add_plural(out, partly, "log was read in part", "logs were read in part");
    }
    if (inputs > unreadable + partly) {
        buf_add_lit(out, ", ");
        unit_add_plural(out, inputs - unreadable - partly, "input is missing or incomplete",
                        "inputs are missing or incomplete");
    }
}

void facts_add_owners(struct buf *out, yyjson_val *root, yyjson_val *finding) {
    yyjson_val *logs = json_get(root, "ranks"), *dirs = json_get(finding, "dirs"), *log;
    size_t i, max, at = 0, others = 0;
    bool runs = slice_is(json_get_text(root, "kind"), "runs");
    AUTO_BUF names = {0};
    struct numbers ranks = {mem_alloc((yyjson_arr_size(logs) + 1) * sizeof *ranks.items), 0};
    yyjson_arr_foreach(logs, i, max, log) { /* dirs are in the order of the logs */
        yyjson_val *dir = yyjson_arr_get(dirs, at);
        if (dir && slice_eq(json_text(dir), json_get_text(log, "dir"))) {
            add_number(&ranks, log);
            BUF_ADD(&names, at++ ? ", " : "", json_get_text(log, json_get_text(log, "name").len ? "name" : "dir"));
        } else if (!json_truthy(json_get(log, "older")) && !slice_is(json_get_text(log, "status"), "bad")) {
            others++;
        }
    }
    if ((runs ? names.len : ranks.count) && others && at == yyjson_arr_size(dirs)) {
        buf_add_lit(out, " (");
        if (runs)
            buf_add(out, buf_slice(&names));
        else
            facts_add_rank_list(out, ranks.items, ranks.count);
        buf_add_byte(out, ')');
    }
    mem_free(ranks.items);
}
