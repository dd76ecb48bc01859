/* guard_sets.h - stores and looks up the guard facts of compiles.
 *
 * Texts are stored once for all compiles, so versions of a frame share them, and a fact takes eight bytes. The number
 * of facts is limited to GUARD_SETS_FACTS_MAX per report, and their texts to GUARD_SETS_BYTES_MAX bytes. A compile
 * beyond these limits has no set, so nothing is reported about its guards. The same applies to a compile with more than
 * GUARD_SETS_TREES_MAX guard trees (PyTorch logs one per attempt), because each tree reads all symbols of the compile.
 * The fold's thread adds facts; readers come later. */
#pragma once

#include "model/model.h"
#include "scan/guard_facts.h"

enum { GUARD_SETS_FACTS_MAX = 4 << 20, GUARD_SETS_BYTES_MAX = 32 << 20, GUARD_SETS_TREES_MAX = 256 };

/* Stores the facts of the compile's guard tree, and the symbols created in the folder. Replaces earlier ones. */
void guard_sets_keep(struct model *model, struct compile *compile, uint32_t folder, struct slice packed);

bool guard_set_known(const struct compile *compile);
/* The i-th fact of the compile's guards, in the order of first occurrence in the log. Returns false if there are
 * fewer. */
bool guard_set_fact(const struct model *model, const struct compile *compile, uint32_t i, struct slice *key,
                    struct slice *value);
/* The value of a fact. ptr NULL: the compile's guards do not have the fact. */
struct slice guard_set_get(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                           struct slice detail, struct slice source);
/* The value of a size, a stride or a number ("L['x'].size()[0]") in the compile, even if it is dynamic; *symbol (may
 * be NULL) is then its symbol. ptr NULL: unknown. */
struct slice guard_set_value(const struct model *model, const struct compile *compile, struct slice expression,
                             struct slice *symbol);
/* The key of the compile's fact whose source, in the notation of reasons ("x" for L['x']), is `plain`. ptr NULL: none.
 */
struct slice guard_set_key(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                           struct slice detail, struct slice plain);

/* The key and the value of an item of compile->guard_facts, which are sorted. Equal facts of different compiles are
 * equal numbers. */
struct slice guard_set_key_of(const struct model *model, uint64_t fact);
struct slice guard_set_value_of(const struct model *model, uint64_t fact);
/* The lower half of all facts with this value; UINT32_MAX: there is none. */
uint32_t guard_set_value_number(const struct model *model, struct slice value);
/* The stored copy of the key, with the lifetime of the model. ptr NULL: the compile's guards do not have the fact. */
struct slice guard_set_stored_key(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                                  struct slice detail, struct slice source);
