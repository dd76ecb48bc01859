/* progress.h - one line on the terminal that says how far a long run is.
 *
 * Nothing at all is written when `to` is no terminal. The line is drawn at most ten times a second, for the first time
 * after a tenth of a second, so short runs show none. Plain characters and '\r' only, no escape sequences. One
 * thread. */
#ifndef TLPARSE_CMD_PROGRESS_H
#define TLPARSE_CMD_PROGRESS_H

#include <stdio.h>

#include "base/buf.h"

struct progress {
    FILE *to; /* NULL: off */
    uint64_t start_us, drawn_us;
    size_t width; /* of what stands on the line now */
};

void progress_init(struct progress *p, FILE *to);
/* `done` of `total` bytes of the file have been read (total 0: not known); they became `unpacked` bytes of log. */
void progress_update(struct progress *p, uint64_t done, uint64_t total, uint64_t unpacked);
/* Clears the line. The next update draws it again. */
void progress_clear(struct progress *p);

/* The text of the line after that much time. Pure. */
void progress_add_text(struct buf *out, uint64_t done, uint64_t total, uint64_t unpacked, uint64_t elapsed_us);
/* 1536 as "1.5 KiB". Pure. */
void progress_add_bytes(struct buf *out, uint64_t bytes);

#endif
