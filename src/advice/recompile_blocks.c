/* recompile_blocks.c - sizes of 1 in a BlockMask of flex attention: it has one block for each BLOCK_SIZE positions, so
 * a sequence that is not longer has one block. With two blocks or more in every call, its sizes can be dynamic.
 *
 * Tried with PyTorch 2.15 on the program of tests/data/corpus/flex_masks: with `BLOCK_SIZE=64` and the value, 2 of 4
 * recompiles remain, which are for functions; with only one of them, all 4 remain. */
#include "advice/recompile_advice.h"
#include "recompiles/dynamic.h"

/* "L['block_mask']" of "L['block_mask'].kv_indices.size()[2]", if it was a BlockMask in the step. */
static struct slice mask_of(const struct advising *a, const struct step *step, struct slice expression) {
    static const struct slice type = SLICE_INIT(".BlockMask");
    struct slice none = {0}, of = slice_first(expression, slice_find(expression, SLICE("].")));
    if (of.len == expression.len)
        return none;
    of = slice_first(expression, of.len + 1);
    struct slice is = guard_set_get(a->model, a->model->compiles.items[step->compile], ASPECT_TYPE, none, of);
    return slice_ends(is, type) ? of : none;
}

/* "L\['block_mask'\].*": the names are regular expressions. */
static void add_pattern(struct buf *out, struct slice source) {
    for (size_t i = 0; i < source.len; i++) {
        buf_add_str(out, source.ptr[i] == '[' || source.ptr[i] == ']' ? "\\" : "");
        buf_add_byte(out, source.ptr[i]);
    }
    buf_add_lit(out, ".*");
}

bool add_blocks(struct buf *text, struct advising *a, const struct step *step, const struct guard_change *change) {
    struct slice mask = mask_of(a, step, change_expression(a, change));
    if (!mask.ptr || step->change_count != step->changes.count)
        return false;
    AUTO_BUF sources = {0};
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *other = &step->changes.items[i];
        struct guard_fact fact = guard_key_read(other->key);
        if (slice_starts(change_expression(a, other), mask))
            continue;
        if (other->type != GUARD_SIZE || !other->symbol.ptr || fact.aspect != ASPECT_SIZE) {
            return false;
        }
        dynamic_add_source(&sources, fact.source);
        buf_addf(&sources, ":%.*s,", SLICE_ARG(fact.detail));
    }
    add_pattern(&sources, mask);
    BUF_ADD(text,
            " A `BlockMask` has one block for each `BLOCK_SIZE` positions (128 by default). If it has two or more "
            "in every call, because sequences are longer or `create_block_mask` gets a smaller `BLOCK_SIZE`, "
            "`TORCH_COMPILE_DYNAMIC_SOURCES=\"",
            buf_slice(&sources), "\"` makes the sizes dynamic from the first call on.");
    return true;
}
