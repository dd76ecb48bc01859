/* choice_groups.h - groups the chosen logs into reports and names the reports. For choose.c. */
#ifndef TLPARSE_TRACE_CHOICE_GROUPS_H
#define TLPARSE_TRACE_CHOICE_GROUPS_H

#include "trace/choice.h"

/* Whether both are files of one rotated log: x.log.1 has the earlier content of x.log. */
bool choice_is_same_log(const struct choice_log *a, const struct choice_log *b);
/* Moves repeated paths to the same file to choice->repeated. */
void choice_drop_repeated(struct choice *choice);
/* Sets kind and groups, and sorts the items. `paths` are the arguments of the call. */
void choice_group(struct choice *choice, const struct choose_request *request, const char *const *paths);

#endif
