/* code_sizes.h - sizes of tensors as output code writes them: "(s77, 4*s77)", "max(1, s0 // 2)". Pure; any thread.
 *
 * Texts come from a log: any text is accepted, nesting is limited, and arithmetic that overflows has no value. */
#pragma once

#include "base/slice.h"

enum { SIZE_DIMS_MAX = 64 };

/* Values of names. Returns false if the name has none. */
struct size_names {
    bool (*value)(const void *data, struct slice name, int64_t *value);
    const void *data;
};

struct sizes {
    int64_t items[SIZE_DIMS_MAX];
    uint32_t count;
};

/* Evaluates an expression of integers, as Python does: +, -, *, //, %, **, max(), min(), parentheses. */
bool size_value(struct slice text, const struct size_names *names, int64_t *value);
/* "(8, s0)", "(8, )", "()" */
bool sizes_read(struct slice text, const struct size_names *names, struct sizes *sizes);
/* The bytes of a storage that holds this tensor from offset 0. Returns false if there are none: numbers of dimensions that
 * differ, a negative size, too many bytes. */
bool sizes_bytes(const struct sizes *sizes, const struct sizes *strides, int64_t item_bytes, int64_t *bytes);
/* Bytes of an item: 4 for "torch.float32". 0: unknown. */
int64_t dtype_bytes(struct slice dtype);
