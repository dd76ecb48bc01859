/* one.h - a whole report as one HTML file that needs neither network nor other files.
 *
 * The file consists of a small page, blocks of packed data, and a loader (web/src/one). A block is base64 of zstd,
 * because plain ASCII survives mail programs and hosts. Adjacent texts in a report are similar, so they
 * share blocks of up to PACK_BLOCK_BYTES, which the page unpacks when it needs one of them. The page's
 * Content-Security-Policy only allows the front end, by its SHA-256, so even a report that somebody has tampered with
 * cannot run a script or send a request.
 *
 * It contains everything that the page shows: the data, the front end, and the standalone pages whose content the page
 * does not show otherwise (provenance, kernel stacks, metrics, export failures, dumped sources). It does not contain
 * the log, report.json, or the files of artifacts, whose texts are in the data. Links to these are absent there
 * (web/src/lib/packed.ts).
 *
 * A report on several logs contains a report on each of them. Reports that would make the file larger than `max_bytes`
 * are left out, the last ones first; the page then shows a note in their place. The top-level report is never left out.
 * Deterministic. One thread. */
#pragma once

#include "share/redact.h"
#include "share/tree.h"

struct one_result {
    size_t reports, pages; /* numbers of reports and standalone pages in the file */
    size_t pages_left;     /* number of standalone pages left out because they cannot be redacted */
    LIST(char *) left;     /* folders of reports that were left out: "rank_7" */
};

/* Adds the file. If redact->what is set, the file is redacted and has no standalone pages, and `redact` can then redact
 * the top-level report.json with the same names and places. Fails with ERR_INPUT if the folder is not a report of this
 * version. The caller finishes the result, also after a failure. */
bool one_write(const struct tree *tree, uint64_t max_bytes, struct redact *redact, struct buf *out,
               struct one_result *result, struct err *err);
void one_result_finish(struct one_result *result);
