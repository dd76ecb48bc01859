/* fact_fields.h - tables of struct members, which write a struct as a JSON object and read it again.
 *
 * A shape lists the members of a struct that are stored. A member that is zero, false, empty or NULL is not written, and
 * one that is not there is read as that. Unknown members are ignored. Pure; one arena per thread.
 *
 * What is read may come from anyone: numbers have limits, so that sums of them do not overflow, and a value of another
 * type or beyond its limits is an error. */
#pragma once

#include "base/jsonw.h"

enum fact_type {
    FACT_TEXT,   /* struct slice; without a ptr, it is not written */
    FACT_NEEDED, /* the same, and an object without it is refused */
    FACT_STRING, /* const char * */
    FACT_JSON,   /* struct slice; JSON, which is written as a text, because numbers keep their digits in it */
    FACT_BOOL,
    FACT_NUMBER,   /* int64_t, within ±FACT_NUMBER_MAX */
    FACT_TIME,     /* int64_t, microseconds that are summed: what is beyond ±FACT_TIME_MAX, a year, becomes that */
    FACT_COUNT,    /* uint64_t, at most FACT_NUMBER_MAX */
    FACT_COUNT32,  /* uint32_t */
    FACT_HASH,     /* uint64_t */
    FACT_REAL,     /* double, finite */
    FACT_ENUM,     /* an enum with values below `limit`; by name if it has names, or else as a number */
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
    size_t items;   /* of an array of this type, which is a JSON array; 0: no array */
    unsigned limit; /* of FACT_ENUM */
    /* Of FACT_ENUM: the name of a value, so that values can be added between others; NULL: it has none. Numbers of older
     * files, which had the values of today, are read, too. */
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
/* Reads a FACT_TIME. Returns false if the value is no integer. */
bool fact_time_read(yyjson_val *value, int64_t *us);
/* Sets the members of a zeroed struct. Texts are copied to the arena. Returns false if a value is invalid. */
bool fact_fields_read(yyjson_val *object, const struct fact_shape *shape, void *to, struct arena *arena);
