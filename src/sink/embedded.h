/* embedded.h - the files of web/dist as tools/embed.py embeds them. Only assets.c uses it. */
#pragma once

#include "base/base.h"

struct embedded {
    const char *name;
    size_t len;
};

extern const struct embedded embedded[];
extern const size_t embedded_count, embedded_bytes /* of all files */, embedded_stored /* of tlparse_assets */;
/* The files, concatenated. One zstd frame if embedded_stored is less than embedded_bytes. */
extern const unsigned char tlparse_assets[];
