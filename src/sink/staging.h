/* staging.h - the folders in which reports are built: hidden, .NAME.tlparse-XXXXXX, locked (flock) while their process
 * lives. On a shared file system, only folders of this host can be considered stale. While a report is moved into
 * place, the old report may be aside, under the name of the staging folder plus one character:
 *
 *     ~   the folder of the old report, next to the place, which does not exist at this moment
 *     +   the entries of the old report, in a folder inside the place, whose entries are moved one by one
 *
 * Only a process that was killed in this moment leaves such a folder. staging_recover_*() then finish or undo what it did. */
#pragma once

#include "base/base.h"
#include <sys/types.h>

/* Creates and locks a staging folder for the place `name` in the folder parent. Only its owner may enter it. Returns
 * its descriptor, or -1 with errno, and the mode that a new folder has there. The caller closes the descriptor and
 * frees the name. */
int staging_make(int parent, const char *name, char **staging, mode_t *mode);
/* Creates and locks the folder inside a place into which the entries of the old report are moved aside. Otherwise as
 * staging_make(). */
int staging_make_aside(int place, const char *staging, char **aside);
/* The name of the folder that is aside next to the place. The caller frees it. */
char *staging_whole_aside(const char *staging);
/* Removes the staging folders of this place that can be locked: their processes have ended. */
void staging_remove_stale(int parent, const char *name);
/* If nothing is at the place `name` in parent, but an old report is aside, moves it back. Returns true if it did. */
bool staging_recover_whole(int parent, const char *name);
/* If entries are aside inside the place: if the whole old report is aside, moves the rest of the new one into place
 * from its staging folder, which is inside the place or in `parent`; otherwise moves the old entries back. */
void staging_recover_entries(int place, int parent, const char *name);
