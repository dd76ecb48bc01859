/* git.h - asks git about the repository of a folder. Nothing that the repository contains, or its configuration names, is
 * run, and nothing is fetched. Any thread. */
#ifndef TLPARSE_HOOKS_GIT_H
#define TLPARSE_HOOKS_GIT_H

#include "base/buf.h"
#include "base/err.h"

/* Runs `git -C directory ARGUMENTS...` and adds its output. The arguments end in NULL. Returns false if git is missing,
 * fails, or takes too long. */
bool git_read(const char *directory, const char *const *arguments, struct buf *out, struct err *err);
/* The root of the repository that contains the folder, and the commit that is checked out, as texts that the caller
 * frees. Returns false, and sets nothing, if it is not in a repository, or if there is no commit. */
bool git_head(const char *directory, char **root, char **commit, struct err *err);

#endif
