/* range.h - the Range header of a request.
 *
 * One range of bytes is served; several at once, other units and what is no range are treated as if nothing had been
 * asked for, as RFC 9110 (14.2) lets a server do. Pure; any thread. */
#ifndef TLPARSE_SERVE_RANGE_H
#define TLPARSE_SERVE_RANGE_H

#include "base/slice.h"

enum range_kind {
    RANGE_ALL,     /* send the whole file, status 200 */
    RANGE_PART,    /* send *range, status 206 */
    RANGE_OUTSIDE, /* nothing of it is in the file, status 416 */
};

struct range {
    uint64_t first; /* byte */
    uint64_t bytes; /* at least 1 of a part; first + bytes is at most the file's size */
};

/* *range is set for RANGE_ALL (the whole file) and RANGE_PART. */
enum range_kind range_parse(struct slice header, uint64_t file_bytes, struct range *range);

#endif
