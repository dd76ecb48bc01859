/* lines.h - events as lines: text for a terminal, or JSON (doc/follow.schema.json). Pure; one thread. */
#pragma once

#include "answers/term.h"
#include "follow/event.h"

/* State that earlier lines determine: columns only grow. Start with {0}. */
struct lines {
    size_t logs;
    bool several; /* there are ranks or several logs, so lines name theirs */
    unsigned owner_columns, id_columns;
    const char *path; /* of the first event */
    bool has_rank;
    uint64_t rank, process;
    bool any;
};

/* Adds an event from FOLLOW_COMPILE on: a line, and the reason, if any, on a line below. */
void lines_add_text(struct lines *lines, struct term *term, const struct follow_event *event);
/* Adds an event about a log itself: "reading train.log from its start again: it was truncated". Adds nothing for other
 * events. Not sanitized. */
void lines_add_notice(struct buf *out, const struct follow_event *event);
/* Adds any event, as one line with a newline. */
void lines_add_json(struct buf *out, const struct follow_event *event);
