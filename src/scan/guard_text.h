/* guard_text.h - helpers to parse the texts of guards. Pure; any thread. */
#pragma once

#include "base/base.h"

/* A line of the tree: a manager, or a guard. Slices point into the text. */
struct guard_node {
    size_t depth;
    bool manager;
    struct slice kind;         /* "GuardManager", "TENSOR_MATCH" */
    struct slice source, type; /* for a manager: "L['x']", "torch.Tensor"; ptr NULL: not logged */
    struct slice part;         /* for a guard: its code, and the rest of the line */
};

/* The index of `needle` in the code, outside of quotes, or SIZE_MAX. */
size_t guard_code_find(struct slice code, struct slice needle);
/* The length of the name at the start of the code: L['x'].size()[0] */
size_t guard_operand_length(struct slice text);
/* ___as_tensor(L['f']).item() → L['f']: a float that Dynamo passes to the graph as a tensor. Returns others unchanged. */
struct slice guard_float_name(struct slice code);
/* "<class 'int'>" → int. Returns other texts unchanged. */
struct slice guard_class_name(struct slice type);
/* The index after the quoted text that begins at i, or 0 if it is not closed. */
size_t guard_quotes_end(struct slice code, size_t i);
/* The text between the first `begin` and the next `end`. ptr is NULL unless both exist. */
struct slice text_between(struct slice text, struct slice begin, struct slice end);
