#include "base/text.h"

#include <inttypes.h>

void size_add(struct buf *out, int64_t bytes) {
    static const struct {
        double below, unit; /* from "999.5" on it has the next unit */
        const char *name;
    } units[] = {{999500, 1e3, "kB"}, {999500000, 1e6, "MB"}, {1e30, 1e9, "GB"}};
    size_t i = 0;
    if (bytes < 1000) {
        buf_addf(out, "%" PRId64 " B", bytes);
        return;
    }
    while ((double)bytes >= units[i].below)
        i++;
    double n = (double)bytes / units[i].unit;
    buf_addf(out, "%.*f %s", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n, units[i].name);
}
