
#include "runs/kept.h"

#include <time.h>

#include "answers/sentences.h"
#include "answers/table.h"
#include "answers/term.h"
#include "runs/run_file.h"

enum { LABEL = 14, COMMIT_SHOWN = 12, COMMAND_MIN = 6 };

/* ---- Parts */

static void add_local_time(struct buf *out, int64_t us) {
    time_t seconds = (time_t)(us / 1000000);
    struct tm parts;
    char text[64];
    if (localtime_r(&seconds, &parts))
        buf_add(out, slice_make(text, strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts)));
}

/* "5 min", "3 h", "2 d": how long ago it started. Short, because commands need the space. */
static void add_age(struct buf *out, int64_t started_us) {
    static const struct {
        int64_t seconds;
        const char *name;
    } units[] = {{365 * 86400, "y"}, {7 * 86400, "w"}, {86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    int64_t age = (run_now_us() - started_us) / 1000000;
    size_t u = 0;
    while (units[u].seconds > 1 && age < units[u].seconds)
        u++;
    buf_addf(out, "%" PRId64 " %s", (age < 0 ? 0 : age / units[u].seconds), units[u].name);
}

/* Adds the text of the column "Exit". */
static void add_end(struct buf *out, const struct kept *run) {
    if (run->doc && run->state != KEPT_ENDED)
        buf_add_str(out, kept_state_name(run->state));
    else if (run->signal.len)
        buf_add(out, run->signal);
    else if (run->status >= 0)
        buf_addf(out, "%" PRId64, run->status);
    else
        buf_add_lit(out, "–");
}

static enum term_style style_of_end(const struct kept *run) {
    bool failed = run->state == KEPT_ENDED && (run->signal.len || run->status != 0);
    return failed ? TERM_ERROR : run->state == KEPT_INTERRUPTED ? TERM_WARNING : TERM_PLAIN;
}

/* A total, or "–" if it is unknown. */
static void total_cell(struct table *table, const struct kept *run, const char *key) {
    AUTO_BUF text = {0};
    int64_t number;
    if (!report_number(json_get(run->root, "totals"), key, &number) || number < 0)
        buf_add_lit(&text, "–");
    else if (strcmp(key, "time_us") == 0)
        unit_add_time(&text, number);
    else
        unit_add_count(&text, (uint64_t)number);
    table_cell(table, TERM_PLAIN, buf_slice(&text));
}

/* ---- All runs */

static void add_row(struct table *table, const struct kept *run) {
    static const char *const totals[] = {"compiles", "time_us", "recompiles", "graph_breaks"};
    AUTO_BUF text = {0};
    buf_addf(&text, "%s%s", run->id, run->pinned ? "*" : "");
    table_cell(table, TERM_BOLD, buf_slice(&text));
    text.len = 0;
    add_age(&text, run->started_us);
    table_cell(table, TERM_DIM, buf_slice(&text));
    text.len = 0;
    if (run->doc)
        kept_add_command(&text, run);
    else
        buf_add_lit(&text, "(damaged)");
    table_cell(table, TERM_PLAIN, buf_slice(&text));
    text.len = 0;
    add_end(&text, run);
    table_cell(table, style_of_end(run), buf_slice(&text));
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        total_cell(table, run, totals[i]);
}

static void add_footer(struct term *term, const struct kept_runs *runs, const struct store *store) {
    AUTO_BUF text = {0};
    uint64_t bytes = 0;
    bool pinned = false;
    for (size_t i = 0; i < runs->count; i++) {
        bytes += runs->items[i].bytes;
        pinned |= runs->items[i].pinned;
    }
    unit_add_plural(&text, runs->count, "run", NULL);
    buf_add_lit(&text, ", ");
    unit_add_bytes(&text, bytes);
    BUF_ADD(&text, " in ", store->path, pinned ? "; * is pinned" : "");
    term_newline(term);
    term_prose(term, TERM_DIM, buf_slice(&text), (struct term_box){0});
}

void kept_add_list(struct term *term, const struct kept_runs *runs, const struct store *store) {
    static const char *const titles[] = {"Run",      "Age",          "Command",    "Exit",
                                         "Compiles", "Compile time", "Recompiles", "Breaks"};
    struct table table;
    table_init(&table, "lrbrrrrr");
    table.cut_min = COMMAND_MIN;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_cell_str(&table, TERM_DIM, titles[i]);
    for (size_t i = 0; i < runs->count; i++)
        add_row(&table, &runs->items[i]);
    if (runs->count)
        table_add_text(&table, term, 0);
    table_finish(&table);
    add_footer(term, runs, store);
}

/* ---- One run */

/* Adds a paragraph with a label in the left column; nothing if there is no text. Empties the text. */
static void add_fact(struct term *term, const char *label, struct buf *text) {
    if (text->len) {
        unsigned columns = term_columns(term, slice_str(label));
        term_add(term, TERM_DIM, slice_str(label));
        term_spaces(term, LABEL - columns);
        term_prose(term, TERM_PLAIN, buf_slice(text), (struct term_box){.at = LABEL, .indent = LABEL});
    }
    text->len = 0;
}

static void add_state(struct term *term, const struct kept *run, struct buf *text) {
    if (!run->doc)
        buf_add_lit(text, "unknown: run.json is missing or damaged");
    else if (run->state == KEPT_ENDED && !run->signal.len && run->status < 0)
        buf_add_lit(text, "ended, with an unknown status");
    else if (run->state == KEPT_ENDED && !run->signal.len)
        buf_addf(text, "exited with status %" PRId64, run->status);
    else if (run->state == KEPT_ENDED)
        buf_addf(text, "ended by %.*s", SLICE_ARG(run->signal));
    else if (run->state == KEPT_INTERRUPTED)
        buf_add_lit(text, "interrupted: tlparse was killed before the end of the command was known");
    else
        buf_add_str(text, kept_state_name(run->state));
    if (run->state == KEPT_ENDED && run->failed_rank >= 0)
        buf_addf(text, " (rank %" PRId64 ", the first that failed)", run->failed_rank);
    add_fact(term, "State", text);
    if (run->doc)
        add_local_time(text, run->started_us);
    if (run->duration_us >= 0) {
        buf_add_lit(text, ", took ");
        unit_add_time(text, run->duration_us);
    }
    add_fact(term, "Started", text);
}

static void add_commit(struct buf *text, const struct kept *run) {
    yyjson_val *git = json_get(run->root, "git"), *dirty = json_get(git, "dirty");
    buf_add(text, slice_first(json_get_text(git, "commit"), COMMIT_SHOWN));
    if (text->len)
        buf_add_str(text, yyjson_is_true(dirty)    ? ", with uncommitted changes"
                          : yyjson_is_false(dirty) ? ", without uncommitted changes"
                                                   : "");
}

static void add_packages(struct buf *text, const struct kept *run) {
    static const char *const names[][2] = {{"torch", "PyTorch"}, {"triton", "Triton"}, {"python", "Python"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct slice version = json_get_text(json_get(run->root, "packages"), names[i][0]);
        if (!version.len)
            continue;
        buf_addf(text, "%s%s ", text->len ? " · " : "", names[i][1]);
        buf_add(text, slice_first(version, slice_find(version, SLICE(" ")))); /* "3.11.7 (main, …) [GCC …]" */
    }
}

static void add_totals(struct buf *text, const struct kept *run) {
    yyjson_val *totals = json_get(run->root, "totals");
    int64_t us;
    if (!yyjson_is_obj(totals))
        return;
    unit_add_plural(text, report_count(totals, "compiles"), "compile", NULL);
    if (report_number(totals, "time_us", &us) && us >= 0) {
        buf_add_lit(text, " in ");
        unit_add_time(text, us);
    }
    buf_add_lit(text, " · ");
    facts_add_events(text, totals);
}

/* A line "rank 0: status 0" for each process, if there are ranks. */
static void add_processes(struct term *term, const struct kept *run, struct buf *text) {
    yyjson_val *processes = json_get(run->root, "processes"), *process;
    const char *label = "Ranks";
    size_t i, count;
    yyjson_arr_foreach(processes, i, count, process) {
        int64_t rank, status, restart;
        struct slice signal = json_get_text(process, "signal");
        if (!report_number(process, "rank", &rank))
            continue;
        buf_addf(text, "rank %" PRId64 ": ", rank);
        if (signal.len)
            buf_add(text, signal);
        else if (report_number(process, "status", &status))
            buf_addf(text, "status %" PRId64, status);
        else
            buf_add_str(text, run->state == KEPT_RUNNING ? "no exit status yet" : "no exit status");
        if (report_number(process, "restart", &restart) && restart > 0)
            buf_addf(text, ", restart %" PRId64, restart);
        add_fact(term, label, text);
        label = "";
    }
}

static void add_environment(struct term *term, const struct kept *run, struct buf *text) {
    const char *label = "Environment";
    size_t i, count;
    yyjson_val *name, *value;
    yyjson_obj_foreach(json_get(run->root, "environment"), i, count, name, value) {
        BUF_ADD(text, json_text(name), "=", json_text(value));
        add_fact(term, label, text);
        label = "";
    }
}

static void add_place(struct term *term, const char *label, const char *path, const char *name, struct buf *text) {
    if (path)
        buf_addf(text, "%s%s", path, name);
    add_fact(term, label, text);
}

void kept_add_details(struct term *term, const struct kept *run) {
    AUTO_BUF text = {0};
    term_add(term, TERM_BOLD, slice_str(run->id));
    term_spaces(term, 2);
    kept_add_command(&text, run);
    term_prose(term, TERM_PLAIN, buf_slice(&text), (struct term_box){.at = RUN_ID_LEN + 2, .indent = RUN_ID_LEN + 2});
    term_newline(term);
    text.len = 0;
    add_state(term, run, &text);
    buf_add(&text, json_get_text(run->root, "cwd"));
    add_fact(term, "Directory", &text);
    buf_add(&text, json_get_text(run->root, "host"));
    add_fact(term, "Host", &text);
    add_commit(&text, run);
    add_fact(term, "Commit", &text);
    add_packages(&text, run);
    add_fact(term, "Packages", &text);
    add_totals(&text, run);
    add_fact(term, "Compiles", &text);
    add_processes(term, run, &text);
    add_environment(term, run, &text);
    add_place(term, "Logs", run->logs, "", &text);
    add_place(term, "Report", run->report, "/index.html", &text);
    unit_add_bytes(&text, run->bytes);
    buf_add_str(&text, run->pinned ? ", pinned" : "");
    add_fact(term, "Size", &text);
}

void kept_add_runs_json(struct buf *out, const struct store *store, const struct kept *first, size_t count) {
    struct jsonw w = {.out = out};
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "format", "tlparse-runs", "version", 1U, "store", store->path);
    jsonw_array(&w, "runs");
    for (size_t i = 0; i < count; i++)
        kept_add_json(&w, &first[i]);
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    buf_add_byte(out, '\n');
}
