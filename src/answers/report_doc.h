/* report_doc.h - a parsed report.json, the input of the commands summary, diff and check, whether it comes from a
 * finished report or from logs just read.
 *
 * It is untrusted: a member that is missing or has another type reads as NULL, 0 or the empty text.
 * Life cycle: report_doc_parse(), report_doc_finish(). The values live as long as the document. */
#pragma once

#include "base/base.h"
#include "base/json.h"

enum doc_kind { DOC_RUN, DOC_RANKS, DOC_RUNS };

struct report_doc {
    yyjson_doc *doc;
    yyjson_val *root;
    enum doc_kind kind;
};

/* Parses the bytes of a report.json, which need not outlive the call. `name` is its name in errors. False with
 * ERR_INPUT if it is not JSON, not a report, or of a version that this program does not know. */
bool report_doc_parse(struct report_doc *doc, struct slice json, const char *name, struct err *err);
void report_doc_finish(struct report_doc *doc);

/* A whole number of at least 0, or 0. */
uint64_t report_count(yyjson_val *object, const char *key);
/* A whole number, possibly negative; false if it is missing, null or not a number. */
bool report_number(yyjson_val *object, const char *key, int64_t *number);
