/* guard_relations.h - the conditions on sizes among the guards of a compile, such as "(L['x'].size()[0] % 8) == 0".
 *
 * They are evaluated with the sizes that the guards of a compile state (guard_sets.h). Conditions may come from any log:
 * their depth is limited, and values beyond 32 bits are unknown. Pure; any thread after the fold. */
#pragma once

#include "model/model.h"

/* Whether a condition on sizes holds in the compile: 1, 0, or -1 if some value is not logged. */
int guard_relation_holds(const struct model *model, const struct compile *compile, struct slice code);
/* Adds "x.size()[0] = 17, n = 3": the values of the sizes and numbers in the condition, if all are known. */
void guard_relation_add_values(struct buf *out, const struct model *model, const struct compile *compile,
                               struct slice code);
/* Adds the condition with values in place of sizes and numbers, "2 <= 1". Adds nothing if a value is unknown. */
void guard_relation_add_numbers(struct buf *out, const struct model *model, const struct compile *compile,
                                struct slice code);
/* A condition that fixes a float to one value, "L['t'] == 0.25", which differs in the compile. */
struct fixed_float {
    struct slice name, had, has, symbol; /* symbol: in the compile; ptr NULL: none */
};
bool guard_relation_float(const struct model *model, const struct compile *compile, struct slice code,
                          struct fixed_float *fixed);
/* Whether the compile has the opposite of the condition: "(x % 8) != 0" for "(x % 8) == 0". */
bool guard_relation_opposite_known(const struct model *model, const struct compile *compile, struct slice code);
