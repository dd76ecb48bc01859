#define _GNU_SOURCE
#include "cmd/answer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "cmd/input.h"
#include "cmd/write_logs.h"
#include "sink/memory_sink.h"

enum { WIDTH_DEFAULT = 80 };

/* Reads a whole file. */
static bool read_file(struct buf *out, const char *path, struct err *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : 1;
    while (got > 0) {
        char *to = buf_reserve(out, 1 << 16);
        got = read(fd, to, 1 << 16);
        if (got > 0)
            out->len += (size_t)got;
        else if (got < 0 && errno == EINTR)
            got = 1;
    }
    if (got < 0)
        err_errno(err, "cannot read %s", path);
    if (fd >= 0)
        close(fd);
    return got == 0;
}

/* The report.json that the path is, or that a finished report at the path has; NULL if it is neither. */
static char *report_json_at(const char *path) {
    struct stat st;
    struct slice name = path_last(slice_str(path));
    if (slice_ends(name, SLICE(".json")))
        return mem_strdup(path);
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return NULL;
    char *json = mem_printf("%s/report.json", path), *page = mem_printf("%s/index.html", path);
    bool is_report = access(json, F_OK) == 0 && access(page, F_OK) == 0;
    mem_free(page);
    if (is_report)
        return json;
    mem_free(json);
    return NULL;
}

/* report.json of a rank, within the report of several; NULL: it has no such rank. */
static char *rank_json_of(const char *json, uint64_t rank) {
    struct slice path = slice_str(json), name = path_last(path);
    char *found = mem_printf("%.*srank_%llu/report.json", (int)(path.len - name.len), json, (unsigned long long)rank);
    if (access(found, F_OK) == 0)
        return found;
    mem_free(found);
    return NULL;
}

static bool read_report(struct answer_input *input, const char *json, const struct options *options, struct err *err) {
    struct buf text = {0};
    char *of_rank = options->rank.given ? rank_json_of(json, options->rank.value) : NULL;
    const char *path = of_rank ? of_rank : json;
    bool ok = false;
    if (options->rank.given && !of_rank)
        err_set(err, ERR_INPUT, "%s has no rank %llu", input->name, (unsigned long long)options->rank.value);
    else if (options->latest)
        err_set(err, ERR_USAGE, "--latest is for logs, but %s is a report", input->name);
    else
        ok = read_file(&text, path, err) && report_doc_parse(&input->report, buf_slice(&text), path, err);
    mem_free(of_rank);
    buf_free(&text);
    return ok;
}

/* Reads the logs of the call into memory; only report.json is made. */
static bool read_logs(struct answer_input *input, const struct options *options, struct err *err) {
    struct choice choice;
    struct pipeline_result result = {0};
    struct memory_file *files = NULL;
    if (!input_choose(options, &choice, err))
        return false;
    struct sink *sink = report_sink_create();
    bool ok = write_logs(options, &choice, sink, &result, err), found = false;
    size_t count = ok ? memory_sink_list(sink, &files) : 0;
    for (size_t i = 0; i < count && ok; i++)
        if (slice_is(files[i].path, "report.json")) {
            found = true;
            ok = report_doc_parse(&input->report, files[i].content, input->name, err);
        }
    assert(found || !ok);
    mem_free(files);
    sink_destroy(sink);
    pipeline_result_finish(&result);
    choice_finish(&choice);
    return ok;
}

/* "a.log", "a.log and 2 more", the folder that is read if no path was given. */
static char *name_of(const struct options *options) {
    const char *variable;
    char *fallback = options->paths.count ? NULL : input_fallback(&variable);
    if (!options->paths.count)
        return fallback ? fallback : mem_strdup("");
    if (options->paths.count == 1)
        return mem_strdup(options->paths.items[0]);
    return mem_printf("%s and %zu more", options->paths.items[0], options->paths.count - 1);
}

bool answer_input_read(struct answer_input *input, const struct options *options, struct err *err) {
    *input = (struct answer_input){.name = name_of(options)};
    char *json = options->paths.count == 1 ? report_json_at(options->paths.items[0]) : NULL;
    bool ok = json ? read_report(input, json, options, err) : read_logs(input, options, err);
    mem_free(json);
    return ok;
}

void answer_input_finish(struct answer_input *input) {
    report_doc_finish(&input->report);
    mem_free(input->name);
    *input = (struct answer_input){0};
}

unsigned answer_width(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    uint64_t number;
    if (columns && slice_to_u64(slice_str(columns), &number) && number > 0 && number < 100000)
        return (unsigned)number;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return WIDTH_DEFAULT;
}

bool answer_color(void) {
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(none && none[0]) && !(term && strcmp(term, "dumb") == 0);
}

bool answer_print(struct slice text, struct err *err) {
    bool ok = fwrite(text.ptr, 1, text.len, stdout) == text.len && fflush(stdout) == 0;
    return ok || err_errno(err, "cannot write to standard output");
}
