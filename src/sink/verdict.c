#include "sink/sinks.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/walk.h"
#include "sink/manifest.h"

enum { HEAD_BYTES = 4096, MD5_CHARS = 32 };

/* The top-level files of the reference's reports, and what distinguishes them from other files: the name, or a text
 * near the start of the file. */
static const struct part {
    const char *name;
    const char *mark; /* NULL: other folders have this file, too; "": the name is sufficient */
} parts[] = {
    {"chromium_events.json", NULL},
    {"chromium_trace_with_runtime.json", NULL},
    {"collective_schedules.json", NULL},
    {"collectives_parity.json", NULL},
    {"compile_directory.json", ""},
    {"execution_order_report.json", NULL},
    {"failures_and_restarts.html", ""},
    {"index.html", "<h1>Draft Export Report</h1>"}, /* for --export, the reference writes little else */
    {"raw.jsonl", "{\"string_table\""},
    {"raw.log", NULL},
    {"runtime_estimations.json", NULL},
    {"tlparse_index.html", ""},
};

static bool is_number(struct slice s) {
    uint64_t ignored;
    return slice_to_u64(s, &ignored);
}

static bool is_numbered(struct slice name, struct slice stem) {
    return slice_starts(name, stem) && is_number(slice_from(name, stem.len));
}

/* The folder of a compile id: a_x_y_z with '-' for missing parts. Without any '-', it could be a date. */
static enum verdict judge_compile_folder(struct slice name) {
    int count = 0;
    bool dash = false;
    for (;; count++) {
        const char *end = memchr(name.ptr, '_', name.len);
        struct slice one = slice_first(name, end ? (size_t)(end - name.ptr) : name.len);
        if (!slice_is(one, "-") && !is_number(one))
            return VERDICT_FOREIGN;
        dash |= slice_is(one, "-");
        if (!end)
            break;
        name = slice_from(name, one.len + 1);
    }
    return count != 3 ? VERDICT_FOREIGN : dash ? VERDICT_REPORT : VERDICT_PART;
}

static bool has_mark(int fd, const char *path, const char *mark) {
    char head[HEAD_BYTES];
    int file = openat(fd, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t len = file < 0 ? -1 : fd_read_at(file, head, sizeof head, 0);
    if (file >= 0)
        close(file);
    return len > 0 && slice_find(slice_make(head, (size_t)len), slice_str(mark)) != SIZE_MAX;
}

static enum verdict judge_top_file(int fd, const char *path, struct slice name) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (slice_is(name, parts[i].name))
            return parts[i].mark && (!parts[i].mark[0] || has_mark(fd, path, parts[i].mark)) ? VERDICT_REPORT
                                                                                             : VERDICT_PART;
    bool page = slice_ends(name, SLICE(".html")) && (slice_starts(name, SLICE("provenance_tracking_")) ||
                                                     slice_starts(name, SLICE("symbolic_guard_information_")));
    return page ? VERDICT_PART : VERDICT_FOREIGN;
}

/* Removes the suffix. Returns false if the name does not have it. */
static bool cut(struct slice *name, struct slice suffix) {
    if (!slice_ends(*name, suffix))
        return false;
    *name = slice_first(*name, name->len - suffix.len);
    return true;
}

/* <stem>_N.txt, .json or .html, or the readable form of such a file. */
static bool is_artifact(struct slice name) {
    if (cut(&name, SLICE(".html")))
        cut(&name, SLICE("_readable"));
    else if (!cut(&name, SLICE(".txt")) && !cut(&name, SLICE(".json")))
        return false;
    size_t low = slice_rfind_byte(name, '_');
    return low != SIZE_MAX && is_number(slice_from(name, low + 1));
}

static bool is_payload(struct slice name) {
    if (!cut(&name, SLICE(".txt")) || name.len != MD5_CHARS)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!((name.ptr[i] >= '0' && name.ptr[i] <= '9') || (name.ptr[i] >= 'a' && name.ptr[i] <= 'f')))
            return false;
    return true;
}

/* An entry of the top-level folder `folder`; `name` may include subfolders. */
static enum verdict judge_inner(struct slice folder, struct slice name, enum walk_type type) {
    size_t slash = slice_rfind_byte(name, '/');
    struct slice last = slash == SIZE_MAX ? name : slice_from(name, slash + 1);
    bool file = type == WALK_FILE, direct = slash == SIZE_MAX;
    bool part = slice_is(folder, "payloads")  ? file && direct && is_payload(name)
              : slice_is(folder, "dump_file") ? file && direct && slice_ends(name, SLICE(".html"))
                                              : type == WALK_FOLDER || (file && is_artifact(last));
    return part ? VERDICT_PART : VERDICT_FOREIGN;
}

static enum verdict judge_folder(struct slice name) {
    if (slice_is(name, "payloads") || slice_is(name, "dump_file") || is_numbered(name, SLICE("unknown_")))
        return VERDICT_PART;
    return judge_compile_folder(name);
}

static bool is_rank_folder(struct slice name) {
    return slice_is(name, "rank_none") || is_numbered(name, SLICE("rank_"));
}

struct judge {
    int fd;
    const char *name; /* of the place */
    struct buf *foreign;
    enum verdict verdict; /* so far */
};

/* The verdict on the entry at `path`, whose name within the report, or within the report of a rank, is `name`. */
static enum verdict judge_entry(const struct judge *judge, const char *path, struct slice name, enum walk_type type) {
    if (type == WALK_OTHER)
        return VERDICT_FOREIGN;
    if (type == WALK_FOLDER)
        name = slice_first(name, name.len - 1);
    const char *slash = memchr(name.ptr, '/', name.len);
    if (!slash)
        return type == WALK_FOLDER ? judge_folder(name) : judge_top_file(judge->fd, path, name);
    struct slice folder = slice_first(name, (size_t)(slash - name.ptr));
    return judge_inner(folder, slice_from(name, folder.len + 1), type);
}

static enum walk_next visit(void *data, const char *path, enum walk_type type) {
    struct judge *judge = data;
    struct slice name = slice_str(path);
    struct slice top = slice_first(name, strcspn(path, "/"));
    bool whole = type == WALK_FOLDER && top.len + 1 == name.len;
    if (whole && staging_is_of(top, judge->name))
        return WALK_SKIP;
    if (type == WALK_FILE && staging_is_deleted(name))
        return WALK_ON;
    enum verdict one = VERDICT_PART;
    if (is_rank_folder(top) && top.len < name.len)
        name = slice_from(name, top.len + 1);
    if (name.len)
        one = judge_entry(judge, path, name, type);
    if (one > judge->verdict)
        judge->verdict = one;
    if (one != VERDICT_FOREIGN)
        return WALK_ON;
    buf_add(judge->foreign, slice_first(slice_str(path), strlen(path) - (type == WALK_FOLDER)));
    return WALK_STOP;
}

static enum verdict judge_reference(int fd, const char *name, struct buf *foreign) {
    struct judge judge = {.fd = fd, .name = name, .foreign = foreign, .verdict = VERDICT_PART};
    enum walk_result result = walk_folder(fd, visit, &judge);
    return result == WALK_DONE ? judge.verdict : result == WALK_FAILED ? VERDICT_UNREADABLE : VERDICT_FOREIGN;
}

enum verdict verdict_on(int fd, const char *name, struct buf *foreign) {
    switch (manifest_check(fd, name, foreign)) {
    case MANIFEST_COVERS:
        return VERDICT_REPORT;
    case MANIFEST_FOREIGN:
        return VERDICT_FOREIGN;
    case MANIFEST_UNREADABLE:
        return VERDICT_UNREADABLE;
    default:
        return judge_reference(fd, name, foreign);
    }
}
