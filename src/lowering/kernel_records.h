/* kernel_records.h - what records after a code say about its kernels (kernels.h): nodes, stack traces, autotuning, and
 * compile times. The fold's thread. */
#pragma once

#include "base/json.h"
#include "model/model.h"

/* Facts about the folder's latest code from further artifacts, by name of a kernel, with or without its debug handle.
 */
void kernels_note_nodes(struct model *model, uint32_t folder, yyjson_val *nodes);   /* {"kernel:3": ["mul", …]} */
void kernels_note_traces(struct model *model, uint32_t folder, yyjson_val *traces); /* {"kernel:3": ["File …", …]} */
void kernels_note_info(struct model *model, uint32_t folder, yyjson_val *info); /* {"kernel": {"compile_time_us", …}} */
/* triton_kernel_compile_times_us of a compile's metrics, forward or backward: JSON in a text, [["kernel", us], …]. It
 * covers the kernels since the previous metrics. */
void kernels_note_times(struct model *model, uint32_t folder, struct slice text);
