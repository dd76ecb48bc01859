/* choice_groups.h - which of the chosen logs become one report, and what the reports are called. For choose.c. */
#ifndef TLPARSE_TRACE_CHOICE_GROUPS_H
#define TLPARSE_TRACE_CHOICE_GROUPS_H

#include "trace/choice.h"

/* Whether both are files of one log: x.log.1 is what was in x.log before it was rotated. */
bool choice_is_same_log(const struct choice_log *a, const struct choice_log *b);
/* Moves what leads to a file that is among the items already to choice->repeated. */
void choice_drop_repeated(struct choice *choice);
/* Fills kind and groups, and brings the items into their order. `paths` are the arguments of the call. */
void choice_group(struct choice *choice, const struct choose_request *request, const char *const *paths);

#endif
