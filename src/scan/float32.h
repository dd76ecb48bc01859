/* float32.h - products of float32 matrices on a CUDA device, and what the device can do. Pure; any thread. */
#ifndef TLPARSE_SCAN_FLOAT32_H
#define TLPARSE_SCAN_FLOAT32_H

#include "scan/node_sources.h"

/* The products in a post-grad graph that torch.backends.cuda.matmul.allow_tf32 governs: PyTorch hints at TensorFloat32
 * for the same ones. A graph without types or devices has none. `first` gets the source of the first one, into the text;
 * its file.ptr is NULL if the graph does not say. */
uint32_t float32_products(struct slice graph, struct node_source *first);
/* The lowest compute capability of the CUDA devices that output code is for, times ten: 90; 0: not in the text. */
uint32_t cuda_capability(struct slice code);

#endif
