/* surroundings.h - what a run depends on besides its code: the environment, the commit, the versions of packages.
 *
 * Nothing here fails: what cannot be found out is null. One thread per document. */
#pragma once

#include "base/json.h"

/* The variables that change what PyTorch does, by prefix of their names, without those that may be secret. */
yyjson_mut_val *surroundings_environment(yyjson_mut_doc *doc);

struct git_state {
    char commit[65];   /* of the current directory; "": no repository, no git, or git took too long */
    bool known, dirty; /* dirty: tracked files have changes that are not committed; known: it was found out */
};
/* Runs git twice, each at most GIT_LIMIT_MS. Any thread, but not while another one waits for any child. */
enum { GIT_LIMIT_MS = 2000 };
void git_state_read(struct git_state *state);

struct packages {
    char *torch, *triton, *python; /* versions; NULL: unknown */
};
/* The versions of the Python environment that the command uses, by the names of its metadata folders; nothing is
 * imported or run. The command is a Python interpreter, or a script whose first line names one. */
void packages_find(struct packages *packages, const char *command);
void packages_finish(struct packages *packages);
