/* The inputs of exports, and their sizes that dynamic_shapes leaves static.
 *
 * An export describes each input, and then creates symbols for its dynamic sizes: a size without a symbol is static. */

#include "model/equal_sizes.h"
#include "model/export.h"
#include "scan/guard_facts.h"

struct slice exports_text(struct exports *exports, struct slice text) {
    bool added;
    if (!text.ptr)
        return text;
    uint32_t index = *map_put_in(exports->arena, &exports->text_map, text, (uint32_t)exports->texts.count, &added);
    if (added)
        ARENA_ADD(exports->arena, &exports->texts, map_key(&exports->text_map, text));
    return exports->texts.items[index];
}

static const struct slice numbered = SLICE_INIT("L['flat_args'][");

bool export_is_argument(struct slice source) {
    return slice_starts(source, SLICE("L['")) && !slice_starts(source, SLICE("L['self']")) &&
           slice_find(source, SLICE("_parameters[")) == SIZE_MAX && slice_find(source, SLICE("_buffers[")) == SIZE_MAX;
}

static bool is_static(const struct compile *compile, const struct export_input *input, size_t dimension,
                      uint64_t before) {
    const struct shape_record *made = compile->shapes[SHAPE_SYMBOL].first;
    AUTO_BUF size = {0};
    buf_addf(&size, "%.*s.size()[%zu]", SLICE_ARG(input->source), dimension);
    for (; made && made->line < before; made = made->next)
        if (made->line > input->line && slice_eq(made->source, buf_slice(&size)))
            break;
    return !made || made->line >= before;
}

/* "`mask.size()[1]`"; a strict export numbers its inputs. */
static void add_size(struct buf *out, const struct export_input *input, size_t dimension) {
    if (slice_starts(input->source, numbered)) {
        struct slice number = slice_from(input->source, numbered.len);
        buf_addf(out, "dimension %zu of example input %.*s (both counted from 0)", dimension,
                 SLICE_ARG(slice_first(number, slice_find(number, SLICE("]")))));
        return;
    }
    buf_add_byte(out, '`');
    guard_readable_add(out, input->source);
    buf_addf(out, ".size()[%zu]`", dimension);
}

static bool is_known(const struct export_input *const *inputs, size_t count, const struct export_input *input) {
    for (size_t i = 0; i < count; i++)
        if (slice_eq(inputs[i]->source, input->source))
            return true;
    return false;
}

size_t export_add_static(struct buf *out, const struct model *model, const struct compile *compile, uint64_t before,
                         struct slice value) {
    enum { INPUTS_MAX = 64, SAID_MAX = 3 };
    const struct export_input *inputs[INPUTS_MAX];
    size_t count = 0, found = 0, at = model->exports ? model->exports->inputs.count : 0;
    uint64_t number;
    if (!slice_to_u64(value, &number) || at == EXPORT_INPUTS_MAX) /* then, the list of inputs may be incomplete */
        return 0;
    while (at-- > 0 && count < INPUTS_MAX) {
        const struct export_input *input = &model->exports->inputs.items[at];
        if (input->compile != compile->index || input->line >= before)
            continue;
        if (is_known(inputs, count, input))
            break; /* of an earlier export */
        inputs[count++] = input;
    }
    count = count == INPUTS_MAX ? 0 : count;
    while (count-- > 0) {
        const struct export_input *input = inputs[count];
        for (size_t i = 0; i < input->count; i++) {
            if (input->sizes[i] != number || !is_static(compile, input, i, before))
                continue;
            if (found++ < SAID_MAX) {
                buf_add_str(out, found > 1 ? ", " : "");
                add_size(out, input, i);
            }
        }
    }
    if (found > SAID_MAX)
        buf_addf(out, " and %zu more", found - SAID_MAX);
    return found;
}

void export_add_equal_advice(struct buf *out, struct slice sizes, size_t count) {
    if (count == 1)
        buf_addf(out,
                 "If the other tensor is an input, declare %.*s dynamic, too, with the same `Dim` in `dynamic_shapes`: "
                 "no other input has a static size that is equal.",
                 SLICE_ARG(sizes));
    else
        buf_add_lit(out, "If the other tensor is an input, declare that dimension of it dynamic, too: the same `Dim` "
                         "in `dynamic_shapes`.");
    if (count > 1)
        buf_addf(out, " These static sizes of inputs are equal: %.*s.", SLICE_ARG(sizes));
}

static bool is_line(const struct stack_node *stack, const struct place *place) {
    return stack && stack->frame->line == place->line && slice_eq(stack->frame->file, place->file);
}

void export_find_equal(const struct model *model, struct export_failure *failure) {
    AUTO_ARENA arena = {0};
    for (size_t i = 0; i < model->compiles.count && !failure->equal; i++) {
        const struct compile *compile = model->compiles.items[i];
        const struct shape_record *fixed = compile->framed ? NULL : compile->shapes[SHAPE_SPECIALIZATION].first;
        for (; fixed && !failure->equal; fixed = fixed->next) {
            if (!is_line(fixed->user_stack, &failure->place) || !equal_size_of(compile, fixed, &arena).guard)
                continue;
            AUTO_BUF sizes = {0};
            failure->equal = true;
            failure->equal_count = export_add_static(&sizes, model, compile, fixed->line, fixed->value);
            failure->equal_sizes = exports_text(model->exports, buf_slice(&sizes));
        }
    }
}
