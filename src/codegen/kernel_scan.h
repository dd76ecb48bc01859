/* kernel_scan.h - finds the kernels in output code: definitions, calls, and fused operators.
 *
 * Supports Inductor's Python code ("name = async_compile.triton(…)", calls in call()) and its C++ wrapper
 * (AOTInductor). A kernel with code is listed once, regardless of the number of calls. Each library call is listed,
 * because each computes something else. Pure; any thread; one pass over the text, with limits. */
#ifndef TLPARSE_CODEGEN_KERNEL_SCAN_H
#define TLPARSE_CODEGEN_KERNEL_SCAN_H

#include "base/arena.h"
#include "base/slice.h"
#include "codegen/scanned_kernel.h"

/* "triton", "cpp", "extern": a library call (mm, convolution, a collective) without generated code; "other": another
 * language (Halide, CuTe, Pallas, …). */
const char *kernel_kind_name(enum kernel_kind kind);

/* Slices point into the code, except for merged lists, which are in the arena. */
struct kernel_scan *kernels_scan(struct slice code, struct arena *arena);

#endif
