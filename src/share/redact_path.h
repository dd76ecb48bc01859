/* redact_path.h - paths, file names and URLs in texts.
 *
 * If paths are removed, any text that may be a path counts: absolute paths of Unix and Windows, URLs, names with a
 * slash between words, file names with a known extension. If paths stay but code or names are removed, only a text that
 * cannot be anything else counts, because its words stay. */
#pragma once

#include "share/redact_state.h"

/* Remembers unsuccessful searches in a text, so nothing is read twice. {0} is a new text. */
struct redact_seen {
    size_t relative; /* up to here, only an absolute path can begin */
    size_t absolute; /* up to here, none */
};

/* Collects a path that is the value of a member of the data. */
void redact_learn_path(struct redact *r, struct slice path);
/* The length of the path at `at`, where a word begins; 0 if there is none. `seen` belongs to the text. */
size_t redact_path_at(struct redact *r, struct slice text, size_t at, enum redact_style style,
                      struct redact_seen *seen);
/* Adds the name that replaces the path, and collects the user name in it. */
void redact_add_path(struct redact *r, struct slice path, struct buf *out);
/* Whether a whole value is a path: it has a slash, a drive, or an extension. */
bool redact_is_whole_path(struct slice value);
/* Whether the path is that of a file of PyTorch, even an unknown one. */
bool redact_is_torch(struct slice path);
/* Whether a path may begin after this byte. */
bool redact_ends_path(char c);
