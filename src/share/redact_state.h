/* redact_state.h - the state of a redaction, see redact.h. */
#pragma once

#include "share/redact_known.h"
#include "share/redact_places.h"

enum { REDACT_PATHS = 1, REDACT_CODE = 2, REDACT_CONFIG = 4, REDACT_NAMES = 8 };

/* How to read a text. */
enum redact_style {
    REDACT_SENTENCE, /* a message, a value */
    REDACT_FUNCTION, /* a function name of the program, so even words of the vocabulary are redacted */
    REDACT_SOURCE,   /* source code, or the text of an artifact: x.log is an attribute */
    REDACT_TORCH,    /* source code and functions in PyTorch's own files, whose names are public */
};

struct redact {
    unsigned what;        /* REDACT_… flags; 0: nothing is redacted */
    struct map names;     /* replaced words → their numbers */
    struct map paths;     /* whole paths → their numbers */
    struct map files;     /* file names → the number of the first path with that name */
    struct map users;     /* user names from paths of home directories → their numbers */
    struct map functions; /* function names of the program, even if they are words of the vocabulary */
    struct map settings;  /* names of settings in the log */
    struct map persons;   /* values that their context identifies as users or hosts → their numbers among the users */
    uint32_t name_count, path_count, user_count;
    /* Paths of files with characters that would end a path in a text, and their directories */
    struct redact_known spaced;
    struct redact_known values;  /* texts that are values of settings, except those that the vocabulary covers */
    struct redact_places places; /* places of the report that is being redacted */
};
