/* redact.h - removes data that identifies a program from a report.
 *
 * Why the data and not the log: a log whose code has lost its names and literals is still a log, but data derived from
 * it would be wrong (operators counted in a graph of x's, guards that cannot be compared). So the analysis sees the
 * unchanged log, and redaction is the last step before packing. It also works for a finished report.
 *
 * How: code and names are removed without a search. Every text of the data is split into words (redact_word.h), and a
 * word stays only if it is in the vocabulary (redact_word.h): even an unknown field, or one that a later version adds,
 * is redacted. Paths (redact_path.h), settings (redact_setting.c), secrets (runs/secret.h) and words that their context
 * identifies (redact_context.c) are searched for. Numbers, punctuation, and the structure of the data stay. The time is
 * linear in the texts.
 *
 *     paths    a path, file name or URL becomes path7.py; the same one has the same name everywhere. Of a file of PyTorch,
 *              site-packages/torch/ and the known folders and names behind it stay. The user of a home directory becomes user1, wherever the name
 *              is a word, and so do values such as USER=x. Addresses of mail and IP count as paths.
 *     code     source lines and the texts of all artifacts (graphs, generated code, guards, cache keys, …) become their shape: each letter x, each
 *              digit 0, all else as it is. In sentences, words that are not in the vocabulary become x's.
 *     config   values of settings become "(removed)", the names of settings stay. A line of a text that names a setting becomes its shape, with the
 *              lines that continue it, and so does the text of an artifact that lists settings. So do
 *              values of environment variables and, in sentences, of secrets.
 *     names    functions, modules, parameters and all other words that are not in the vocabulary become name7, the same one everywhere.
 *
 * Each can be combined with any other. `code` and `names` keep known words; `paths` and `config` remove what is found:
 * without `code` and `names`, everything stays that is neither a path nor a setting.
 *
 * One thread. Life cycle: redact_init, redact_learn of all parts; for each report redact_stream of its streams (redact_stream.c), then redact_json of
 * its parts, then redact_places_forget; redact_finish. If redact_needs_names(), everything is done twice, and the first
 * result is dropped: a name in a path, or a user, may be found only after a text that must be redacted. */
#pragma once

#include "base/json.h"
#include "share/redact_state.h"

enum { REDACT_CHUNK_BYTES = 1 << 20 }; /* of a redacted stream */

/* Parses "paths,names". Fails with ERR_USAGE. */
bool redact_parse(const char *list, unsigned *what, struct err *err);
/* Adds "paths, code, names". */
void redact_add_what(struct buf *out, unsigned what);
/* Adds the data that a redacted report still has: "numbers (…), versions, …, paths". */
void redact_add_left(struct buf *out, unsigned what);

void redact_init(struct redact *r, unsigned what);
void redact_finish(struct redact *r);
/* Collects from a part of the data: the names of functions, files and settings, and the positions of texts in the
 * streams. */
bool redact_learn(struct redact *r, struct slice json);
bool redact_needs_names(const struct redact *r);
/* Adds the redacted part. False if it is not JSON. */
bool redact_json(struct redact *r, struct slice json, struct buf *out);

/* redact_stream.c - redacts the stream of texts of a folder (doc/report-data.md). See redact.h. */
/* Adds the redacted stream. After that, redact_json() translates offsets in it. */
void redact_stream(struct redact *r, struct slice folder, struct slice bytes, struct buf *out);
