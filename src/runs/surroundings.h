/* surroundings.h - the inputs of a run besides its code: the environment, the commit, the versions of packages.
 *
 * These functions do not fail: unknown values are null. One thread per document. */
#pragma once

#include "base/json.h"

/* The environment variables that affect PyTorch, selected by prefixes of their names, except possible secrets. */
yyjson_mut_val *surroundings_environment(yyjson_mut_doc *doc);

struct git_state {
    char commit[65];   /* of the current directory; "": no repository, no git, or git took too long */
    bool known, dirty; /* known: the state was determined; dirty: tracked files have uncommitted changes */
};
/* Runs git twice, for at most GIT_LIMIT_MS each. Any thread, but not while another thread waits for any child. */
enum { GIT_LIMIT_MS = 2000 };
void git_state_read(struct git_state *state);

struct packages {
    char *torch, *triton, *python; /* versions; NULL: unknown */
};
/* The versions in the Python environment that the command uses, from the names of its metadata folders; nothing is
 * imported or run. The command is a Python interpreter, or a script whose first line names one. */
void packages_find(struct packages *packages, const char *command);
void packages_finish(struct packages *packages);
