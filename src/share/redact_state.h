/* redact_state.h - what one redaction remembers: see redact.h. */
#ifndef TLPARSE_SHARE_REDACT_STATE_H
#define TLPARSE_SHARE_REDACT_STATE_H

#include "base/map.h"
#include "base/mem.h"

enum { REDACT_PATHS = 1, REDACT_CODE = 2, REDACT_CONFIG = 4, REDACT_NAMES = 8 };

struct redact {
    unsigned what; /* REDACT_…; 0: nothing is redacted */
    struct map names, paths, files;
    struct map functions; /* names of functions of the program, even if they are words of the vocabulary */
    uint32_t name_count, path_count;
    LIST(struct redact_list {
        char *folder;
        size_t offset;
        size_t bytes;
    })
    lists; /* lists of guards in the streams of texts, which are JSON */
};

#endif
