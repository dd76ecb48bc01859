/* renames.h - functions that were renamed between two runs, and texts that name them.
 *
 * Translates a text of the newer run to the names of the older run: each word that is a new name is replaced by the old
 * name. Names of resume functions, such as "torch_dynamo_resume_in_f_at_12", contain the name of the function. A new
 * name with several old names is ignored. Copies all texts.
 *
 * Life cycle: {0}, renames_add(), renames_free(). One thread adds; afterwards, any thread may read. */
#pragma once

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"

struct renames {
    struct map by_name;     /* new name → index */
    LIST(struct slice) old; /* empty: ambiguous; in the map's arena */
};

/* Ignores names that are not identifiers ("<lambda>"), and those of resume functions, which follow from the function.
 */
void renames_add(struct renames *renames, struct slice old, struct slice new);
/* Adds the text with old names. Returns whether it changed. */
bool renames_apply(const struct renames *renames, struct slice text, struct buf *out);
void renames_free(struct renames *renames);

/* Whether this is the name of a resume function. */
bool name_is_resumed(struct slice name);
/* Adds the name of a function without line numbers, which edits elsewhere change: "resume_in_f_at_12" becomes
 * "resume_in_f_at_". */
void name_add_without_lines(struct buf *out, struct slice name);
