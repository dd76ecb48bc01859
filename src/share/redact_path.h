/* redact_path.h - paths, file names and URLs in texts.
 *
 * Where paths are removed, whatever may be one is: absolute paths of Unix and Windows, URLs, names with a slash between words, file names with a known
 * extension. Where they stay but code or names are removed, only what cannot be anything else is one, because its words stay. */
#pragma once

#include "share/redact_state.h"

/* What of a text was looked at in vain, so that nothing is read twice. {0} is a new text. */
struct redact_seen {
    size_t relative; /* up to here, only an absolute path may begin */
    size_t absolute; /* up to here, none */
};

/* Collects a path that a member of the data has as its value. */
void redact_learn_path(struct redact *r, struct slice path);
/* The length of the path that begins at `at`, where a word begins; 0 if there is none. `seen` is of the text. */
size_t redact_path_at(struct redact *r, struct slice text, size_t at, enum redact_style style,
                      struct redact_seen *seen);
/* Adds the name that stands for the path, and collects the name of the user in it. */
void redact_add_path(struct redact *r, struct slice path, struct buf *out);
/* Whether a whole value is a path: it has a slash, a drive, or an extension. */
bool redact_is_whole_path(struct slice value);
/* Whether the path is that of a file of PyTorch, also of one that is not known. */
bool redact_is_torch(struct slice path);
/* Whether a path may begin after this byte. */
bool redact_ends_path(char c);
