#include "sink/verdict.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/dir.h"
#include "sink/staging.h"

enum { HEAD_BYTES = 4096 };

/* The top-level entries of a report, and what distinguishes them from other files: a name, or a text near the start of
 * the file. */
static const struct part {
    const char *name;
    bool folder;
    const char *mark; /* NULL: other folders have this, too; "": the name is sufficient */
} parts[] = {
    {"assets", true, NULL},
    {"chromium_events.json", false, NULL},
    {"chromium_trace_with_runtime.json", false, NULL},
    {"collective_schedules.json", false, NULL},
    {"collectives_parity.json", false, NULL},
    {"compile_directory.json", false, ""},
    {"data", true, NULL},
    {"dump_file", true, NULL},
    {"execution_order_report.json", false, NULL},
    {"failures_and_restarts.html", false, ""},
    {"index.html", false, "<h1>Draft Export Report</h1>"}, /* for --export, the reference writes little else */
    {"parsers", true, NULL},
    {"payloads", true, NULL},
    {"raw.jsonl", false, "{\"string_table\""},
    {"raw.log", false, NULL},
    {"report.json", false, "tlparse-report"},
    {"runtime_estimations.json", false, NULL},
    {"tlparse_index.html", false, ""},
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

static bool has_mark(int fd, const char *name, const char *mark) {
    char head[HEAD_BYTES];
    int file = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t len = file < 0 ? -1 : read(file, head, sizeof head);
    if (file >= 0)
        close(file);
    return len > 0 && slice_find(slice_make(head, (size_t)len), slice_str(mark)) != SIZE_MAX;
}

static enum verdict judge_file(int fd, struct slice name) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!parts[i].folder && slice_is(name, parts[i].name))
            return parts[i].mark && (!parts[i].mark[0] || has_mark(fd, name.ptr, parts[i].mark)) ? VERDICT_REPORT
                                                                                                 : VERDICT_PART;
    bool page = slice_ends(name, SLICE(".html")) && (slice_starts(name, SLICE("provenance_tracking_")) ||
                                                     slice_starts(name, SLICE("symbolic_guard_information_")));
    return page ? VERDICT_PART : VERDICT_FOREIGN;
}

/* Which reports a folder may contain: of runs, of ranks, or none. */
enum below { BELOW_NONE, BELOW_RANKS, BELOW_RUNS };

static enum verdict judge_contents(int fd, enum below below, char *foreign, size_t size);

/* rank_3, rank_none, and further logs of the same rank: rank_3-2. */
static bool is_rank_folder(struct slice name) {
    size_t dash = slice_rfind_byte(name, '-');
    if (dash != SIZE_MAX && is_numbered(slice_from(name, dash), SLICE("-")))
        name = slice_first(name, dash);
    return slice_is(name, "rank_none") || is_numbered(name, SLICE("rank_"));
}

static enum verdict judge_folder(int fd, struct slice name, enum below below, char *foreign, size_t size) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].folder && slice_is(name, parts[i].name))
            return VERDICT_PART;
    if (is_numbered(name, SLICE("unknown_")) || staging_is_name(name))
        return VERDICT_PART;
    bool run = below == BELOW_RUNS && is_numbered(name, SLICE("run_"));
    if (!run && (below == BELOW_NONE || !is_rank_folder(name)))
        return judge_compile_folder(name);
    int rank = openat(fd, name.ptr, DIR_OPEN | O_NOFOLLOW); /* a report, or unrelated files such as checkpoints */
    if (rank < 0)
        return VERDICT_FOREIGN;
    int len = snprintf(foreign, size, "%s/", name.ptr);
    enum verdict verdict = judge_contents(rank, run ? BELOW_RANKS : BELOW_NONE, foreign + len, size - (size_t)len);
    close(rank);
    return verdict;
}

/* The verdict on all entries. If it is VERDICT_FOREIGN, `foreign` gets the name of the first foreign entry, or "" if
 * it is unknown. `size` must exceed the length of a name. */
static enum verdict judge_contents(int fd, enum below below, char *foreign, size_t size) {
    struct names names = {0};
    enum verdict all = names_list(fd, &names) ? VERDICT_PART : VERDICT_FOREIGN;
    foreign[0] = '\0';
    for (size_t i = 0; i < names.count && all != VERDICT_FOREIGN; i++) {
        const char *name = names.items[i];
        struct stat st;
        enum verdict one = VERDICT_FOREIGN;
        char inner[3 * NAME_MAX + 8] = "";
        if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            one = VERDICT_FOREIGN;
        else if (S_ISDIR(st.st_mode))
            one = judge_folder(fd, slice_str(name), below, inner, sizeof inner);
        else if (S_ISREG(st.st_mode))
            one = judge_file(fd, slice_str(name));
        if (one == VERDICT_FOREIGN)
            snprintf(foreign, size, "%s", inner[0] ? inner : name);
        if (one == VERDICT_FOREIGN || one > all)
            all = one;
    }
    names_free(&names);
    return all;
}

enum verdict verdict_on(int fd, char *foreign, size_t size) {
    return judge_contents(fd, BELOW_RUNS, foreign, size);
}
