/* strings.h - the interned strings of a process: what its `str` records define.
 *
 * Filled in log order by the fold. The texts are copies that live as long as the table. Ids above STRINGS_ID_MAX are
 * refused: raw.jsonl lists the table up to its highest id, and a log must not choose the size of that. Memory is that of what is
 * defined, whatever the ids: a log may have thousands of processes with one high id each. */
#ifndef TLPARSE_TRACE_STRINGS_H
#define TLPARSE_TRACE_STRINGS_H

#include "base/map.h"
#include "base/mem.h"

enum { STRINGS_ID_MAX = (1 << 20) - 1 };

struct string {
    uint32_t id;
    struct slice text;
};

struct strings;

/* The tables of processes of one run, in the order of their first records. */
struct strings_family {
    LIST(const struct strings *) members;
};

struct strings {
    LIST(struct string) list; /* in the order of their first definitions: mostly each stands at its id */
    struct map places;        /* id → place in the list, of those that do not */
    size_t count;             /* highest id + 1 */
    struct arena arena;
    const struct strings_family *family; /* of which it is one; NULL: it is alone */
    size_t elders;                       /* of the family, those that were there before */
};

/* False where the id is too high. A second definition of an id replaces the first. */
bool strings_define(struct strings *strings, uint64_t id, struct slice text);
/* Whether the process itself defined it. */
bool strings_has(const struct strings *strings, uint64_t id);
/* ptr NULL where there is none. A forked process has the strings of its parent, which it does not define again: an id that this
 * process never defined means what the processes before it defined, if they agree. A process that defined id 0 is no fork. */
struct slice strings_get(const struct strings *strings, uint64_t id);
void strings_finish(struct strings *strings);

#endif
