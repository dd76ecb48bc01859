/* float32.h - products of float32 matrices on a CUDA device, and what the device can do. Pure; any thread. */
#ifndef TLPARSE_SCAN_FLOAT32_H
#define TLPARSE_SCAN_FLOAT32_H

#include "base/slice.h"

/* The products in a post-grad graph that torch.backends.cuda.matmul.allow_tf32 governs: PyTorch hints at TensorFloat32
 * for the same ones. A graph without types or devices has none. */
uint32_t float32_products(struct slice graph);
/* The lowest compute capability of the CUDA devices that output code is for, times ten: 90; 0: not in the text. */
uint32_t cuda_capability(struct slice code);

#endif
