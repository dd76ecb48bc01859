/* lines.h - events as lines: text for a terminal, or JSON (doc/follow.schema.json). Pure; one thread. */
#pragma once

#include "answers/term.h"
#include "follow/event.h"

/* What earlier lines determine: columns only grow. {0}. */
struct lines {
    size_t logs;
    bool several; /* there are ranks, or several logs: lines name theirs */
    unsigned owner_columns, id_columns;
    const char *path; /* of the first event */
    bool has_rank;
    uint64_t rank, process;
    bool any;
};

/* An event from FOLLOW_COMPILE on: a line, and the reason on a line below if there is one. */
void lines_add_text(struct lines *lines, struct term *term, const struct follow_event *event);
/* What happened to a log: "reading train.log from its start again: it was truncated". Of the others nothing. Not sanitized. */
void lines_add_notice(struct buf *out, const struct follow_event *event);
/* An event of any kind, as one line with a newline. */
void lines_add_json(struct buf *out, const struct follow_event *event);
