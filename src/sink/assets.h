/* assets.h - the front end, as it was built: the files of web/dist, embedded in the binary (tools/embed.py). */
#ifndef TLPARSE_SINK_ASSETS_H
#define TLPARSE_SINK_ASSETS_H

#include <stddef.h>

struct files;

struct asset {
    const char *name;
    const unsigned char *bytes;
    size_t len;
};

extern const struct asset assets[];
extern const size_t asset_count;

/* Writes them to assets/. */
void assets_write(struct files *files);
/* The same, but as further names of the files in another report's assets/, where the file system can: a thousand ranks need
 * no thousand copies. */
void assets_link(struct files *files, int from_dirfd);

#endif
