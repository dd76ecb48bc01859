#include "ranks/plan.h"

#include <sys/stat.h>

#include "base/compat.h"
#include "trace/glog.h"
#include "trace/log_head.h"
#include "trace/source.h"

enum { PEEK_BYTES = 64 * 1024 };

/* The time of the first record of a log that consists of several files. */
static int64_t first_time(const char *path) {
    struct stat st;
    struct log_head head = {.at = -1};
    if (stat(path, &st) == 0)
        head = log_head_read(path, compat_mtime(&st).tv_sec);
    return head.known && head.at > 0 ? (int64_t)head.at * 1000000 + head.us : 0;
}

/* Reads the process and the time of the first record. A pipe can be read only once, and is skipped. */
static void peek(struct planned *planned) {
    struct source source;
    struct err err = {0};
    struct stat st;
    const char *last =
        planned->log.path_count > 1 ? planned->log.paths[planned->log.path_count - 1] : planned->log.path;
    bool input = strcmp(planned->log.path, "-") == 0 || source_is_address(planned->log.path),
         known = !input && stat(last, &st) == 0;
    if (known)
        planned->modified_ns = (int64_t)compat_mtime(&st).tv_sec * 1000000000 + compat_mtime(&st).tv_nsec;
    if (!input && !known) {
        err_errno(&err, "cannot open %s", last);
        planned->error = mem_strdup(err.text);
        return;
    }
    if (!planned->log.members && planned->log.path_count > 1)
        planned->began_us = first_time(planned->log.path);
    if (planned->log.members || planned->log.path_count > 1 || input || (known && !S_ISREG(st.st_mode))) {
        planned->readable = true; /* otherwise, the reader will report the reason */
        return;
    }
    if (!source_open(&source, planned->log.path, &err)) {
        planned->error = mem_strdup(err.text);
        return;
    }
    char *head = mem_alloc(PEEK_BYTES);
    ssize_t got = source_read(&source, head, PEEK_BYTES, &err);
    struct slice rest = slice_make(head, got > 0 ? (size_t)got : 0), line;
    struct glog glog;
    planned->readable = got >= 0;
    if (got < 0)
        planned->error = mem_strdup(err.text);
    while (!planned->has_process && slice_next_line(&rest, &line))
        if (line.len && line.ptr[0] != '\t' && glog_parse(line, &glog)) {
            planned->has_process = true;
            planned->process = glog.thread;
            planned->began_us = log_time_us(&glog, compat_mtime(&st).tv_sec);
        }
    source_close(&source);
    mem_free(head);
}

int64_t log_newness(int64_t began_us, int64_t modified_ns) {
    return began_us > 0 ? began_us : modified_ns / 1000;
}

/* By rank, with logs without a rank last; for one rank, the newest first, then by name. A copy may have any
 * modification time, so the first record counts. */
static int by_time(const void *a, const void *b) {
    const struct planned *x = *(struct planned *const *)a, *y = *(struct planned *const *)b;
    if (x->log.has_rank != y->log.has_rank)
        return x->log.has_rank ? -1 : 1;
    if (x->log.rank != y->log.rank)
        return x->log.rank < y->log.rank ? -1 : 1;
    int64_t one = log_newness(x->began_us, x->modified_ns), other = log_newness(y->began_us, y->modified_ns);
    if (one != other)
        return one > other ? -1 : 1;
    return strcmp(x->log.path, y->log.path);
}

/* The order of the report: runs that were named one by one keep their order. */
static int order(const void *a, const void *b) {
    const struct planned *x = a, *y = b;
    if (!x->log.has_rank && !y->log.has_rank && x->log.place != y->log.place)
        return x->log.place < y->log.place ? -1 : 1;
    return by_time(&x, &y);
}

static bool has_jobs(const struct plan *plan) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->items[i].log.members)
            return true;
    return false;
}

static void name_dirs(struct plan *plan) {
    size_t nth = 1;
    bool jobs = has_jobs(plan);
    for (size_t i = 0; i < plan->count; i++) {
        struct planned *planned = &plan->items[i];
        const struct planned *before = i ? &plan->items[i - 1] : NULL;
        bool same = before && before->log.has_rank == planned->log.has_rank && before->log.rank == planned->log.rank;
        AUTO_BUF dir = {0};
        nth = same ? nth + 1 : 1;
        if (jobs)
            buf_addf(&dir, "run_%zu", i + 1);
        else if (planned->log.has_rank)
            buf_addf(&dir, "rank_%" PRIu64, planned->log.rank);
        else
            buf_add_lit(&dir, "rank_none");
        if (nth > 1 && !jobs)
            buf_addf(&dir, "-%zu", nth);
        planned->dir = mem_printf("%.*s", SLICE_ARG(buf_slice(&dir)));
    }
}

/* Whether the process of the log uses strings that another log defines. If it does not, it may be another process with
 * the same number: a rank that was restarted in a container. */
static bool goes_on(const struct planned *planned) {
    struct log_starts starts;
    log_starts_read(&starts, planned->log.path);
    const struct log_start *start = log_starts_of(&starts, planned->process);
    return start && start->kind != LOG_START_FRESH;
}

/* Logs of one process and rank are read in the order in which they were written. */
static void chain_processes(struct plan *plan) {
    struct planned **newest_first = mem_alloc((plan->count + 1) * sizeof *newest_first);
    for (size_t i = 0; i < plan->count; i++) {
        plan->items[i].next = SIZE_MAX;
        newest_first[i] = &plan->items[i];
    }
    qsort(newest_first, plan->count, sizeof *newest_first, by_time);
    for (size_t i = 1; i < plan->count; i++) {
        struct planned *older = newest_first[i];
        for (size_t j = i; j-- > 0;) {
            struct planned *newer = newest_first[j];
            if (newer->log.has_rank != older->log.has_rank || newer->log.rank != older->log.rank)
                break;
            if (!newer->has_process || !older->has_process || newer->process != older->process || newer->follows ||
                !goes_on(newer))
                continue;
            older->next = (size_t)(newer - plan->items);
            newer->follows = true;
            break;
        }
    }
    mem_free(newest_first);
}

void plan_make(struct plan *plan, const struct ranks_log *logs, size_t count) {
    plan->items = mem_zalloc(count, sizeof *plan->items);
    plan->count = count;
    for (size_t i = 0; i < count; i++) {
        plan->items[i].log = logs[i];
        peek(&plan->items[i]);
    }
    qsort(plan->items, count, sizeof *plan->items, order);
    name_dirs(plan);
    chain_processes(plan);
}

void plan_finish(struct plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        mem_free(plan->items[i].dir);
        mem_free(plan->items[i].error);
    }
    mem_free(plan->items);
    *plan = (struct plan){0};
}
