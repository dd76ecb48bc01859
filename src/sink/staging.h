/* staging.h - folders in which reports are built: hidden, .NAME.tlparse-XXXXXX, locked (flock) while their maker lives. */
#ifndef TLPARSE_SINK_STAGING_H
#define TLPARSE_SINK_STAGING_H

#include "base/slice.h"

bool staging_is_name(struct slice name);
/* Makes one for the place `name` in the folder parent, and locks it. Its fd, closed by the caller, and its name, freed by the
 * caller; -1 with errno. */
int staging_make(int parent, const char *name, char **staging);
/* Removes those of this place that can be locked: their makers are dead. */
void staging_remove_stale(int parent, const char *name);

#endif
