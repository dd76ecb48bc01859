/* guard_failure.h - parses a recompile reason: which guard of which earlier compile failed, its source, and the
 * expected and actual values.
 *
 * A reason is "0/1: GUARD   # CODE  # FILE:LINE in FUNCTION", with an optional stack in the following lines. Every
 * part is optional. Slices point into the reason. Pure; any thread. */
#pragma once

#include "base/base.h"

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
    GUARD_BACKEND,      /* the backend of torch.compile: not a guard of the frame, but compared before its guards */
    GUARD_TYPES
};

struct guard_failure {
    struct slice against;   /* the earlier compile whose guard failed, "0/1"; ptr NULL: not logged */
    struct slice guard;     /* the first line, without the id and comments */
    struct slice source;    /* "x", "G['SCALE']"; ptr NULL: none */
    struct slice had, has;  /* expected and actual value: "2" and "3"; ptr NULL: not logged */
    struct slice dimension; /* for GUARD_SIZE and GUARD_STRIDE: "0"; ptr NULL: not logged */
    struct slice detail;    /* for GUARD_DICT and GUARD_ATTRIBUTE: the quoted key or name; for GUARD_ALIAS: the
                             * source that is now the same object; ptr NULL: not logged */
    enum guard_type type;
};

/* Removes the id of "0/1: …" from *text and returns it (ptr NULL: none). */
struct slice guard_reason_take_id(struct slice *text);
/* The user's line in the comment of a logged reason: "for _ in range(n):"; ptr NULL: none. */
struct slice guard_reason_code(struct slice reason);
struct guard_failure guard_failure_read(struct slice reason);
/* The type of a guard on a Python value: a module's mode, a float, or another value. */
enum guard_type guard_type_of_value(struct slice source, struct slice value);
/* Adds the difference between two sets of dispatch keys: "−AutogradCPU +AutocastCPU", at most KEYS_SAID removed and
 * added keys each. */
enum { KEYS_SAID = 8 };
void guard_keys_differ(struct buf *out, struct slice had, struct slice has);
/* Whether all keys in such a difference are set or removed by inference mode. */
bool guard_keys_are_of_inference(struct slice keys);
/* "size", "dtype", …: the names in report.json. */
const char *guard_type_name(enum guard_type type);
