/* equal_sizes.h - where, and because of which tensor, a dynamic size or number became a constant.
 *
 * PyTorch logs the guard that decided it (guard_added_fast) before the specialization. Its stack has PyTorch's own
 * frames: a guard of broadcasting, or of a matrix product, says that a size of another tensor is static. Records of
 * non-strict exports, and those of symbols that follow another one (reason "find"), have no place: the guard that names
 * the symbol may have one. Where that guard has none either, as in the metadata of a tensor subclass, the log does not
 * say the line.
 *
 * From the complete model. Any thread. */
#pragma once

#include "model/model.h"

/* The line of the user's program: that of the record, or of the latest guard before it that makes the symbol equal to
 * the value, or to the symbol that it follows. NULL: the log has none. */
const struct stack_node *specialization_stack(const struct compile *compile, const struct shape_record *fixed);

struct equal_size {
    const struct shape_record
        *guard;           /* "Eq(s77, 5)", with a size of another tensor that is static; NULL: there is none */
    struct slice partner; /* the tensor that has it: a variable of the traced function; ptr NULL: not known */
    unsigned dimension;   /* of the partner */
};
/* The texts are in the arena. */
struct equal_size equal_size_of(const struct compile *compile, const struct shape_record *fixed, struct arena *arena);
/* " The dimension must equal one of `y`, which is static (`Eq(s77, 5)`)." */
void equal_size_add(struct buf *out, const struct equal_size *equal);
