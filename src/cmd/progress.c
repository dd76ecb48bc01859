
#include "cmd/progress.h"

#include <time.h>
#include <unistd.h>

enum { DRAW_US = 100 * 1000, SETTLE_US = 1000 * 1000 };

static uint64_t clock_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void progress_add_bytes(struct buf *out, uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double n = (double)bytes / 1024;
    size_t unit = 0;
    if (bytes < 1024) {
        buf_addf(out, "%u bytes", (unsigned)bytes);
        return;
    }
    while (n >= 1023.95) {
        n /= 1024;
        unit++;
    }
    buf_addf(out, "%.1f %s", n, units[unit]);
}

static void add_duration(struct buf *out, uint64_t seconds) {
    if (seconds >= 3600)
        buf_addf(out, "%" PRIu64 " h %" PRIu64 " min", (seconds / 3600), (seconds / 60 % 60));
    else if (seconds >= 60)
        buf_addf(out, "%" PRIu64 " min %" PRIu64 " s", (seconds / 60), (seconds % 60));
    else
        buf_addf(out, "%" PRIu64 " s", seconds);
}

void progress_add_text(struct buf *out, uint64_t done, uint64_t total, uint64_t unpacked, uint64_t elapsed_us) {
    progress_add_bytes(out, unpacked);
    if (total)
        buf_addf(out, ", %u%%", (unsigned)(done >= total ? 100 : (double)done / (double)total * 100));
    if (!elapsed_us)
        return;
    buf_add_lit(out, ", ");
    progress_add_bytes(out, (uint64_t)((double)unpacked * 1e6 / (double)elapsed_us));
    buf_add_lit(out, "/s");
    if (done && done < total && elapsed_us >= SETTLE_US) {
        buf_add_lit(out, ", ");
        add_duration(out, (uint64_t)((double)(total - done) * (double)elapsed_us / (double)done / 1e6 + 0.5));
        buf_add_lit(out, " left");
    }
}

void progress_init(struct progress *p, FILE *to) {
    *p = (struct progress){.to = isatty(fileno(to)) ? to : NULL};
    p->start_us = p->drawn_us = clock_us();
}

void progress_update(struct progress *p, uint64_t done, uint64_t total, uint64_t unpacked) {
    if (p->to)
        progress_update_at(p, clock_us(), done, total, unpacked);
}

void progress_update_at(struct progress *p, uint64_t now_us, uint64_t done, uint64_t total, uint64_t unpacked) {
    if (!p->to || now_us - p->drawn_us < DRAW_US)
        return;
    AUTO_BUF text = {0};
    progress_add_text(&text, done, total, unpacked, now_us - p->start_us);
    int pad = text.len < p->width ? (int)(p->width - text.len) : 0;
    fprintf(p->to, "\r%.*s%*s", (int)text.len, text.ptr, pad, "");
    fflush(p->to);
    p->width = text.len;
    p->drawn_us = now_us;
}

void progress_clear(struct progress *p) {
    if (!p->to || !p->width)
        return;
    fprintf(p->to, "\r%*s\r", (int)p->width, "");
    fflush(p->to);
    p->width = 0;
}
