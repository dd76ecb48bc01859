/* guard_checks.h - counts the checks that a tree of guards makes: the leaves of the tree that Dynamo logs.
 *
 * A leaf is one check. PyTorch prints a line for each of its conditions, so a leaf may have several lines; and it prints a guard that relates
 * several values (NO_TENSOR_ALIASING, OBJECT_ALIASING, STORAGE_OVERLAPPING, SYMBOLIC_SHAPE_GUARD) below each of them, the first time with its
 * code. Managers and accessors find values, and check nothing.
 *
 * The filters of torch.compiler (guard_filter_fn) drop guards by their source and kind. What would remain of this tree is a count, for each.
 * It is -1, not derived, where the tree does not say enough: CHECK_MANAGERS_MAX or CHECK_DEPTH_MAX are exceeded, or what a filter asks for is
 * not printed, such as whether a tensor of an unknown class is a parameter. Pure; any thread; the lines of the tree in order. */
#pragma once

#include "base/base.h"

enum {
    CHECK_MANAGERS_MAX = 1 << 18,
    CHECK_DEPTH_MAX = 256,
    CHECK_KINDS_MAX = 64,
    CHECK_MODULES_MAX = 20,
    CHECK_LINES_MAX = 10,
    CHECK_TEXT_MAX = 400
};

enum guard_filter {
    FILTER_SKIP_NN_MODULES,
    FILTER_SKIP_INBUILT_NN_MODULES,
    FILTER_KEEP_TENSORS,
    FILTER_SKIP_GLOBALS,
    FILTER_KEEP_PORTABLE,
    FILTER_SKIP_ALL,
    GUARD_FILTERS
};
/* Its name in torch.compiler. */
const char *guard_filter_name(enum guard_filter filter);

struct check_kind {
    struct slice kind; /* "TENSOR_MATCH" */
    uint32_t checks;
};

/* An nn.Module, with the checks on it and on what it holds, but not those of its modules. */
struct check_module {
    struct slice source, type; /* "L['self']._modules['h']"; type: its class, or ptr NULL */
    uint32_t checks;
};

struct check_line {
    struct slice file, code; /* as the tree has them: file may be the end of a path */
    uint64_t line;
    uint32_t checks; /* in which it has a condition */
};

/* The result. Lists are sorted by checks, the most first, then by place in the tree. Slices point into the text. The owner frees the lists. */
struct guard_checks {
    bool known; /* the tree was counted */
    uint32_t checks;
    uint32_t more_kinds, more_modules, more_lines; /* checks of those that are not listed */
    uint32_t in_modules;                           /* checks of all modules */
    int64_t filters[GUARD_FILTERS];
    LIST(struct check_kind) kinds;
    LIST(struct check_module) modules;
    LIST(struct check_line) lines;
};
void guard_checks_free(struct guard_checks *checks);

struct guard_node; /* scan/guard_text.h */
struct check_counter;
struct check_counter *check_counter_create(void);
enum check_part {
    CHECK_NONE,      /* a manager */
    CHECK_NEW,       /* a check */
    CHECK_CONDITION, /* a further condition of the check before */
    CHECK_REPEAT     /* a check that was printed before */
};
enum check_part check_counter_note(struct check_counter *counter, const struct guard_node *node);
uint32_t check_counter_count(const struct check_counter *counter);
/* Writes the result without lines, and frees the counter. */
void check_counter_end(struct check_counter *counter, struct guard_checks *out);
