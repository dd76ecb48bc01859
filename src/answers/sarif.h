/* sarif.h - parts of SARIF 2.1.0, the format in which editors and code hosts read results about lines. One thread. */
#pragma once

#include "base/jsonw.h"

extern const char sarif_schema[];

/* Files below one of these folders are named relative to it; the first match counts. Empty: unused. */
struct source_roots {
    struct slice items[2];
};
struct slice source_roots_path(const struct source_roots *roots, struct slice file);

/* {"text": …} */
void sarif_add_message(struct jsonw *w, const char *key, struct slice text);
/* The members of a location; line 0: the whole file. */
void sarif_add_place(struct jsonw *w, const struct source_roots *roots, struct slice file, uint64_t line);
void sarif_add_function(struct jsonw *w, struct slice function);
