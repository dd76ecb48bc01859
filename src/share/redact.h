/* redact.h - removes what identifies a program from the data of a report.
 *
 * Why the data and not the log: a log whose code has lost its names and literals is still a log, but what is derived from it would be wrong (operators
 * counted in a graph of x's, guards that cannot be compared). So the analysis sees the log as it is, and redaction is the last step before packing.
 * It works for a finished report, too.
 *
 * How: nothing is searched for. Every text of the data is cut into words, and a word stays only if it is in the vocabulary (vocabulary.h): a field that
 * this file does not know, or that a later version adds, is redacted. Numbers, punctuation, and the structure of the data stay.
 *
 *     paths    a path, file name or URL becomes path7.py; the same one has the same name everywhere. Files of PyTorch itself stay, from
 *              site-packages/torch/ on.
 *     code     source lines and the texts of all artifacts (graphs, generated code, guards, cache keys, …) become their shape: each letter x, each
 *              digit 0, all else as it is. In sentences, words that are not in the vocabulary become x's.
 *     config   values of settings become "(removed)", the names of settings stay.
 *     names    functions, modules, parameters and all other words that are not in the vocabulary become name7, the same one everywhere.
 *
 * Each of paths, config and names includes code, because the texts of artifacts contain paths, settings and names in forms that nobody can list.
 *
 * One thread. Life cycle: redact_init, redact_learn of the parts that name functions, redact_json and redact_stream of every part, redact_finish. */
#ifndef TLPARSE_SHARE_REDACT_H
#define TLPARSE_SHARE_REDACT_H

#include "base/err.h"
#include "base/json.h"
#include "share/redact_state.h"

/* Parses "paths,names". Fails with ERR_USAGE. */
bool redact_parse(const char *list, unsigned *what, struct err *err);
/* Adds "paths, code, names". */
void redact_add_what(struct buf *out, unsigned what);

void redact_init(struct redact *r, unsigned what);
void redact_finish(struct redact *r);
/* Collects the names of functions from a part, and where the lists of guards are. Before the first call of the functions below. */
bool redact_learn(struct redact *r, struct slice json);
/* Forgets the lists of guards: those of another report follow. */
void redact_forget_lists(struct redact *r);
/* Adds the redacted part. False if it is not JSON. */
bool redact_json(struct redact *r, struct slice json, struct buf *out);
/* Redacts the stream of texts of a folder, in place: offsets into it stay valid. */
void redact_stream(const struct redact *r, struct slice folder, char *bytes, size_t len);

#endif
