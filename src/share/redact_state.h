/* redact_state.h - what one redaction remembers: see redact.h. */
#pragma once

#include "share/redact_known.h"
#include "share/redact_places.h"

enum { REDACT_PATHS = 1, REDACT_CODE = 2, REDACT_CONFIG = 4, REDACT_NAMES = 8 };

/* How a text is read. */
enum redact_style {
    REDACT_SENTENCE, /* a message, a value */
    REDACT_FUNCTION, /* the name of a function of the program, so words of the vocabulary are redacted, too */
    REDACT_SOURCE,   /* source code, or a text of an artifact: x.log is an attribute */
    REDACT_TORCH,    /* source code and functions of PyTorch's own files, whose names are public */
};

struct redact {
    unsigned what;        /* REDACT_…; 0: nothing is redacted */
    struct map names;     /* words that were replaced, to their number */
    struct map paths;     /* whole paths, to their number */
    struct map files;     /* file names, to the number of the first path that has them */
    struct map users;     /* names of users, from paths of home directories, to their number */
    struct map functions; /* names of functions of the program, even if they are words of the vocabulary */
    struct map settings;  /* names of settings that the log has */
    struct map persons;   /* values that are users or hosts where they are, to their number among the users */
    uint32_t name_count, path_count, user_count;
    struct redact_known
        spaced; /* paths of files that have characters at which a path in a text ends, and their directories */
    struct redact_known values;  /* texts that are values of settings, without those that the vocabulary has */
    struct redact_places places; /* of the report that is being redacted */
};
