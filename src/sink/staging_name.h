/* staging_name.h - the names of staging folders (staging.h) and of what is aside. Pure, but for random letters and the name of
 * the host. */
#pragma once

#include "base/base.h"

/* What a name says: a staging folder, or that of an old report that is aside. The values are the last characters of names. */
enum staging_kind { STAGING_NEW = 0, STAGING_WHOLE_ASIDE = '~', STAGING_ENTRIES_ASIDE = '+' };

/* Whether an entry has a name that belongs to the place `name`. Sets *kind if so. */
bool staging_name_parse(struct slice entry, const char *name, enum staging_kind *kind);
/* The same, of any kind. */
bool staging_is_of(struct slice entry, const char *name);
/* Whether a path ends in the name that a client of NFS gives a removed file until nobody has it open. Nobody can remove it before. */
bool staging_is_deleted(struct slice path);
/* A new name: its last characters are four that tell this host from others, and eight that are random. The caller frees it. */
char *staging_name_make(const char *name);
/* Whether a name that belongs to a place is one of this host. */
bool staging_name_is_ours(struct slice entry);
