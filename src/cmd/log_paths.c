#include "cmd/log_paths.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "trace/source.h"

/* Whether the file begins like a report.json. */
static bool is_report_json(const char *path) {
    static const char start[] = "{\"format\":\"tlparse-report\"";
    char head[sizeof start - 1];
    if (source_is_address(path) || !slice_ends(slice_str(path), SLICE(".json")))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd < 0 ? -1 : fd_read_at(fd, head, sizeof head, 0);
    if (fd >= 0)
        close(fd);
    return got == sizeof head && memcmp(head, start, sizeof head) == 0;
}

/* The folder of a report.json if that belongs to a report; else NULL. The caller frees it. */
static char *report_folder(const char *path) {
    struct slice text = slice_str(path), name = path_last(text);
    if (!slice_is(name, "report.json"))
        return NULL;
    struct slice folder = slice_first(text, text.len - name.len);
    char *page = mem_printf("%.*sindex.html", SLICE_ARG(folder));
    bool is_report = access(page, F_OK) == 0;
    mem_free(page);
    if (!is_report)
        return NULL;
    if (!folder.len)
        return mem_strdup(".");
    return mem_printf("%.*s", (int)(folder.len > 1 ? folder.len - 1 : 1), path);
}

bool log_paths_add(struct log_paths *paths, const char *path, struct err *err) {
    bool is_json = is_report_json(path);
    char *folder = is_json ? report_folder(path) : NULL;
    if (is_json && !folder) {
        err_set(err, ERR_INPUT, "cannot read %s with other paths: the rest of its report is missing", path);
        return err_hint(err, "give the folder of the report, or its log");
    }
    if (paths->count + 1 >= paths->cap) { /* one more for the NULL */
        paths->cap = paths->cap ? 2 * paths->cap : 8;
        paths->items = mem_realloc(paths->items, paths->cap, sizeof *paths->items);
        paths->owned = mem_realloc(paths->owned, paths->cap, sizeof *paths->owned);
    }
    paths->owned[paths->count] = folder;
    paths->items[paths->count++] = folder ? folder : path;
    paths->items[paths->count] = NULL;
    return true;
}

bool log_paths_add_all(struct log_paths *paths, const struct option_list *list, struct err *err) {
    for (size_t i = 0; i < list->count; i++)
        if (!log_paths_add(paths, list->items[i], err))
            return false;
    return true;
}

void log_paths_finish(struct log_paths *paths) {
    for (size_t i = 0; i < paths->count; i++)
        mem_free(paths->owned[i]);
    mem_free(paths->owned);
    mem_free(paths->items);
    *paths = (struct log_paths){0};
}
