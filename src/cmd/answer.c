
#include "cmd/answer.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/log_paths.h"
#include "cmd/messages.h"
#include "cmd/user_hooks.h"
#include "cmd/write_logs.h"
#include "sink/sinks.h"
#include "trace/source.h"

enum { WIDTH_DEFAULT = 80 };

/* How much to make from logs: report.json, the same with the reports inside it or with files of the report, or only the
 * members for a summary. */
enum amount { WHOLE, WITH_PARTS, WITH_TEXTS, FOR_SUMMARY };

/* What to read. */
struct wanted {
    enum amount amount;
    const char *const *folders; /* WITH_TEXTS: see answer_input_read_texts() */
    size_t folder_count;
};

/* Reads a whole address. */
static bool read_address(struct buf *out, const struct options *options, const char *path, struct err *err) {
    struct source source;
    ssize_t got = 1;
    if (!source_open_from(&source, &options->hooks->fetcher.remote, path, &path, 1, err))
        return false;
    while (got > 0) {
        got = source_read(&source, buf_reserve(out, 1 << 16), 1 << 16, err);
        out->len += got > 0 ? (size_t)got : 0;
    }
    const char *damage = source_damage(&source);
    bool ok = got == 0 && (!damage || err_set(err, ERR_INPUT, "%s", damage));
    source_close(&source);
    return ok;
}

/* Reads a whole file or address. */
static bool read_file(struct buf *out, const struct options *options, const char *path, struct err *err) {
    if (source_is_address(path))
        return read_address(out, options, path, err);
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

/* The path itself if it is a report.json, or the report.json of a finished report at the path; NULL: neither. */
static char *report_json_at(const char *path) {
    struct stat st;
    struct slice name = path_last(source_shown(path));
    if (slice_ends(name, SLICE(".json")))
        return mem_strdup(path);
    if (source_is_address(path) || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return NULL;
    char *json = mem_printf("%s/report.json", path), *page = mem_printf("%s/index.html", path);
    bool is_report = access(json, F_OK) == 0 && access(page, F_OK) == 0;
    mem_free(page);
    if (is_report)
        return json;
    mem_free(json);
    return NULL;
}

/* report.json of a rank, within the report on several; NULL: the report does not have the rank. */
static char *rank_json_of(const char *json, uint64_t rank) {
    struct slice path = slice_str(json), name = path_last(path);
    char *found = mem_printf("%.*srank_%" PRIu64 "/report.json", (int)(path.len - name.len), json, rank);
    if (access(found, F_OK) == 0)
        return found;
    mem_free(found);
    return NULL;
}

static bool read_report(struct answer_input *input, const char *json, const struct options *options, struct err *err) {
    AUTO_BUF text = {0};
    char *of_rank = options->rank.given ? rank_json_of(json, options->rank.value) : NULL;
    const char *path = of_rank ? of_rank : json;
    bool ok = false;
    if (options->rank.given && !of_rank)
        err_set(err, ERR_INPUT, "%s has no rank %" PRIu64, input->name, options->rank.value);
    else if (options->latest)
        err_set(err, ERR_USAGE, "--latest is for logs, but %s is a report", input->name);
    else if (options->profile.count)
        err_set(err, ERR_USAGE, "--profile is for logs, but %s is a report", input->name);
    else
        ok = read_file(&text, options, path, err) && report_doc_parse(&input->report, buf_slice(&text), path, err);
    mem_free(of_rank);
    return ok;
}

bool answer_report_read(struct report_doc *report, const struct options *options, const char *path, bool has_rank,
                        uint64_t rank) {
    AUTO_BUF text = {0};
    struct err why = {0};
    char *json = report_json_at(path), *of_rank = json && has_rank ? rank_json_of(json, rank) : NULL;
    const char *read = has_rank ? of_rank : json;
    bool ok = read && !source_is_address(read) && read_file(&text, options, read, &why) &&
              report_doc_parse(report, buf_slice(&text), read, &why);
    mem_free(of_rank);
    mem_free(json);
    return ok;
}

/* Whether the path stays inside the folder of the report: a report.json may have been written by anyone. */
static bool is_inside(struct slice path) {
    for (struct slice rest = path; rest.len;) {
        size_t slash = slice_find(rest, SLICE("/"));
        struct slice part = slice_first(rest, slash);
        if (!part.len || slice_is(part, ".") || slice_is(part, ".."))
            return false;
        rest = slice_from(rest, slash == SIZE_MAX ? rest.len : slash + 1);
    }
    return path.len && !memchr(path.ptr, '\0', path.len);
}

static void add_part(struct answer_input *input, struct slice dir) {
    if (!is_inside(dir))
        return;
    LIST_ADD(&input->parts, (struct answer_part){.dir = mem_printf("%.*s", SLICE_ARG(dir))});
}

/* Adds a part for each report inside the report. */
static void list_parts(struct answer_input *input) {
    size_t i, max, m, members;
    yyjson_val *item, *member;
    yyjson_arr_foreach(json_get(input->report.root, "ranks"), i, max, item) {
        add_part(input, json_get_text(item, "dir"));
        yyjson_arr_foreach(json_get(item, "members"), m, members, member) {
            add_part(input, json_get_text(member, "dir"));
        }
    }
}

/* Reads the parts from the folder of a finished report; json is the path of its report.json. */
static void read_parts(struct answer_input *input, const struct options *options, const char *json) {
    struct slice path = slice_str(json);
    int folder = (int)(path.len - path_last(path).len);
    list_parts(input);
    for (size_t i = 0; i < input->parts.count; i++) {
        struct answer_part *part = &input->parts.items[i];
        AUTO_BUF text = {0};
        struct err why = {0};
        char *name = mem_printf("%.*s%s/report.json", folder, json, part->dir);
        part->read =
            read_file(&text, options, name, &why) && report_doc_parse(&part->report, buf_slice(&text), name, &why);
        if (!part->read)
            messages_print(stderr, why.text);
        mem_free(name);
    }
}

/* Reads the parts from files in memory. */
static bool parse_parts(struct answer_input *input, const struct memory_file *files, size_t count, struct err *err) {
    list_parts(input);
    for (size_t i = 0; i < input->parts.count; i++) {
        struct answer_part *part = &input->parts.items[i];
        char *name = mem_printf("%s/report.json", part->dir);
        for (size_t f = 0; f < count && !part->read; f++)
            if (slice_is(files[f].path, name)) {
                part->read = true;
                if (!report_doc_parse(&part->report, files[f].content, name, err)) {
                    mem_free(name);
                    return false;
                }
            }
        mem_free(name);
    }
    return true;
}

/* Replaces the report on several ranks by that of the rank of the call. */
static bool choose_rank(struct answer_input *input, const struct options *options, const struct memory_file *files,
                        size_t count, struct err *err) {
    size_t i, max;
    yyjson_val *item, *chosen = NULL;
    yyjson_arr_foreach(json_get(input->report.root, "ranks"), i, max, item) {
        uint64_t number;
        if (json_to_u64(json_get(item, "rank"), &number) && number == options->rank.value)
            chosen = item;
    }
    if (!chosen)
        return err_set(err, ERR_INPUT, "%s has no rank %" PRIu64, input->name, options->rank.value);
    input->folder = mem_printf("%.*s/", SLICE_ARG(json_get_text(chosen, "dir")));
    char *name = mem_printf("%sreport.json", input->folder);
    bool ok = false;
    report_doc_finish(&input->report);
    for (size_t f = 0; f < count; f++)
        if (slice_is(files[f].path, name))
            ok = report_doc_parse(&input->report, files[f].content, name, err);
    mem_free(name);
    return ok || err->code ||
           err_set(err, ERR_INPUT, "%s: the log of rank %" PRIu64 " could not be read", input->name,
                   options->rank.value);
}

/* Reads the logs of the call into memory; only report.json is made. */
static bool read_logs(struct answer_input *input, const struct options *options, const struct wanted *wanted,
                      struct err *err) {
    struct choice choice;
    struct pipeline_result result = {0};
    struct memory_file *files = NULL;
    if (!input_choose(options, &choice, err))
        return false;
    struct sink *sink = wanted->amount == FOR_SUMMARY ? summary_sink_create()
                      : wanted->amount == WITH_TEXTS  ? folders_sink_create(wanted->folders, wanted->folder_count)
                                                      : report_sink_create();
    bool ok = write_logs(options, &choice, sink, &result, err), found = false;
    size_t count = ok ? memory_sink_list(sink, &files) : 0;
    for (size_t i = 0; i < count && ok; i++)
        if (slice_is(files[i].path, "report.json")) {
            found = true;
            ok = report_doc_parse(&input->report, files[i].content, input->name, err);
        }
    assert(found || !ok);
    (void)found;
    if (ok && wanted->amount == WITH_PARTS)
        ok = parse_parts(input, files, count, err);
    if (ok && wanted->amount == WITH_TEXTS && options->rank.given && input->report.kind == DOC_RANKS)
        ok = choose_rank(input, options, files, count, err);
    mem_free(files);
    if (wanted->amount == WITH_TEXTS)
        input->sink = sink;
    else
        sink_destroy(sink);
    pipeline_result_finish(&result);
    choice_finish(&choice);
    return ok;
}

/* The folder of a report.json, with its "/"; with --rank, that of the rank's report. */
static char *folder_of(const char *json, const struct options *options) {
    char *of_rank = options->rank.given ? rank_json_of(json, options->rank.value) : NULL;
    struct slice path = slice_str(of_rank ? of_rank : json);
    char *folder = mem_printf("%.*s", (int)(path.len - path_last(path).len), path.ptr);
    mem_free(of_rank);
    return folder;
}

/* "a.log", "a.log and 2 more", or the folder that is read if no path was given. */
static char *name_of(const struct options *options) {
    const char *variable;
    char *fallback = options->paths.count ? NULL : input_fallback(&variable);
    if (!options->paths.count)
        return fallback ? fallback : mem_strdup("");
    struct slice first = source_shown(options->paths.items[0]);
    if (options->paths.count == 1)
        return mem_printf("%.*s", SLICE_ARG(first));
    return mem_printf("%.*s and %zu more", SLICE_ARG(first), options->paths.count - 1);
}

/* Reads several logs or reports: as runs, or as ranks of a job. */
static bool read_several(struct answer_input *input, const struct options *options, const struct wanted *wanted,
                         struct err *err) {
    struct log_paths paths = {0};
    struct options resolved = *options;
    bool ok = log_paths_add_all(&paths, &options->paths, err);
    resolved.paths = (struct option_list){paths.items, paths.count};
    ok = ok && read_logs(input, &resolved, wanted, err);
    log_paths_finish(&paths);
    return ok;
}

static bool read_input(struct answer_input *input, const struct options *options, const struct wanted *wanted,
                       struct err *err) {
    *input = (struct answer_input){.name = name_of(options)};
    if (options->paths.count > 1)
        return read_several(input, options, wanted, err);
    char *json = options->paths.count ? report_json_at(options->paths.items[0]) : NULL;
    bool ok = json ? read_report(input, json, options, err) : read_logs(input, options, wanted, err);
    if (ok && json && wanted->amount == WITH_PARTS)
        read_parts(input, options, json);
    if (ok && json && wanted->amount == WITH_TEXTS)
        input->folder = folder_of(json, options);
    mem_free(json);
    return ok;
}

bool answer_input_read(struct answer_input *input, const struct options *options, struct err *err) {
    return read_input(input, options, &(struct wanted){.amount = WHOLE}, err);
}

bool answer_input_read_summary(struct answer_input *input, const struct options *options, struct err *err) {
    return read_input(input, options, &(struct wanted){.amount = FOR_SUMMARY}, err);
}

bool answer_input_read_all(struct answer_input *input, const struct options *options, struct err *err) {
    return read_input(input, options, &(struct wanted){.amount = WITH_PARTS}, err);
}

bool answer_input_read_texts(struct answer_input *input, const struct options *options, const char *const *folders,
                             size_t count, struct err *err) {
    return read_input(input, options, &(struct wanted){WITH_TEXTS, folders, count}, err);
}

static bool text_in_memory(const struct sink *sink, struct slice path, struct buf *out) {
    struct memory_file *files = NULL;
    size_t count = memory_sink_list(sink, &files);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        if (slice_eq(files[i].path, path)) {
            found = true;
            buf_add(out, files[i].content);
        }
    mem_free(files);
    return found;
}

bool answer_input_text(const struct answer_input *input, const struct options *options, struct slice path,
                       struct buf *out, struct err *err) {
    if (!is_inside(path))
        return err_set(err, ERR_INPUT, "%s: a path in its report.json leads out of it", input->name);
    char *file = mem_printf("%s%.*s", input->folder ? input->folder : "", SLICE_ARG(path));
    bool ok = input->sink ? text_in_memory(input->sink, slice_str(file), out) ||
                                err_set(err, ERR_INPUT, "%s: %s is missing", input->name, file)
                          : read_file(out, options, file, err);
    mem_free(file);
    return ok;
}

void answer_input_finish(struct answer_input *input) {
    for (size_t i = 0; i < input->parts.count; i++) {
        mem_free(input->parts.items[i].dir);
        report_doc_finish(&input->parts.items[i].report);
    }
    mem_free(input->parts.items);
    report_doc_finish(&input->report);
    mem_free(input->name);
    mem_free(input->folder);
    sink_destroy(input->sink);
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

struct source_roots answer_roots(const char *project) {
    const char *workspace = getenv("GITHUB_WORKSPACE");
    size_t len = workspace && workspace[0] == '/' ? strlen(workspace) : 0;
    while (len && workspace[len - 1] == '/')
        len--;
    return (struct source_roots){{slice_make(workspace, len), slice_str(project)}};
}
