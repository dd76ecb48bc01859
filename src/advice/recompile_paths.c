/* Sizes that the traced code depends on: if a condition of the new version does not hold for the old values, the code
 * takes another path for them, so a symbol saves nothing. */
#include "advice/recompile_advice.h"
#include "recompiles/guard_changes.h"

struct slice path_condition(const struct advising *a, const struct step *step, struct slice expression, bool strides) {
    struct compile *const *compiles = a->model->compiles.items;
    guard_changes changes = {0};
    guard_changes_find(a->model, compiles[step->compile], compiles[step->nearest], a->arena, &changes);
    struct slice shortest = {0};
    for (size_t i = 0; i < changes.count; i++) {
        const struct guard_change *change = &changes.items[i];
        if ((change->type == GUARD_RELATION || change->type == GUARD_DIVISIBILITY) &&
            slice_find(change->guard, expression) != SIZE_MAX &&
            (strides || slice_find(change->guard, SLICE(".stride()[")) == SIZE_MAX) &&
            (!shortest.ptr || change->guard.len < shortest.len))
            shortest = change->guard;
    }
    return shortest;
}
