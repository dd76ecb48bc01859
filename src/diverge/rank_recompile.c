#include "diverge/rank_recompile.h"

#include "scan/guard_failure.h"
#include "scan/guard_prose.h"

enum { WORDS_MAX = 120 }; /* per part */

struct slice rank_recompile_guard(const struct rank_compile *compile) {
    struct slice guard = compile->earliest ? guard_failure_read(compile->reason).guard : (struct slice){0};
    return slice_is(guard, GUARD_NOT_NAMED) ? (struct slice){0} : guard;
}

static bool is_of_tensor(enum guard_type type) {
    return type == GUARD_SIZE || type == GUARD_STRIDE || type == GUARD_RANK || type == GUARD_DTYPE ||
           type == GUARD_DEVICE || type == GUARD_REQUIRES_GRAD || type == GUARD_DISPATCH_KEY;
}

static void add_part(struct buf *out, struct slice part) {
    BUF_ADD(out, (uint64_t)part.len, " ", part);
}

void rank_recompile_subject_add(struct buf *out, const struct rank_compile *compile) {
    struct guard_failure failure = guard_failure_read(compile->reason);
    bool whole = !failure.source.len || failure.type == GUARD_RELATION || failure.type == GUARD_DIVISIBILITY;
    /* Guards on one variable may have different types because its value has: 3 on one rank, None on another. */
    buf_add_u64(out, is_of_tensor(failure.type) ? (uint64_t)failure.type : 0);
    add_part(out, whole ? failure.guard : failure.source);
    add_part(out, failure.dimension);
    add_part(out, failure.detail);
}

bool rank_recompile_same_subject(const struct rank_compile *a, const struct rank_compile *b) {
    AUTO_BUF x = {0}, y = {0};
    if (!rank_recompile_guard(a).len || !rank_recompile_guard(b).len)
        return true;
    rank_recompile_subject_add(&x, a);
    rank_recompile_subject_add(&y, b);
    bool same = slice_eq(buf_slice(&x), buf_slice(&y));
    return same;
}

bool rank_recompile_is_of_size(const struct rank_compile *compile) {
    enum guard_type type = guard_failure_read(compile->reason).type;
    return !rank_recompile_guard(compile).len || type == GUARD_SIZE || type == GUARD_STRIDE || type == GUARD_RELATION ||
           type == GUARD_DIVISIBILITY;
}

bool rank_recompiles_like(const struct rank_facts *facts, const struct rank_compile *compile) {
    struct slice guard = rank_recompile_guard(compile);
    for (size_t i = 0; i < facts->compiles.count; i++) {
        const struct rank_compile *c = facts->compiles.items[i];
        if (c->number > 0 && slice_eq(c->frame, compile->frame) && slice_eq(rank_recompile_guard(c), guard))
            return true;
    }
    return false;
}

static void quote(struct buf *out, struct slice code) {
    const char *tick = slice_find(code, SLICE("`")) == SIZE_MAX ? "`" : "";
    BUF_ADD(out, tick, slice_first(code, WORDS_MAX), tick);
}

void rank_recompile_words_add(struct buf *out, const struct rank_compile *compile) {
    static const char *const properties[GUARD_TYPES] =
        {[GUARD_SIZE] = "size", [GUARD_STRIDE] = "stride", [GUARD_DTYPE] = "dtype", [GUARD_DEVICE] = "device"};
    struct guard_failure failure = guard_failure_read(compile->reason);
    const char *property = failure.source.len && failure.has.len ? properties[failure.type] : NULL;
    if (property) {
        BUF_ADD(out, " for the ", property, " ", slice_first(failure.has, WORDS_MAX), " of ");
        quote(out, failure.source);
        buf_addf(out, failure.dimension.len ? " at index %.*s" : "%.*s", SLICE_ARG(failure.dimension));
    } else if (failure.guard.len) {
        buf_add_lit(out, " (");
        quote(out, failure.guard);
        buf_add_lit(out, ")");
    }
}
