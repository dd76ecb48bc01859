/* extra_records.h - rare artifacts. */
#ifndef TLPARSE_KINDS_EXTRA_RECORDS_H
#define TLPARSE_KINDS_EXTRA_RECORDS_H

#include "kinds/kind.h"

struct compile;

void extras_note(struct fold *fold, const struct node *node, struct slice name, struct slice payload);

/* Notes the value of a (bwd_)compilation_metrics_runtime. */
void extras_note_runtime(struct compile *compile, yyjson_val *value);

#endif
