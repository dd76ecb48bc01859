/* conditions.h - is what the client has still good? (RFC 9110, 8.8 and 13)
 *
 * A file is told from another and from its own earlier state by its validator: the ETag, which is strong and made of
 * inode, size and time of change, and the time of change in seconds for clients that know no ETag.
 *
 * Pure; any thread. */
#ifndef TLPARSE_SERVE_CONDITIONS_H
#define TLPARSE_SERVE_CONDITIONS_H

#include <sys/stat.h>
#include <time.h>

#include "base/slice.h"

struct validator {
    char etag[64]; /* with its quotes */
    time_t mtime_s;
};

/* The headers of a request; ptr is NULL where one is missing. */
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
/* May a Range be answered with a part? Not when If-Range names another state of the file. */
bool conditions_range_stands(const struct conditions *conditions, const struct validator *validator);

/* "Sun, 06 Nov 1994 08:49:37 GMT", whatever the locale. */
void conditions_add_date(char date[CONDITIONS_DATE_BYTES], time_t time_s);
/* Reads that form and the two old ones that clients may still send. */
bool conditions_read_date(struct slice text, time_t *time_s);

#endif
