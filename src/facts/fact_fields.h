/* fact_fields.h - tables of struct members, by which a struct is written as a JSON object and read again.
 *
 * A shape lists the stored members of a struct. A member that is zero, false, empty or NULL is not written, and a
 * missing member is read as such a value. Unknown members are ignored. Pure; one arena per thread.
 *
 * Input is untrusted: numbers have limits, so their sums cannot overflow, and a value that has another type or exceeds
 * its limits is an error. */
#pragma once

#include "base/jsonw.h"

enum fact_type {
    FACT_TEXT,   /* struct slice; not written if its ptr is NULL */
    FACT_NEEDED, /* likewise, but an object without it is rejected */
    FACT_STRING, /* const char * */
    FACT_JSON,   /* struct slice; JSON, written as a text, which preserves the digits of its numbers */
    FACT_BOOL,
    FACT_NUMBER,   /* int64_t, within ±FACT_NUMBER_MAX */
    FACT_TIME,     /* int64_t, microseconds that are summed up; clamped to ±FACT_TIME_MAX, which is a year */
    FACT_COUNT,    /* uint64_t, at most FACT_NUMBER_MAX */
    FACT_COUNT32,  /* uint32_t */
    FACT_HASH,     /* uint64_t */
    FACT_REAL,     /* double, finite */
    FACT_ENUM,     /* an enum with values below `limit`; stored as a name if it has names, else as a number */
    FACT_OUTCOMES, /* struct rank_outcomes */
    FACT_TEXTS,    /* LIST(struct slice) */
    FACT_STRUCT,   /* a struct of `shape` */
    FACT_LIST,     /* LIST() of structs of `shape` */
};

#define FACT_NUMBER_MAX (INT64_C(1) << 53)
#define FACT_TIME_MAX (INT64_C(1) << 45)

struct fact_shape;

struct fact_field {
    const char *name;
    enum fact_type type;
    size_t at;      /* offset of the member */
    size_t items;   /* length if the member is an array of this type, which becomes a JSON array; 0: not an array */
    unsigned limit; /* of FACT_ENUM */
    /* For FACT_ENUM: the name of a value, so values can be inserted between others; NULL: values have no names. Older
     * files have numbers, which are read as today's values. */
    const char *(*name_of)(unsigned value);
    const struct fact_shape *shape;
};

struct fact_shape {
    const struct fact_field *fields;
    size_t count;
    size_t bytes; /* of the struct */
};

/* Writes the members into the open object. */
void fact_fields_write(struct jsonw *w, const struct fact_shape *shape, const void *from);
/* Reads a FACT_TIME. Returns false if the value is not an integer. */
bool fact_time_read(yyjson_val *value, int64_t *us);
/* Sets the members of a zeroed struct. Copies texts to the arena. Returns false if a value is invalid. */
bool fact_fields_read(yyjson_val *object, const struct fact_shape *shape, void *to, struct arena *arena);
