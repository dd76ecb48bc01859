/* redact_text.h - redaction of one text: words, paths, shapes. See redact.h. */
#ifndef TLPARSE_SHARE_REDACT_TEXT_H
#define TLPARSE_SHARE_REDACT_TEXT_H

#include "base/buf.h"
#include "share/redact_state.h"

/* Adds a sentence, a name or a value. `strict`: it is the name of a function of the program, so words of the vocabulary are redacted, too. */
void redact_add_text(struct redact *r, struct slice text, bool strict, struct buf *out);
/* Turns the bytes into their shape, in place. */
void redact_shape(char *bytes, size_t len);
/* Whether all words of the text are in the vocabulary. */
bool redact_is_plain(struct slice text);
/* Whether the path is that of a file of PyTorch. */
bool redact_is_torch(struct slice path);
/* The next word at or after *at, as *from and *at; false if there is none. A word has a letter; "_0_1" has none. */
bool redact_next_word(struct slice text, size_t *at, size_t *from);

#endif
