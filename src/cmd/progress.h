/* progress.h - a progress line on the terminal.
 *
 * Nothing is written if `to` is not a terminal. The line is drawn at most ten times a second, and not before a tenth of
 * a second, so short runs show none. Uses '\r' and no escape sequences. Single-threaded. */
#pragma once

#include "base/base.h"

struct progress {
    FILE *to; /* NULL: off */
    uint64_t start_us, drawn_us;
    size_t width; /* bytes on the line now */
};

void progress_init(struct progress *p, FILE *to);
/* `done` of `total` bytes of the file have been read (total 0: unknown); they decompressed to `unpacked` bytes. */
void progress_update(struct progress *p, uint64_t done, uint64_t total, uint64_t unpacked);
/* The same, at a given time of CLOCK_MONOTONIC. */
void progress_update_at(struct progress *p, uint64_t now_us, uint64_t done, uint64_t total, uint64_t unpacked);
/* Clears the line. The next update redraws it. */
void progress_clear(struct progress *p);

/* Adds the text of the line after that much time. Pure. */
void progress_add_text(struct buf *out, uint64_t done, uint64_t total, uint64_t unpacked, uint64_t elapsed_us);
/* Adds 1536 as "1.5 KiB". Pure. */
void progress_add_bytes(struct buf *out, uint64_t bytes);
