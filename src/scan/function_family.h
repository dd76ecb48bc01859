/* function_family.h - mathematical functions in the code of kernels, and the operators that use them. Pure; any thread.
 */
#pragma once

#include "base/base.h"

/* Functions that reveal what a kernel's code computes, together with the operators that use them: "rsqrt" uses sqrt().
 */
enum function_family { FAMILY_SQRT, FAMILY_EXP, FAMILY_ERF, FAMILY_TANH, FAMILY_SIN, FAMILY_COS, FAMILY_LOG, FAMILIES };
/* The family of an operator ("aten.rsqrt.default"). FAMILIES if it has none. */
enum function_family function_family_of(struct slice op);
/* The functions called in a line of a kernel's code, as bits: "auto tmp4 = tmp3.rsqrt();", "libdevice.rsqrt(tmp3)". */
uint32_t function_families_in(struct slice text);
