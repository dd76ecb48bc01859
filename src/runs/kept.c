#include "runs/kept.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "runs/run_file.h"

enum { LIVING_MAX = 1 << 16 };

const char *kept_state_name(enum kept_state state) {
    static const char *const names[] =
        {[KEPT_RUNNING] = "running", [KEPT_ENDED] = "ended", [KEPT_INTERRUPTED] = "interrupted"};
    return names[state];
}

/* ---- Reading */

static int64_t number_of(yyjson_val *object, const char *key) {
    uint64_t number;
    return json_to_u64(json_get(object, key), &number) && number <= INT64_MAX ? (int64_t)number : -1;
}

/* The number of the latest restart: a launcher may restart the workers, and the end of the last ones counts. */
static int64_t last_restart(yyjson_val *processes) {
    int64_t last = 0;
    size_t i, count;
    yyjson_val *process;
    yyjson_arr_foreach(processes, i, count, process) {
        int64_t restart = number_of(process, "restart");
        last = restart > last ? restart : last;
    }
    return last;
}

/* How the processes ended: the first one that failed decides, because it often caused the others to fail. */
static void read_processes(struct kept *kept, int run) {
    yyjson_val *processes = json_get(kept->root, "processes"), *process;
    int64_t last = last_restart(processes), failed_us = INT64_MAX, ended_us = -1;
    bool living = false, lost = !yyjson_arr_size(processes);
    size_t i, count;
    kept->status = kept->failed_rank = kept->duration_us = -1;
    yyjson_arr_foreach(processes, i, count, process) {
        int64_t end = run_time_us(json_get_text(process, "ended")), status = number_of(process, "status");
        struct slice signal = json_get_text(process, "signal");
        int64_t restart = number_of(process, "restart");
        bool lives = i < LIVING_MAX && store_is_held(run, i);
        living |= lives;
        lost |= !lives && end < 0 && restart >= last;
        ended_us = end > ended_us ? end : ended_us;
        if (end < 0 || (restart >= 0 && restart < last))
            continue;
        bool failed = signal.len || status != 0;
        if (failed ? end < failed_us : failed_us == INT64_MAX) {
            failed_us = failed ? end : failed_us;
            kept->status = signal.len ? -1 : status;
            kept->signal = signal;
            kept->failed_rank = failed ? number_of(process, "rank") : -1;
        }
    }
    kept->state = living ? KEPT_RUNNING : lost ? KEPT_INTERRUPTED : KEPT_ENDED;
    if (kept->state == KEPT_ENDED && kept->started_us >= 0 && ended_us >= kept->started_us)
        kept->duration_us = ended_us - kept->started_us;
}

/* The path of a member; relative paths are in the folder of the run. NULL if there is none. */
static char *path_of(const struct kept *kept, const struct store *store, const char *key) {
    struct slice path = json_get_text(kept->root, key);
    if (!path.len || slice_find(path, slice_make("", 1)) != SIZE_MAX)
        return NULL;
    if (path.ptr[0] == '/')
        return mem_printf("%.*s", SLICE_ARG(path));
    return mem_printf("%s/%s/%.*s", store->path, kept->id, SLICE_ARG(path));
}

static bool is_text(yyjson_val *value) {
    return yyjson_is_str(value);
}

static bool is_object(yyjson_val *value) {
    return yyjson_is_obj(value);
}

static bool is_number(yyjson_val *value) {
    return yyjson_is_uint(value);
}

static bool is_bool(yyjson_val *value) {
    return yyjson_is_bool(value);
}

struct typed {
    const char *key;
    bool (*is)(yyjson_val *);
};

/* Whether each member is missing, null, or of its type. The list ends with a NULL key. */
static bool has_members(yyjson_val *object, const struct typed *members) {
    for (; members->key; members++) {
        yyjson_val *value = json_get(object, members->key);
        if (value && !yyjson_is_null(value) && !members->is(value))
            return false;
    }
    return true;
}

/* Whether all values of an object are texts. */
static bool has_texts(yyjson_val *object) {
    size_t i, count;
    yyjson_val *key, *value;
    yyjson_obj_foreach(object, i, count, key, value) {
        if (!yyjson_is_str(value))
            return false;
    }
    return true;
}

/* Whether the value is a list of texts. */
static bool is_command(yyjson_val *list) {
    size_t i, count;
    yyjson_val *item;
    yyjson_arr_foreach(list, i, count, item) {
        if (!yyjson_is_str(item))
            return false;
    }
    return yyjson_is_arr(list);
}

static bool are_processes(yyjson_val *list) {
    static const struct typed members[] = {{"rank", is_number}, {"restart", is_number},
                                           {"pid", is_number},  {"started", is_text},
                                           {"ended", is_text},  {"status", is_number},
                                           {"signal", is_text}, {NULL, NULL}};
    size_t i, count;
    yyjson_val *item;
    yyjson_arr_foreach(list, i, count, item) {
        if (!yyjson_is_obj(item) || !has_members(item, members))
            return false;
    }
    return yyjson_is_arr(list);
}

/* Whether everything has the type given in the schema: others may have written the file. */
static bool has_types(yyjson_val *root) {
    static const struct typed members[] = {{"cwd", is_text},      {"host", is_text},       {"started", is_text},
                                           {"logs", is_text},     {"report", is_text},     {"git", is_object},
                                           {"job", is_object},    {"packages", is_object}, {"environment", is_object},
                                           {"totals", is_object}, {"bytes", is_number},    {NULL, NULL}};
    static const struct typed git[] = {{"commit", is_text}, {"dirty", is_bool}, {NULL, NULL}};
    static const struct typed packages[] = {{"torch", is_text}, {"triton", is_text}, {"python", is_text}, {NULL, NULL}};
    static const struct typed job[] = {{"launcher", is_text},
                                       {"run_id", is_text},
                                       {"world_size", is_number},
                                       {"local_size", is_number},
                                       {NULL, NULL}};
    static const struct typed totals[] = {{"compiles", is_number},   {"time_us", is_number},
                                          {"recompiles", is_number}, {"graph_breaks", is_number},
                                          {"failures", is_number},   {NULL, NULL}};
    return has_members(root, members) && has_members(json_get(root, "git"), git) &&
           has_members(json_get(root, "packages"), packages) && has_members(json_get(root, "job"), job) &&
           has_members(json_get(root, "totals"), totals) && has_texts(json_get(root, "environment")) &&
           is_command(json_get(root, "command")) && are_processes(json_get(root, "processes"));
}

/* When the folder last changed: the time for a run whose file is damaged or not yet written. */
static int64_t changed_us(int run) {
    struct stat st;
    return fstat(run, &st) == 0 ? (int64_t)compat_mtime(&st).tv_sec * 1000000 : 0;
}

static bool read_kept(struct kept *kept, const struct store *store, const char *id) {
    int run = store_open_run(store, id);
    if (run < 0)
        return false; /* it was removed in the meantime */
    *kept = (struct kept){.started_us = -1, .duration_us = -1, .status = -1, .failed_rank = -1};
    snprintf(kept->id, sizeof kept->id, "%s", id);
    kept->doc = run_file_read(run);
    if (kept->doc && !has_types(yyjson_doc_get_root(kept->doc))) {
        yyjson_doc_free(kept->doc);
        kept->doc = NULL;
    }
    kept->root = kept->doc ? yyjson_doc_get_root(kept->doc) : NULL;
    kept->started_us = run_time_us(json_get_text(kept->root, "started"));
    if (kept->started_us < 0)
        kept->started_us = changed_us(run);
    kept->pinned = faccessat(run, "pinned", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    read_processes(kept, run);
    uint64_t bytes;
    bool known = kept->state == KEPT_ENDED && json_to_u64(json_get(kept->root, "bytes"), &bytes);
    kept->bytes = known ? bytes : store_run_bytes(store, id);
    kept->logs = path_of(kept, store, "logs");
    kept->report = path_of(kept, store, "report");
    close(run);
    return true;
}

static int newest_first(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    if (x->started_us != y->started_us)
        return x->started_us > y->started_us ? -1 : 1;
    return strcmp(x->id, y->id);
}

bool kept_runs_read(struct kept_runs *runs, const struct store *store, struct err *err) {
    struct names ids = {0};
    *runs = (struct kept_runs){0};
    if (!store_list(store, &ids, err))
        return false;
    for (size_t i = 0; i < ids.count; i++) {
        MEM_GROW(runs);
        runs->count += read_kept(&runs->items[runs->count], store, ids.items[i]);
    }
    names_free(&ids);
    if (runs->count)
        qsort(runs->items, runs->count, sizeof *runs->items, newest_first);
    return true;
}

void kept_runs_finish(struct kept_runs *runs) {
    for (size_t i = 0; i < runs->count; i++) {
        yyjson_doc_free(runs->items[i].doc);
        mem_free(runs->items[i].logs);
        mem_free(runs->items[i].report);
    }
    mem_free(runs->items);
    *runs = (struct kept_runs){0};
}

/* ---- Names */

/* "last" is 0, "last~3" is 3. */
static bool is_last(const char *name, uint64_t *back) {
    *back = 0;
    const char *number = str_after(name, "last~");
    return strcmp(name, "last") == 0 || (number && slice_to_u64(slice_str(number), back));
}

const struct kept *kept_runs_find(const struct kept_runs *runs, const char *name, struct err *err) {
    const struct kept *found = NULL;
    uint64_t back;
    size_t matches = 0;
    if (!runs->count) {
        err_set(err, ERR_USAGE, "no run %s: no runs are kept", name);
        err_hint(err, "make one with tlparse run -- CMD");
        return NULL;
    }
    if (is_last(name, &back)) {
        if (back < runs->count)
            return &runs->items[back];
        err_set(err, ERR_USAGE, "no run %s: only %zu %s kept", name, runs->count,
                runs->count == 1 ? "run is" : "runs are");
        return NULL;
    }
    for (size_t i = 0; i < runs->count; i++)
        if (name[0] && strncmp(runs->items[i].id, name, strlen(name)) == 0) {
            found = &runs->items[i];
            matches++;
        }
    if (matches == 1)
        return found;
    if (matches)
        err_set(err, ERR_USAGE, "%s is ambiguous: %zu runs begin with it", name, matches);
    else
        err_set(err, ERR_USAGE, "no run %s", name);
    err_hint(err, "tlparse runs lists the runs");
    return NULL;
}

/* ---- Output */

static bool is_plain(struct slice argument) {
    for (size_t i = 0; i < argument.len; i++) {
        char c = argument.ptr[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && !(c && strchr("-_./=:,+@%^*", c))) /* "***" is the rest of a secret */
            return false;
    }
    return argument.len > 0;
}

void kept_add_word(struct buf *out, struct slice argument) {
    if (is_plain(argument)) {
        buf_add(out, argument);
        return;
    }
    buf_add_byte(out, '\'');
    for (size_t i = 0; i < argument.len; i++)
        if (argument.ptr[i] == '\'')
            buf_add_lit(out, "'\\''");
        else
            buf_add_byte(out, argument.ptr[i]);
    buf_add_byte(out, '\'');
}

void kept_add_command(struct buf *out, const struct kept *kept) {
    size_t i, count;
    yyjson_val *argument;
    yyjson_arr_foreach(json_get(kept->root, "command"), i, count, argument) {
        if (i)
            buf_add_byte(out, ' ');
        kept_add_word(out, json_text(argument));
    }
}

/* A member of the file, or null. */
static void add_member(struct jsonw *w, const struct kept *kept, const char *key) {
    yyjson_val *value = json_get(kept->root, key);
    if (value)
        jsonw_value(w, key, value);
    else
        jsonw_null(w, key);
}

static void add_list(struct jsonw *w, const struct kept *kept, const char *key) {
    if (yyjson_is_arr(json_get(kept->root, key))) {
        jsonw_value(w, key, json_get(kept->root, key));
        return;
    }
    jsonw_array(w, key);
    jsonw_end_array(w);
}

void kept_add_json(struct jsonw *w, const struct kept *kept) {
    static const char *const members[] = {"cwd", "host", "started", "git", "packages", "environment", "job", "totals"};
    jsonw_object(w, NULL);
    JSON_ADD(w, "id", kept->id, "state", kept_state_name(kept->state));
    jsonw_bool(w, "damaged", !kept->doc);
    jsonw_bool(w, "pinned", kept->pinned);
    add_list(w, kept, "command");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        add_member(w, kept, members[i]);
    JSON_MEMBERS(w, kept, duration_us, status);
    JSON_ADD(w, "signal", kept->signal.len ? kept->signal : (struct slice){0}, "failed_rank", kept->failed_rank);
    add_list(w, kept, "processes");
    JSON_ADD(w, "logs", slice_str(kept->logs), "report", slice_str(kept->report), "bytes", kept->bytes);
    jsonw_end_object(w);
}
