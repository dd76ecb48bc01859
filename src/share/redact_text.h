/* redact_text.h - redaction of one text: settings, paths, words. See redact.h. */
#pragma once

#include "share/redact_state.h"

/* Adds a sentence, a name, a value or source code. */
void redact_add_text(struct redact *r, struct slice text, enum redact_style style, struct buf *out);
/* Adds a value that is a path as a whole, even with spaces. */
void redact_add_whole_path(struct redact *r, struct slice path, struct buf *out);
/* Adds the text of an artifact, line by line: what names a setting becomes its shape if settings are removed. */
void redact_add_lines(struct redact *r, struct slice text, struct buf *out);
