/* parser_json.h - what parsers added, as the member `parsers` of report.json; and their files. One thread. */
#ifndef TLPARSE_HOOKS_PARSER_JSON_H
#define TLPARSE_HOOKS_PARSER_JSON_H

#include "base/jsonw.h"
#include "hooks/parser_answer.h"
#include "sink/files.h"

/* An array with an object for each parser. Without `whole`, only what the page's summary has: names, errors, columns. */
void parser_results_write(struct jsonw *w, const char *key, const struct parser_results *results,
                          const struct parser_keys *keys, bool whole);
/* Writes the files into parsers/. */
void parser_files_write(const struct parser_results *results, struct files *files);

#endif
