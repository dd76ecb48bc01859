/* range.h - the Range header of a request.
 *
 * One range of bytes is supported. Several ranges, other units, and invalid ranges are ignored, which RFC 9110 (14.2)
 * permits. Pure; any thread. */
#pragma once

#include "base/base.h"

enum range_kind {
    RANGE_ALL,     /* send the whole file, status 200 */
    RANGE_PART,    /* send *range, status 206 */
    RANGE_OUTSIDE, /* outside of the file, status 416 */
};

struct range {
    uint64_t first; /* offset in bytes */
    uint64_t bytes; /* at least 1 for a part; first + bytes does not exceed the file size */
};

/* Sets *range for RANGE_ALL (the whole file) and RANGE_PART. */
enum range_kind range_parse(struct slice header, uint64_t file_bytes, struct range *range);
