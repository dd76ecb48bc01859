/* counters.h - the outcomes of records, with the reference's names and in its order. */
#pragma once

#include "base/base.h"

enum counter {
    COUNT_OK,
    COUNT_OTHER_RANK,
    COUNT_FAIL_GLOG,
    COUNT_FAIL_JSON,
    COUNT_FAIL_PAYLOAD_MD5,
    COUNT_FAIL_DYNAMO_GUARDS_JSON,
    COUNT_FAIL_PARSER,
    COUNT_FAIL_KEY_CONFLICT,
    COUNT_FAIL_JSON_SERIALIZATION,
    COUNT_TOO_LARGE, /* not one of the reference's */
    COUNT_UNKNOWN,
    COUNT_UNKNOWN_ENCODING, /* part of COUNT_FAIL_PARSER, which the reference counts; their text is shown, so nothing
                             * is lost */
    COUNTERS,
};

const char *counter_name(enum counter counter);
/* What could not be read: malformed records, and lines of other output in the same file. If prints and warnings look
 * like records, all of them count as such output. */
struct unread {
    uint64_t malformed, skipped;
    bool output; /* the program printed lines that look like records */
};
struct unread counters_unread(const uint64_t counters[COUNTERS]);
