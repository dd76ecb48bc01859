/* strings.h - the interned strings of a process, defined by its `str` records.
 *
 * The fold fills it in log order. Texts are copied and live as long as the table. Ids above STRINGS_ID_MAX are
 * rejected: raw.jsonl lists the table up to its highest id, and a log must not determine that size. Memory is
 * proportional to the definitions, not to the ids: a log may have thousands of processes with one high id each. */
#pragma once

#include "base/base.h"

enum { STRINGS_ID_MAX = (1 << 20) - 1 };

struct string {
    uint32_t id;
    struct slice text;
};

struct strings;

/* The tables of the processes of one run, in the order of their first records. */
struct strings_family {
    LIST(const struct strings *) members;
};

struct strings {
    LIST(struct string) list; /* in the order of first definition; usually, the index is the id */
    struct map places;        /* id → index, for strings whose index differs from their id */
    size_t count;             /* highest id + 1 */
    struct arena arena;
    const struct strings_family *family; /* NULL: none */
    size_t elders;                       /* number of earlier tables in the family */
};

/* Returns false if the id is too high. A second definition of an id replaces the first. */
bool strings_define(struct strings *strings, uint64_t id, struct slice text);
/* Whether the process itself defined the id. */
bool strings_has(const struct strings *strings, uint64_t id);
/* ptr is NULL if there is no such string. A forked process inherits the strings of its parent and does not define them
 * again: an id that this process never defined has the value that the earlier processes defined, if they agree. A
 * process that defined id 0 is not a fork. */
struct slice strings_get(const struct strings *strings, uint64_t id);
void strings_finish(struct strings *strings);
