/* reasons.h - artifacts that say why: graph breaks, recompiles, cache results, failures. */
#ifndef TLPARSE_KINDS_REASONS_H
#define TLPARSE_KINDS_REASONS_H

#include "kinds/kind.h"

void reasons_note(struct fold *fold, const struct node *node, struct slice name, struct slice payload);
/* The reasons in the message of a RecompileError, which torch._dynamo.config.error_on_recompile raises before PyTorch
 * logs them. */
void reasons_note_refused(struct fold *fold, struct slice message);

#endif
