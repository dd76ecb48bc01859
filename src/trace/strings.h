/* strings.h - the interned strings of a process: what its `str` records define.
 *
 * Filled in log order by the fold. The texts are copies that live as long as the table. Ids above STRINGS_ID_MAX are
 * refused: raw.jsonl lists the table up to its highest id, and a log must not choose the size of that. */
#ifndef TLPARSE_TRACE_STRINGS_H
#define TLPARSE_TRACE_STRINGS_H

#include "base/arena.h"

enum { STRINGS_ID_MAX = (1 << 20) - 1 };

struct processes; /* process.h */

struct strings {
    struct slice *items; /* ptr NULL: no such id */
    size_t count, cap;   /* count: highest id + 1 */
    struct arena arena;
    const struct processes *processes; /* of which it is one; NULL: it is alone */
    size_t elders;                     /* processes that wrote before this one did */
};

/* False where the id is too high. A second definition of an id replaces the first. */
bool strings_define(struct strings *strings, uint64_t id, struct slice text);
/* ptr NULL where there is none. A forked process has the strings of its parent, which it does not define again: an id that this
 * process never defined means what the processes before it defined, if they agree. A process that defined id 0 is no fork. */
struct slice strings_get(const struct strings *strings, uint64_t id);
void strings_finish(struct strings *strings);

#endif
