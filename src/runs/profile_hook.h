/* profile_hook.h - how `tlparse run --profile` gets the profile of a program: a sitecustomize of Python in the folder of
 * the run, and what it leaves there.
 *
 *     hook/                   on PYTHONPATH: profile_site.py as sitecustomize.py, and profile_recorder.py
 *     profile/trace-*         a trace for each process; with the rank in its name, if it has one
 *     profile/own/            links to traces that the program exports itself
 *     profile/note-<pid>      what the user should know, in one line
 *
 * What is in the folder is untrusted: the program may have written it. One thread. */
#pragma once

#include "base/base.h"

/* Paths of files, owned. */
struct profile_traces {
    LIST(char *) paths;
    char *note; /* NULL: none */
};

/* Writes the hook to the folder `run`. Ranks of a job do so at the same time. Returns false with errno. */
bool profile_hook_write(int run);
/* Finds the traces, and the first of the notes. `path` is the folder of the run. The traces are those of the program
 * itself, if it has any. */
void profile_traces_find(struct profile_traces *traces, const char *path);
void profile_traces_free(struct profile_traces *traces);
