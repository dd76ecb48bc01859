/* lang.h - the language of a text, for the reader's editor. Pure, any thread. */
#ifndef TLPARSE_MODEL_LANG_H
#define TLPARSE_MODEL_LANG_H

enum lang {
    LANG_NONE, /* not said */
    LANG_TEXT,
    LANG_PYTHON,
    LANG_CPP,
    LANG_JSON,
    LANG_GRAPH,  /* an FX graph, printed */
    LANG_GUARDS, /* a tree of guards */
    LANGS,
};

/* As report.json and the pages have it: "python"; NULL for LANG_NONE. */
const char *lang_name(enum lang lang);

#endif
