/* guard_changes.h - compares the guards of two compiles: which guards of one fail in the other.
 *
 * Works on the guard facts that the model stores (guard_sets.h): a compile without a set has no changes. Pure; any thread
 * after the fold. */
#pragma once

#include "model/guard_sets.h"
#include "model/model.h"
#include "scan/guard_failure.h"

/* A guard of one compile that fails in another. */
struct guard_change {
    enum guard_type type;
    enum guard_aspect aspect;
    struct slice key;    /* key of the fact; ptr NULL: known only from a reason */
    struct slice guard;  /* the guard in PyTorch's notation, from a reason or else from the fact that differs */
    struct slice source; /* readable: "x.size()[0]", "self.drop.training", "len(xs)", "grad_mode"; ptr NULL: unknown */
    struct slice had, has; /* ptr NULL: not logged; for an object, only its class */
    struct slice symbol;   /* the symbol, if the new compile made it dynamic; ptr NULL: none */
    bool whole; /* the object whose code runs was replaced, or a module (or another object with attributes) has
                 * another class: changes of its members follow from that */
};
typedef LIST(struct guard_change) guard_changes;
enum { GUARD_CHANGES_MAX = 64 };

/* The number of guards of `from` that fail in `to`. Adds them to `changes` (may be NULL), at most GUARD_CHANGES_MAX,
 * in the order of first occurrence in the log. Their texts are in the arena or in the report. */
size_t guard_changes_find(const struct model *model, const struct compile *from, const struct compile *to,
                          struct arena *arena, guard_changes *changes);

/* The distance between the two, to find the nearest of several versions. It is the number of differences. The same size
 * in several tensors counts once, and so do conditions that fail for the same sizes. On a tie, a version is farther if
 * numbers became dynamic and the code took another branch for their old values. A call whose types, ranks, lengths or
 * members differ is another kind of call, and farther. Versions for objects of another type are farther than all
 * others. The state of `self` and of its modules does not make another kind of call, because it changes between equal
 * calls: its structure counts twice. A local variable that has guards in only one of the two does make another kind of
 * call: a version that returned early has few guards, and variables that it did not read are unknown, not equal. */
enum { GUARD_DISTANCE_CHANGE = 2, GUARD_DISTANCE_STRUCTURE = 1 << 16, GUARD_DISTANCE_OBJECT = 1 << 24 };
size_t guard_changes_distance(const struct model *model, const struct compile *from, const struct compile *to);

/* Whether the source is a member of `self`, or of a module in it, but not itself a module. */
bool guard_is_state(struct slice source);

/* Adds the readable form of a condition that fails. */
void guard_relation_say(struct guard_change *made, const struct model *model, const struct compile *to,
                        struct slice code, struct arena *arena);

/* guard_branches.c - whether the code of two compiles took different branches, as far as their guards show.
 *
 * Pure; any thread after the fold. */
/* Whether the compile has a guard on the value itself (L['x']), and not only on its members. */
bool guard_branches_read(const struct model *model, const struct compile *compile, struct slice source);
/* The number of local variables with guards in one of the compiles and none in the other: the code of the other did not
 * read them, because it took another branch. */
size_t guard_branches_unread(const struct model *model, const struct compile *from, const struct compile *to);
/* Whether `to` has a condition on one of these numbers ("L['x'].size()[0]") that does not hold for their values in
 * `from`: the code took another branch for those values, so `from` would not match even if these numbers were dynamic
 * in it. */
bool guard_branches_differ(const struct model *model, const struct compile *from, const struct compile *to,
                           const struct buf *numbers, size_t count);
