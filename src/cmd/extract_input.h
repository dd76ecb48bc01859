/* extract_input.h - reads the log of `tlparse extract`, record by record. One thread.
 *
 * Life cycle: extract_input_open, extract_input_read as often as needed, extract_input_finish, also after a failure. */
#pragma once

#include "cmd/options.h"
#include "trace/choose.h"
#include "trace/record.h"

struct extract_input {
    const struct options *options;
    struct choice choice;
    bool has_choice;
    const char **paths; /* of the chosen log: its files in order; the list is owned */
    size_t count;
    char *name;           /* for messages */
    bool once;            /* standard input: it can be read only once */
    struct slice compile; /* of the call; empty: none */
};

/* Called for each record in order; raw: its bytes in the log, valid until it returns. False ends the reading with its error. */
typedef bool extract_record(void *context, const struct record *record, struct slice raw, struct err *err);

/* Chooses the log that the call names. */
bool extract_input_open(struct extract_input *input, const struct options *options, struct err *err);
bool extract_input_read(struct extract_input *input, extract_record *each, void *context, struct err *err);
void extract_input_finish(struct extract_input *input);
