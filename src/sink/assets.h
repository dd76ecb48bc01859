/* assets.h - the front end: the files of web/dist, embedded in the binary (tools/embed.py).
 *
 * The binary may contain them compressed. The first call then decompresses all of them, about 1.4 MB, and they stay in
 * memory until the program ends. Any thread. */
#pragma once

#include "base/base.h"

struct files;
struct sink;

struct asset {
    const char *name;
    const unsigned char *bytes;
    size_t len;
};

/* All of them, in the order of their names. */
const struct asset *assets_all(size_t *count);

/* The script of a file that contains a whole report (share/one.h). It is not written to report folders. */
#define ASSET_LOADER "one.js"

/* The asset with this name, which must exist. */
const struct asset *asset_named(const char *name);
/* Writes them to assets/. `from` (may be NULL): another report that has them; if possible, the files become hard links
 * to it, because a thousand ranks do not need a thousand copies. */
void assets_write(struct files *files, struct sink *from);

/* The files of web/dist as tools/embed.py embeds them. Only assets.c uses them. */
struct embedded {
    const char *name;
    size_t len;
};

extern const struct embedded embedded[];
extern const size_t embedded_count, embedded_bytes /* of all files */, embedded_stored /* of tlparse_assets */;
/* The files, concatenated. One zstd frame if embedded_stored is less than embedded_bytes. */
extern const unsigned char tlparse_assets[];
