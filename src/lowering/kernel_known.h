/* kernel_known.h - what kernels.h knows about the kernels of a code, for modules with their own kernels
 * (provenance_lines.h). */
#ifndef TLPARSE_LOWERING_KERNEL_KNOWN_H
#define TLPARSE_LOWERING_KERNEL_KNOWN_H

#include "model/model.h"

/* Receives the known nodes "a, b" of the post-grad graph, if all are known, of a kernel that the code calls once
 * ("cpp_fused_add_0") or of a library call, by its debug handle ("extern_kernels.mm:4"). */
typedef void (*kernel_known)(void *to, struct slice name, struct slice nodes);
/* The code is an artifact of the report. Does not modify the model. */
void kernels_each_known(const struct model *model, const struct artifact *code, kernel_known found, void *to);

#endif
