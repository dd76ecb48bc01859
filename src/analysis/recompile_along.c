/* What changes because the compiled function itself changes it, as the record dynamo_side_effects of a version says. */
#include "analysis/chains.h"
#include "scan/guard_text.h"

enum { ALONG_MAX = 3 };

/* Whether the version changes the source when it runs. */
bool compile_changes(const struct compile *version, struct slice source) {
    for (size_t i = 0; i < version->changed.count && source.len; i++)
        if (slice_eq(version->changed.items[i], source))
            return true;
    return false;
}

/* Whether the function can have caused the change: of a value, a length, or of what was not set. A tensor that it writes
 * to keeps its size. */
static bool is_of_state(const struct guard_change *change) {
    return change->type == GUARD_VALUE || change->type == GUARD_FLOAT || change->type == GUARD_LENGTH ||
           (change->type == GUARD_TYPE && slice_is(change->had, "None"));
}

struct along {
    struct slice sources[ALONG_MAX];
    uint32_t versions[ALONG_MAX];
    size_t count, more;
};

/* A version that came before, and whose run changes what the next call checks. */
static void find(struct along *along, const struct model *model, const struct step *step) {
    if (step->nearest == NO_VERSION)
        return;
    for (size_t i = 0; i < step->changes.count; i++) {
        struct slice source = guard_key_read(step->changes.items[i].key).source;
        bool known =
            !is_of_state(&step->changes.items[i]) || !compile_changes(model->compiles.items[step->nearest], source);
        for (size_t n = 0; n < along->count && !known; n++)
            known = slice_eq(along->sources[n], source);
        if (known)
            continue;
        if (along->count == ALONG_MAX) {
            along->more++;
            continue;
        }
        along->sources[along->count] = source;
        along->versions[along->count++] = step->nearest;
    }
}

void chain_add_along(struct buf *out, const struct model *model, const struct chain *chain) {
    struct along along = {.count = 0};
    for (size_t i = 0; i < chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        find(&along, model, &chain->steps.items[i]);
    for (size_t i = 0; i < along.count; i++) {
        buf_add_str(out, i == 0                                ? " The function itself changes `"
                         : i + 1 == along.count && !along.more ? " and `"
                                                               : ", `");
        guard_readable_add(out, along.sources[i]);
        buf_add_byte(out, '`');
    }
    if (along.count)
        buf_addf(out, "%s (side effects of %.*s).", along.more ? " and more" : "",
                 SLICE_ARG(model->compiles.items[along.versions[0]]->key));
}
