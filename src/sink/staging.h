/* staging.h - the folders in which reports are built: hidden, .NAME.tlparse-XXXXXX, locked (flock) while their process
 * lives. */
#ifndef TLPARSE_SINK_STAGING_H
#define TLPARSE_SINK_STAGING_H

#include "base/slice.h"

bool staging_is_name(struct slice name);
/* Creates and locks one for the place `name` in the folder parent. Returns its descriptor, or -1 with errno. The
 * caller closes the descriptor and frees the name. */
int staging_make(int parent, const char *name, char **staging);
/* Removes those of this place that can be locked: their processes have ended. */
void staging_remove_stale(int parent, const char *name);

#endif
