#include "answers/term.h"

#include <math.h>

/* A no-break space (U+00A0) is between a number and its unit: term_prose() does not wrap there, and prints a space. */
#define NBSP "\u00a0"

static void add_figures(struct buf *out, double n, const char *unit) {
    buf_addf(out, "%.*f" NBSP "%s", n >= 99.95 ? 0 : n >= 9.995 ? 1 : 2, n, unit);
}

void unit_add_time(struct buf *out, int64_t us) {
    unit_add_us(out, (double)us);
}

void unit_add_us(struct buf *out, double us) {
    double n = us;
    if (us < 0) {
        buf_add_byte(out, '-');
        n = -n;
    }
    if (n == 0)
        buf_add_byte(out, '0');
    else if (n < 999.5)
        add_figures(out, n, "µs");
    else if (n < 999500)
        add_figures(out, n / 1e3, "ms");
    else if (n < 120e6)
        add_figures(out, n / 1e6, "s");
    else {
        uint64_t seconds = (uint64_t)llround(n / 1e6), minutes = seconds / 60;
        if (minutes < 120)
            buf_addf(out, "%" PRIu64 NBSP "min" NBSP "%" PRIu64 NBSP "s", minutes, seconds % 60);
        else
            buf_addf(out, "%" PRIu64 NBSP "h" NBSP "%" PRIu64 NBSP "min", minutes / 60, minutes % 60);
    }
}

void unit_add_bytes(struct buf *out, uint64_t bytes) {
    double n = (double)bytes;
    if (n < 1000)
        buf_addf(out, "%" PRIu64 NBSP "B", bytes);
    else if (n < 999500)
        add_figures(out, n / 1e3, "kB");
    else if (n < 999500000)
        add_figures(out, n / 1e6, "MB");
    else
        add_figures(out, n / 1e9, "GB");
}

void unit_add_count(struct buf *out, uint64_t count) {
    char digits[20];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + count % 10);
    while (count /= 10);
    while (n--) {
        buf_add_byte(out, digits[n]);
        if (n && n % 3 == 0)
            buf_add_byte(out, ',');
    }
}

void unit_add_plural(struct buf *out, uint64_t count, const char *one, const char *many) {
    unit_add_count(out, count);
    if (count != 1 && many)
        buf_addf(out, " %s", many);
    else
        buf_addf(out, " %s%s", one, count == 1 ? "" : "s");
}
