/* kernel_known.h - what kernels.h knows of the kernels of a code, for who has kernels of its own (provenance_lines.h). */
#ifndef TLPARSE_ANALYSIS_KERNEL_KNOWN_H
#define TLPARSE_ANALYSIS_KERNEL_KNOWN_H

#include "model/model.h"

/* Takes the nodes "a, b" of the post-grad graph that are known, and all of them, for a kernel that the code calls once ("cpp_fused_add_0")
 * or for a call of a library by its debug handle ("extern_kernels.mm:4"). */
typedef void (*kernel_known)(void *to, struct slice name, struct slice nodes);
/* The code is an artifact of the report. Read only. */
void kernels_each_known(const struct model *model, const struct artifact *code, kernel_known found, void *to);

#endif
