/* source_texts.h - whole files of source for the page, from folders that the user named (--source).
 *
 * A file is that of the log only if each line of it that a record quotes has the same text, and there is such a line. One thread. */
#pragma once

#include "base/jsonw.h"
#include "report/view.h"
#include "sink/files.h"

struct source_text {
    struct slice file;  /* as the log calls it; of the model */
    struct slice below; /* the file's path below `folder`; of the model */
    const char *folder; /* as the user gave it */
    size_t quoted;      /* number of lines that the log quotes */
};

struct source_texts {
    LIST(struct source_text) list; /* by file; the k-th is in data/sources.<k>.js */
};

/* Finds the files, and writes data/sources.<k>.js. Nothing if view->sources is NULL. */
void source_texts_write(struct source_texts *texts, const struct report_view *view, struct files *files);
/* The member of the page's data; nothing if there is no file. */
void source_texts_add(struct jsonw *w, const char *key, const struct source_texts *texts);
void source_texts_free(struct source_texts *texts);
