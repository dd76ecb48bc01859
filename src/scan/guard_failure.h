/* guard_failure.h - what a recompile reason says: which guard of which earlier compile failed, what it is about, and the
 * value that was expected and that came.
 *
 * A reason is "0/1: GUARD   # CODE  # FILE:LINE in FUNCTION" and perhaps a stack in the lines below. Nothing of it must be
 * there. Pure; any thread. Slices are of the reason. */
#ifndef TLPARSE_SCAN_GUARD_FAILURE_H
#define TLPARSE_SCAN_GUARD_FAILURE_H

#include "base/buf.h"

enum guard_type {
    GUARD_OTHER,
    GUARD_SIZE,
    GUARD_STRIDE,
    GUARD_RANK,
    GUARD_DTYPE,
    GUARD_DEVICE,
    GUARD_REQUIRES_GRAD,
    GUARD_DISPATCH_KEY,
    GUARD_VALUE,
    GUARD_LENGTH,
    GUARD_TYPE,
    GUARD_IDENTITY,
    GUARD_DICT,
    GUARD_ATTRIBUTE,
    GUARD_GLOBAL_STATE,
    GUARD_RELATION,
    GUARD_ALIAS,
    GUARD_FLOAT,       /* a Python float */
    GUARD_MODULE_MODE, /* .training of a module */
    GUARD_GRAD_MODE,
    GUARD_DIVISIBILITY, /* (x.size()[0] % 8) == 0 */
    GUARD_BACKEND,      /* the backend of torch.compile: no guard of the frame, but compared before them */
    GUARD_TYPES
};

struct guard_failure {
    struct slice against;   /* the earlier compile whose guard failed, "0/1"; ptr NULL: not said */
    struct slice guard;     /* the first line without id and comments */
    struct slice source;    /* "x", "G['SCALE']"; ptr NULL: none */
    struct slice had, has;  /* what was expected and what came: "2" and "3"; ptr NULL: not said */
    struct slice dimension; /* of GUARD_SIZE and GUARD_STRIDE: "0"; ptr NULL: not said */
    struct slice
        detail; /* of GUARD_DICT and GUARD_ATTRIBUTE: the key or name, as it is quoted; of GUARD_ALIAS: what the
                          * source is now the same as; ptr NULL: not said */
    enum guard_type type;
};

/* "0/1: …": the id, ptr NULL where there is none, and `text` without it. */
struct slice guard_reason_take_id(struct slice *text);
struct guard_failure guard_failure_read(struct slice reason);
/* Of a Python value: a module's mode, a float, or another. */
enum guard_type guard_type_of_value(struct slice source, struct slice value);
/* Adds what differs between two sets of dispatch keys: "−AutogradCPU +AutocastCPU"; at most KEYS_SAID of each. */
enum { KEYS_SAID = 8 };
void guard_keys_differ(struct buf *out, struct slice had, struct slice has);
/* "size", "dtype", …, as report.json has it. */
const char *guard_type_name(enum guard_type type);
#endif
