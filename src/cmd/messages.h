/* messages.h - messages on stderr.
 *
 * Errors in a log are printed as "FILE:LINE: kind: detail", at most MESSAGES_SHOWN per kind; messages_finish() prints
 * how many more there were. Text from a log or a file name is sanitized first, so it cannot control the terminal.
 * Single-threaded: use it on the thread that calls pipeline_run().
 *
 * Life cycle: {.to = …, .file = …}, messages_fault…, messages_finish. */
#pragma once

#include "base/base.h"

struct progress;

enum { MESSAGES_SHOWN = 3, MESSAGES_DETAIL_BYTES = 200 };

struct messages {
    FILE *to;
    const char *file;          /* name of the log */
    struct progress *progress; /* cleared before each message; may be NULL */
    struct map kinds;          /* text of the kind → index into items */
    struct messages_kind {
        char *text;
        uint64_t count;
    } * items; /* in order of first appearance */
    size_t count, cap;
};

void messages_fault(struct messages *m, const char *kind, uint64_t line, struct slice detail);
/* Prints how many messages of each kind were omitted, and frees. */
void messages_finish(struct messages *m);

/* Adds 1234567 as "1,234,567". */
void messages_add_count(struct buf *out, uint64_t n);
/* Each prints one line of sanitized text after its label: "tlparse: text", "hint: text", "report: path". */
void messages_print(FILE *to, const char *text);
void messages_hint(FILE *to, const char *text);
void messages_report(FILE *to, const char *text);
