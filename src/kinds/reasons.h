/* reasons.h - artifacts that say why: graph breaks, recompiles, cache results, failures. */
#ifndef TLPARSE_KINDS_REASONS_H
#define TLPARSE_KINDS_REASONS_H

#include "kinds/kind.h"

void reasons_note(struct fold *fold, const struct node *node, struct slice name, struct slice payload);

#endif
