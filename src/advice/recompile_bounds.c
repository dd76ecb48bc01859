/* Bounds by a size: "n <= 4" is not a separate cause of a recompile if 4 is the constant size of a tensor that changes.
 */

#include "advice/recompile_advice.h"
#include "scan/guard_text.h"

/* "0 <= n <= 4" or "n <= 4" */
struct bounds {
    struct slice lower, number, upper;
};

static bool read_bounds(struct slice condition, struct bounds *bounds) {
    static const struct slice least = SLICE_INIT(" <= ");
    size_t at = guard_code_find(condition, least);
    if (at == SIZE_MAX)
        return false;
    struct slice rest = slice_from(condition, at + least.len);
    size_t next = guard_code_find(rest, least);
    if (next == SIZE_MAX)
        *bounds = (struct bounds){.number = slice_first(condition, at), .upper = rest};
    else
        *bounds =
            (struct bounds){slice_first(condition, at), slice_first(rest, next), slice_from(rest, next + least.len)};
    return guard_code_find(bounds->upper, least) == SIZE_MAX;
}

/* Whether a compile has the guard "A <= B". */
static bool has_guard(const struct advising *a, uint32_t compile, struct slice least, struct slice most) {
    AUTO_BUF text = {0};
    buf_addf(&text, "%.*s <= %.*s", SLICE_ARG(least), SLICE_ARG(most));
    struct slice value = guard_set_get(a->model, a->model->compiles.items[compile], ASPECT_RELATION, (struct slice){0},
                                       buf_slice(&text));
    return value.ptr;
}

/* Whether the step's own guards have the same condition, with the changed size as its bound. */
static bool is_bound_by(const struct advising *a, const struct step *step, const struct guard_change *relation,
                        const struct guard_change *size) {
    struct bounds bounds;
    struct guard_fact fact = guard_key_read(size->key);
    if (relation->type != GUARD_RELATION || size->type != GUARD_SIZE || !size->symbol.ptr ||
        !read_bounds(guard_key_read(relation->key).source, &bounds) || !slice_eq(bounds.upper, size->had))
        return false;
    AUTO_BUF most = {0};
    buf_addf(&most, "%.*s.size()[%.*s]", SLICE_ARG(fact.source), SLICE_ARG(fact.detail));
    bool same = has_guard(a, step->compile, bounds.number, buf_slice(&most)) &&
                (!bounds.lower.ptr || has_guard(a, step->compile, bounds.lower, bounds.number));
    return same;
}

static bool follows(const struct advising *a, const struct step *step, const struct guard_change *relation) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (is_bound_by(a, step, relation, &step->changes.items[i]))
            return true;
    return false;
}

const struct step *step_without_bounds(struct advising *a, const struct step *step) {
    struct step *without = NULL;
    for (size_t i = 0; i < step->changes.count; i++)
        if (follows(a, step, &step->changes.items[i]) && !without) {
            without = arena_zalloc(a->arena, sizeof *without);
            *without = *step;
        }
    if (!without)
        return step;
    memset(&without->changes, 0, sizeof without->changes);
    for (size_t i = 0; i < step->changes.count; i++)
        if (!follows(a, step, &step->changes.items[i]))
            ARENA_ADD(a->arena, &without->changes, step->changes.items[i]);
    without->change_count -= step->changes.count - without->changes.count;
    return without;
}
