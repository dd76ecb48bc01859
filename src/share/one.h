/* one.h - a whole report as one HTML file that needs neither network nor other files.
 *
 * The file consists of a small page, blocks of packed data, and a loader (web/src/one). A block is base64 of gzip: every browser since 2023 unpacks it
 * without a library, and plain ASCII survives mail programs and hosts. Texts that follow each other in a report are alike, so they share blocks of up
 * to PACK_BLOCK_BYTES, which the page unpacks when it needs one of them. The policy of the page allows the front end by its SHA-256 and nothing else,
 * so even a report that somebody has tampered with cannot run a script or send a request.
 *
 * It has what the page shows: the data, the front end, and those standalone pages whose content the page does not show otherwise (provenance, kernel
 * stacks, metrics, failures of an export, dumped sources). It does not have the log, report.json, or the files of artifacts, whose texts are in the
 * data. Links to these are absent there (web/src/lib/packed.ts).
 *
 * A report of several logs has one below it for each. Those that would make the file larger than `max_bytes` are left out, the last ones first; the
 * page says so in their place. The report at the top is never left out. Deterministic. One thread. */
#pragma once

#include "share/redact.h"
#include "share/tree.h"

struct one_result {
    size_t reports, pages; /* in the file: reports, standalone pages */
    size_t pages_left;     /* standalone pages that were left out, because they would have to be redacted */
    LIST(char *) left;     /* folders of reports that were left out: "rank_7" */
};

/* Adds the file, redacted if redact->what says so; then it has no standalone pages, and redact can redact report.json of the top with the same names and places. Fails with ERR_INPUT if the folder is not a report of this version. The caller finishes the result, also after a failure. */
bool one_write(const struct tree *tree, uint64_t max_bytes, struct redact *redact, struct buf *out,
               struct one_result *result, struct err *err);
void one_result_finish(struct one_result *result);
