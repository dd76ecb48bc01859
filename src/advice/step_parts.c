/* The subject of a step: sizes, marks, modules, values from before a graph break. */

#include "advice/advice.h"
#include "advice/recompile_advice.h"

/* Whether the step differs in a value from before a graph break after which the function continues. */
bool step_has_stack(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (change_is_of_stack(&step->changes.items[i]))
            return true;
    return false;
}

uint64_t version_number(struct slice rest) {
    size_t dot = slice_find(rest, SLICE("."));
    uint64_t major, minor;
    if (dot == SIZE_MAX || !slice_to_u64(slice_first(rest, dot), &major))
        return 0;
    rest = slice_from(rest, dot + 1);
    if (!slice_to_u64(slice_first(rest, slice_find(rest, SLICE("."))), &minor) || major > 1000 || minor > 99)
        return 0;
    return major * 100 + minor;
}

bool change_is_of_stack(const struct guard_change *change) {
    return slice_find(change->source, SLICE("___stack")) != SIZE_MAX;
}

bool step_is_of_stack(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (!change_is_of_stack(&step->changes.items[i]))
            return false;
    return step->changes.count > 0;
}

/* From the metrics of the chain's process: the version in the log may come from any process. */
uint64_t version_of(const struct advising *a) {
    for (size_t i = 0; i < a->chain->compiles.count; i++) {
        struct slice version = a->model->compiles.items[a->chain->compiles.items[i]]->torch;
        if (version.ptr)
            return version_number(version);
    }
    return a->model->process_count <= 1 ? version_number(a->model->torch) : 0;
}

struct slice change_expression(struct advising *a, const struct guard_change *change) {
    struct guard_fact fact = guard_key_read(change->key);
    struct buf text = {0};
    buf_add(&text, fact.source);
    if (fact.aspect == ASPECT_SIZE)
        buf_addf(&text, ".size()[%.*s]", SLICE_ARG(fact.detail));
    else if (fact.aspect == ASPECT_STRIDE)
        buf_addf(&text, ".stride()[%.*s]", SLICE_ARG(fact.detail));
    return arena_keep(a->arena, &text);
}

bool is_marked_static(const struct model *model, uint32_t compile, const struct guard_fact *fact) {
    struct slice set = guard_set_get(model, model->compiles.items[compile], ASPECT_MARK,
                                     SLICE("_dynamo_static_indices"), fact->source);
    struct slice rest = set.len > 2 ? slice_make(set.ptr + 1, set.len - 2) : (struct slice){0};
    while (rest.len) {
        size_t comma = slice_find(rest, SLICE(","));
        if (slice_eq(slice_trim(slice_first(rest, comma)), fact->detail))
            return true;
        rest = comma == SIZE_MAX ? (struct slice){0} : slice_from(rest, comma + 1);
    }
    return false;
}

bool is_weight(struct slice source) {
    return slice_find(source, SLICE("._parameters[")) != SIZE_MAX ||
           slice_find(source, SLICE("._buffers[")) != SIZE_MAX;
}

/* Whether the change is in a stride that is a symbol in the step, and a size of the same tensor changed, too: marking
 * the size also makes strides dynamic that do not follow from sizes. */
bool is_marked_stride(const struct step *step, const struct guard_change *change) {
    struct slice source = guard_key_read(change->key).source;
    bool sized = false;
    for (size_t i = 0; i < step->changes.count && !sized; i++)
        sized = step->changes.items[i].type == GUARD_SIZE &&
                slice_eq(guard_key_read(step->changes.items[i].key).source, source);
    return sized && change->type == GUARD_STRIDE && change->symbol.ptr;
}

bool step_is_of_equal(const struct step *step) {
    bool alone = step->change_count == step->changes.count;
    for (size_t i = 1; i < step->changes.count; i++)
        alone &= step->changes.items[i].type == GUARD_RELATION &&
                 slice_find(step->changes.items[i].source, SLICE(".stride()[")) != SIZE_MAX;
    return alone && step->nearest != NO_VERSION &&
           slice_find(step->reason, SLICE("_config.use_duck_shape = False")) != SIZE_MAX;
}
