/* guard_sets.h - the guard facts of every compile, kept, looked up, and compared.
 *
 * Texts are kept once for all compiles, so that versions of a frame share what they have in common; a fact then takes eight
 * bytes. All of it is bounded: GUARD_SETS_FACTS_MAX facts and GUARD_SETS_BYTES_MAX bytes of texts in a report. A compile for
 * which there is no room has no set, and nothing is said of its guards. The fold's thread adds; readers come later. */
#ifndef TLPARSE_MODEL_GUARD_SETS_H
#define TLPARSE_MODEL_GUARD_SETS_H

#include "model/model.h"
#include "scan/guard_facts.h"
#include "scan/guard_failure.h"

enum { GUARD_SETS_FACTS_MAX = 4 << 20, GUARD_SETS_BYTES_MAX = 32 << 20 };

/* A guard of one compile that does not hold in another. */
struct guard_change {
    enum guard_type type;
    enum guard_aspect aspect;
    struct slice key;   /* the fact's; ptr NULL: it is known from a reason only */
    struct slice guard; /* as a reason has it, else the guard that differs, in PyTorch's words */
    struct slice
        source; /* for readers: "x.size()[0]", "self.drop.training", "len(xs)", "grad_mode"; ptr NULL: not known */
    struct slice had, has; /* ptr NULL: the log does not say */
    struct slice symbol;   /* the new compile's symbol for it, which made it dynamic; ptr NULL: none */
    bool
        whole; /* the object whose code runs is another one, or a module (or another object with attributes) is of another class: what
                 * its members are now follows from that */
};
typedef LIST(struct guard_change) guard_changes;
enum { GUARD_CHANGES_MAX = 64 };

/* The facts of the compile's tree of guards, with the symbols that were created in the folder; replaces earlier ones. */
void guard_sets_keep(struct model *model, struct compile *compile, uint32_t folder, struct slice packed);

bool guard_set_known(const struct compile *compile);
/* The i-th fact of the compile's guards, in the order in which the log first named them; false: there are fewer. */
bool guard_set_fact(const struct model *model, const struct compile *compile, uint32_t i, struct slice *key,
                    struct slice *value);
/* The value of a fact; ptr NULL: the compile's guards do not state it. */
struct slice guard_set_get(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                           struct slice detail, struct slice source);
/* What a size, a stride or a number ("L['x'].size()[0]") was in the compile, also of one that is dynamic; *symbol (may be
 * NULL) is then its symbol. ptr NULL: not known. */
struct slice guard_set_value(const struct model *model, const struct compile *compile, struct slice expression,
                             struct slice *symbol);
/* The key of the compile's fact whose source is `plain` as reasons spell it ("x" for L['x']); ptr NULL: it has none. */
struct slice guard_set_key(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                           struct slice detail, struct slice plain);

/* How many guards of `from` do not hold in `to`. With `changes` (may be NULL) those are added, at most GUARD_CHANGES_MAX, in
 * the order in which the log first named them; their texts live in the arena or in the report. */
size_t guard_sets_compare(const struct model *model, const struct compile *from, const struct compile *to,
                          struct arena *arena, guard_changes *changes);

/* How far apart the two are, to find the nearest of several: as many guards as do not hold, of conditions that fail for the same
 * sizes one. Compiles for objects of another type are farther than all that are for the same. */
size_t guard_sets_distance(const struct model *model, const struct compile *from, const struct compile *to);

/* How many conditions on sizes name the expression. */
size_t guard_set_conditions(const struct model *model, const struct compile *compile, struct slice expression);
/* Fills in what a reader sees of a condition that holds no longer. */
void guard_relation_say(struct guard_change *made, const struct model *model, const struct compile *to,
                        struct slice code, struct arena *arena);
/* "code (id 1396…)" of a fact "1396… code"; with_id false: "code". Without a name, as up to PyTorch 2.8: an object, another object;
 * of a class: a class, another class. */
enum identity_side { IDENTITY_WAS, IDENTITY_IS };
void guard_identity_add(struct buf *out, struct slice value, enum guard_aspect aspect, enum identity_side side,
                        bool with_id);

#endif
