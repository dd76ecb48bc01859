/* messages.h - what the user is told on stderr.
 *
 * Faults of a log are printed as "FILE:LINE: kind: detail", at most MESSAGES_SHOWN of a kind; the rest is counted and
 * told in one line a kind at the end. Text that comes from a log or a file name is made harmless first: it must not
 * drive the terminal. One thread (that of pipeline_run()).
 *
 * Life cycle: {.to = …, .file = …}, messages_fault…, messages_finish. */
#ifndef TLPARSE_CMD_MESSAGES_H
#define TLPARSE_CMD_MESSAGES_H

#include <stdio.h>

#include "base/buf.h"
#include "base/map.h"

struct progress;

enum { MESSAGES_SHOWN = 3, MESSAGES_DETAIL_BYTES = 200 };

struct messages {
    FILE *to;
    const char *file;          /* the log's name */
    struct progress *progress; /* its line is cleared before a message; may be NULL */
    struct map kinds;          /* text of the kind → place in items */
    struct messages_kind {
        char *text;
        uint64_t count;
    } * items; /* in order of first appearance */
    size_t count, cap;
};

void messages_fault(struct messages *m, const char *kind, uint64_t line, struct slice detail);
/* Tells how many were left out, and frees. */
void messages_finish(struct messages *m);

/* Adds the text so that a terminal shows it and does nothing else: control characters and marks that turn the direction
 * of text become \xNN or \u{NNNN}, what is no UTF-8 becomes U+FFFD. After `max` bytes of the text it is cut, with
 * "…". */
void messages_add_safe(struct buf *out, struct slice text, size_t max);
/* 1234567 as "1,234,567". */
void messages_add_count(struct buf *out, uint64_t n);
/* "tlparse: text", made safe, and a line end. */
void messages_print(FILE *to, const char *text);

#endif
