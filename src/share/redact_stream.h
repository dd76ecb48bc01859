/* redact_stream.h - redacts the stream of texts of a folder (doc/report-data.md). See redact.h. */
#ifndef TLPARSE_SHARE_REDACT_STREAM_H
#define TLPARSE_SHARE_REDACT_STREAM_H

#include "share/redact.h"

/* Adds the redacted stream. From then on, redact_json() translates places in it. */
void redact_stream(struct redact *r, struct slice folder, struct slice bytes, struct buf *out);

#endif
