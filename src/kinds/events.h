/* events.h - chromium events. */
#ifndef TLPARSE_KINDS_EVENTS_H
#define TLPARSE_KINDS_EVENTS_H

#include "kinds/kind.h"

/* Whether the event is the first of a compile: the start of its outermost span. */
bool event_begins_compile(yyjson_val *event);
struct node *event_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void event_fold(struct fold *fold, const struct node *node);

#endif
