/* renames.h - functions that were renamed from one run to another, and texts that name them.
 *
 * A text about the newer run becomes the text that the older run would have: each word that is a new name is replaced by
 * the old name. Names of functions that Dynamo resumes, "torch_dynamo_resume_in_f_at_12", contain the name of the
 * function. A new name with several old names is none. Copies all texts.
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

/* Ignores names that are no identifiers ("<lambda>"), and those of resumed functions, which follow from the function. */
void renames_add(struct renames *renames, struct slice old, struct slice new);
/* Adds the text with old names. Returns whether it differs. */
bool renames_apply(const struct renames *renames, struct slice text, struct buf *out);
void renames_free(struct renames *renames);

/* Whether it is the name of a resumed function. */
bool name_is_resumed(struct slice name);
/* Adds the name of a function without what an edit elsewhere changes: "resume_in_f_at_12" becomes "resume_in_f_at_". */
void name_add_without_lines(struct buf *out, struct slice name);
