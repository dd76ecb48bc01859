/* staging_name.h - the names of staging folders (staging.h) and of what is aside. Pure, but for random letters. */
#ifndef TLPARSE_SINK_STAGING_NAME_H
#define TLPARSE_SINK_STAGING_NAME_H

#include "base/slice.h"

/* What a name says: a staging folder, or that of an old report that is aside. The values are the last characters of names. */
enum staging_kind { STAGING_NEW = 0, STAGING_WHOLE_ASIDE = '~', STAGING_ENTRIES_ASIDE = '+' };

/* Whether an entry has a name that belongs to the place `name`. Sets *kind if so. */
bool staging_name_parse(struct slice entry, const char *name, enum staging_kind *kind);
/* The same, of any kind. */
bool staging_is_of(struct slice entry, const char *name);
/* A new name. The caller frees it. */
char *staging_name_make(const char *name);

#endif
