/* conditions.h - conditional requests (RFC 9110, 8.8 and 13).
 *
 * Two validators identify the state of a file: the ETag, which is strong and consists of inode, size and modification
 * time, and the modification time in seconds, for clients without ETags.
 *
 * Pure; any thread. */
#pragma once

#include "base/base.h"
#include <sys/stat.h>
#include <time.h>

struct validator {
    char etag[64]; /* including its quotes */
    time_t mtime_s;
};

/* The headers of a request. ptr is NULL if a header is missing. */
struct conditions {
    struct slice if_match, if_none_match, if_modified_since, if_unmodified_since, if_range;
};

enum conditions_result {
    CONDITIONS_SEND,
    CONDITIONS_NOT_MODIFIED, /* 304 */
    CONDITIONS_FAILED,       /* 412 */
};

enum { CONDITIONS_DATE_BYTES = 32 };

void validator_init(struct validator *validator, const struct stat *st);
enum conditions_result conditions_check(const struct conditions *conditions, const struct validator *validator);
/* Whether a Range may be answered with a part: false if If-Range names another state of the file. */
bool conditions_range_stands(const struct conditions *conditions, const struct validator *validator);

/* Adds "Sun, 06 Nov 1994 08:49:37 GMT", in any locale. */
void conditions_add_date(char date[CONDITIONS_DATE_BYTES], time_t time_s);
/* Parses this form and the two obsolete ones that clients may still send. */
bool conditions_read_date(struct slice text, time_t *time_s);
