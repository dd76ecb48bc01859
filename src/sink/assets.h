/* assets.h - the front end, as it was built: the files of web/dist, embedded in the binary (tools/embed.py). */
#ifndef TLPARSE_SINK_ASSETS_H
#define TLPARSE_SINK_ASSETS_H

#include <stddef.h>

struct files;
struct sink;

struct asset {
    const char *name;
    const unsigned char *bytes;
    size_t len;
};

extern const struct asset assets[];
extern const size_t asset_count;

/* Writes them to assets/. */
void assets_write(struct files *files);
/* The same, but as further names of the files in the assets/ of another report in the same sink, where that is possible: a
 * thousand ranks need no thousand copies. */
void assets_share(struct files *files, struct sink *from);

#endif
