/* kernel_choices.h - the kernels that Inductor chose by benchmarks (max_autotune): one choice per operation, from the events
 * *_template_autotuning, which precede the code. A part of kernels.h; the fold's thread. */
#ifndef TLPARSE_LOWERING_KERNEL_CHOICES_H
#define TLPARSE_LOWERING_KERNEL_CHOICES_H

#include "base/json.h"
#include "codegen/scanned_kernel.h"
#include "model/model.h"

/* Notes the choice if the event is the end of one. */
void kernel_choices_note(struct model *model, uint32_t compile, yyjson_val *event);
/* Finds the choices that the kernels of the latest code are the results of. A kernel of a template has the winner's
 * configuration; the call of a library has its name. `scan` was added before. */
void kernel_choices_take(struct model *model, uint32_t folder, const struct kernel_scan *scan);

#endif
