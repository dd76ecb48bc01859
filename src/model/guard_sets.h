/* guard_sets.h - stores, looks up and compares the guard facts of compiles.
 *
 * Texts are stored once for all compiles, so versions of a frame share them, and a fact takes eight bytes. The number
 * of facts is limited to GUARD_SETS_FACTS_MAX per report, and their texts to GUARD_SETS_BYTES_MAX bytes. A compile
 * beyond these limits has no set, and nothing is said about its guards. The fold's thread adds facts; readers come
 * later. */
#ifndef TLPARSE_MODEL_GUARD_SETS_H
#define TLPARSE_MODEL_GUARD_SETS_H

#include "model/model.h"
#include "scan/guard_facts.h"
#include "scan/guard_failure.h"

enum { GUARD_SETS_FACTS_MAX = 4 << 20, GUARD_SETS_BYTES_MAX = 32 << 20 };

/* A guard of one compile that fails in another. */
struct guard_change {
    enum guard_type type;
    enum guard_aspect aspect;
    struct slice key;    /* key of the fact; ptr NULL: known from a reason only */
    struct slice guard;  /* the guard in PyTorch's notation, from a reason or else the one that differs */
    struct slice source; /* readable: "x.size()[0]", "self.drop.training", "len(xs)", "grad_mode"; ptr NULL: unknown */
    struct slice had, has; /* ptr NULL: not logged */
    struct slice symbol;   /* the symbol that made it dynamic in the new compile; ptr NULL: none */
    bool
        whole; /* the object whose code runs is another one, or a module (or another object with attributes) has another class: changes of its members follow from that */
};
typedef LIST(struct guard_change) guard_changes;
enum { GUARD_CHANGES_MAX = 64 };

/* Stores the facts of the compile's guard tree, and the symbols created in the folder. Replaces earlier ones. */
void guard_sets_keep(struct model *model, struct compile *compile, uint32_t folder, struct slice packed);

bool guard_set_known(const struct compile *compile);
/* The i-th fact of the compile's guards, in the order of first occurrence in the log. Returns false if there are
 * fewer. */
bool guard_set_fact(const struct model *model, const struct compile *compile, uint32_t i, struct slice *key,
                    struct slice *value);
/* The value of a fact. ptr NULL: the compile's guards do not state it. */
struct slice guard_set_get(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                           struct slice detail, struct slice source);
/* The value of a size, a stride or a number ("L['x'].size()[0]") in the compile, even if it is dynamic; *symbol (may
 * be NULL) is then its symbol. ptr NULL: unknown. */
struct slice guard_set_value(const struct model *model, const struct compile *compile, struct slice expression,
                             struct slice *symbol);
/* The key of the compile's fact whose source is `plain` in the notation of reasons ("x" for L['x']). ptr NULL: none. */
struct slice guard_set_key(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                           struct slice detail, struct slice plain);

/* The number of guards of `from` that fail in `to`. Adds them to `changes` (may be NULL), at most GUARD_CHANGES_MAX,
 * in the order of first occurrence in the log. Their texts are in the arena or in the report. */
size_t guard_sets_compare(const struct model *model, const struct compile *from, const struct compile *to,
                          struct arena *arena, guard_changes *changes);

/* The distance between the two, to find the nearest of several versions: the number of failing guards, where
 * conditions that fail for the same sizes count once. Versions for objects of another type are farther than all
 * others. */
size_t guard_sets_distance(const struct model *model, const struct compile *from, const struct compile *to);

/* The number of conditions on sizes that contain the expression. */
size_t guard_set_conditions(const struct model *model, const struct compile *compile, struct slice expression);
/* Adds the readable form of a condition that fails. */
void guard_relation_say(struct guard_change *made, const struct model *model, const struct compile *to,
                        struct slice code, struct arena *arena);
/* "code (id 1396…)" for a fact "1396… code"; with_id false: "code". Without a name, as up to PyTorch 2.8: an object,
 * another object; for a class: a class, another class. */
enum identity_side { IDENTITY_WAS, IDENTITY_IS };
void guard_identity_add(struct buf *out, struct slice value, enum guard_aspect aspect, enum identity_side side,
                        bool with_id);

#endif
