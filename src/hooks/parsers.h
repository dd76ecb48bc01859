/* parsers.h - the user's own parsers: programs that read records of a kind and add to the report.
 *
 * A parser of "my_kind" gets the records with this key, and the artifacts of this name. Its standard input has one line of
 * JSON for each, in log order; its standard output is one line of JSON for each item that it adds (parser_answer.h).
 * doc/hooks.md describes both. A parser is started once for each report, after the log has been read, and only if there
 * are records for it. So its input and its output do not depend on the number of threads. It is limited in time and
 * output. If it fails, only its own output is left out.
 *
 * Life cycle: parser_inputs_create, parser_inputs_add for each record in log order, parser_inputs_run,
 * parser_inputs_destroy. One thread. */
#pragma once

#include "hooks/parser_answer.h"
#include "sink/spool.h"

struct parser {
    const char *name; /* the key of a record, or the name of an artifact */
    char *const *words;
};

/* The parsers of a call, sorted by name. The caller owns everything. */
struct parsers {
    struct parser *items;
    size_t count, cap;
    int64_t limit_ms; /* for each */
};

/* A record, as the fold sees it. Used during the call only. */
struct parser_record {
    struct slice key, name; /* key of the envelope, and name of the artifact */
    uint32_t compile;       /* index in the keys of parser_inputs_run() */
    uint64_t line;
    struct slice envelope;
    bool has_payload;
    struct slice payload;
};

struct parser_inputs;

/* Returns NULL if there are no parsers. The parsers and the spool must outlive the inputs. */
struct parser_inputs *parser_inputs_create(const struct parsers *parsers, struct spool *spool);
void parser_inputs_add(struct parser_inputs *inputs, const struct parser_record *record);
/* Runs each parser that has records. The results are in the order of the parsers, and belong to the inputs. */
const struct parser_results *parser_inputs_run(struct parser_inputs *inputs, const struct parser_keys *keys);
/* NULL is allowed. */
void parser_inputs_destroy(struct parser_inputs *inputs);
