/* counters.h - what became of the records, by the reference's names and in its order. */
#ifndef TLPARSE_MODEL_COUNTERS_H
#define TLPARSE_MODEL_COUNTERS_H

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
    COUNT_UNKNOWN,
    COUNTERS,
};

const char *counter_name(enum counter counter);

#endif
