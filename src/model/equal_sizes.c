#include "model/equal_sizes.h"

#include "scan/guard_text.h"
#include "scan/library.h"

#include "base/json.h"

enum { GUARDS_MAX = 4096, FRAMES_MAX = 64 };

/* Whether the expression depends on no size other than the symbol: "(s27//4)*(s27//((s27//4)))". */
static bool is_of_symbol(struct slice expr, struct slice symbol) {
    bool found = false;
    for (size_t i = 0; i < expr.len;) {
        size_t length = word_length(slice_from(expr, i));
        struct slice word = slice_make(expr.ptr + i, length);
        if (length && !slice_eq(word, symbol) && digits_length(word) != length)
            return false;
        found |= length && slice_eq(word, symbol);
        i += length ? length : 1;
    }
    return found;
}

/* Whether the guard is "Eq(s77, 5)" or "Eq(5, s77)", possibly with an expression of only the symbol in place of s77. If
 * value.ptr is NULL, "Eq(s77, s17)" counts, too. */
static bool is_equal(struct slice guard, struct slice symbol, struct slice value) {
    struct slice inner, rest;
    if (!slice_starts(guard, SLICE("Eq(")) || !slice_ends(guard, SLICE(")")))
        return false;
    inner = slice_make(guard.ptr + 3, guard.len - 4);
    size_t comma = slice_find(inner, SLICE(", "));
    if (comma == SIZE_MAX)
        return false;
    rest = slice_from(inner, comma + 2);
    inner = slice_first(inner, comma);
    return (value.ptr ? is_of_symbol(inner, symbol) && slice_eq(rest, value) : slice_eq(inner, symbol)) ||
           (slice_eq(rest, symbol) && (!value.ptr || slice_eq(inner, value)));
}

/* The latest guard before the specialization that makes the symbol equal to the value, or to anything if its ptr is
 * NULL. */
static const struct shape_record *guard_before(const struct compile *compile, const struct shape_record *fixed,
                                               struct slice value) {
    const struct shape_record *found = NULL, *guard = compile->shapes[SHAPE_GUARD].first;
    for (size_t i = 0; guard && guard->line < fixed->line && i < GUARDS_MAX; guard = guard->next, i++)
        if (guard->folder == fixed->folder && is_equal(guard->text, fixed->symbol, value))
            found = guard;
    return found;
}

/* The guard before the specialization that fixes the other symbol of this one's guard, as in "Eq(s52, s74)", to the
 * value. */
static const struct shape_record *guard_of_other(const struct compile *compile, const struct shape_record *fixed,
                                                 struct slice equal) {
    struct slice inner = text_between(equal, SLICE("Eq("), SLICE(")"));
    size_t comma = slice_find(inner, SLICE(", "));
    if (comma == SIZE_MAX)
        return NULL;
    struct shape_record other = *fixed;
    other.symbol = slice_first(inner, comma);
    if (slice_eq(other.symbol, fixed->symbol))
        other.symbol = slice_from(inner, comma + 2);
    return guard_before(compile, &other, fixed->value);
}

/* The user's line in the Python stack of an export with strict=False, which runs the code itself and may log no user
 * stack. NULL: the stack is not of that kind. */
static const struct stack_node *run_by_export(const struct stack_node *stack) {
    const struct stack_node *own = stack, *node;
    while (own && is_library_file(own->frame->file))
        own = own->parent;
    for (node = own; node && !(slice_is(node->frame->function, "_non_strict_export") &&
                               slice_ends(node->frame->file, SLICE("torch/export/_trace.py")));)
        node = node->parent;
    return node ? own : NULL;
}

const struct stack_node *specialization_stack(const struct compile *compile, const struct shape_record *fixed) {
    if (fixed->user_stack)
        return fixed->user_stack;
    bool follows = slice_is(fixed->text, "find"); /* its symbol was replaced by another one, which is specialized */
    const struct shape_record *guard = guard_before(compile, fixed, follows ? (struct slice){0} : fixed->value);
    const struct shape_record *other = follows && guard ? guard_of_other(compile, fixed, guard->text) : NULL;
    guard =
        other && other->user_stack && other->line > guard->line ? other : guard; /* earlier: it took its value there */
    return guard && guard->user_stack ? guard->user_stack : run_by_export(fixed->stack);
}

/* Whether PyTorch added the guard while it compared sizes of two tensors: operations with two tensors broadcast with
 * infer_size() of _subclasses/fake_impls.py or _broadcast_shapes() of _refs; meta_mm() is a matrix product.
 * infer_size() of _prims_common does not count: view() uses it. */
static bool is_comparison(const struct stack_node *stack) {
    for (size_t i = 0; stack && i < FRAMES_MAX; stack = stack->parent, i++)
        if ((slice_is(stack->frame->function, "infer_size") &&
             slice_ends(stack->frame->file, SLICE("torch/_subclasses/fake_impls.py"))) ||
            slice_is(stack->frame->function, "_broadcast_shapes") || slice_is(stack->frame->function, "meta_mm"))
            return true;
    return false;
}

/* Whether the line has at most one operation on variables, so that its operands are the variables that it names. */
static bool is_simple(struct slice code) {
    size_t operators = 0;
    for (size_t i = 0; i < code.len; i++)
        operators += code.ptr[i] && strchr("+-*/%@&|^<>", code.ptr[i]) != NULL;
    return operators <= 1 && slice_find(code, SLICE("self.")) == SIZE_MAX;
}

/* The only dimension with this static size. Returns false if there is none, or several. */
static bool only_dimension(yyjson_val *sizes, struct slice value, unsigned *dimension) {
    size_t i, max, count = 0;
    yyjson_val *size;
    yyjson_arr_foreach(sizes, i, max, size) {
        struct slice number = {yyjson_get_raw(size), yyjson_get_len(size)};
        if (!number.ptr || !slice_eq(number, value)) /* a string is a symbol, possibly specialized */
            continue;
        *dimension = (unsigned)i;
        count++;
    }
    return count == 1;
}

/* Finds the input of the graph ("l_y_") that has the size, if the line names exactly one such variable (y). */
static void find_partner(struct equal_size *equal, const struct compile *compile, const struct shape_record *fixed,
                         const struct frame *line, struct arena *arena) {
    yyjson_val *inputs = NULL, *key, *sizes;
    struct slice text = compile->sizes;
    size_t i, max, count = 0;
    if (!line->code.len || !is_simple(line->code) || !slice_eq(line->function, compile->frame.function) || !text.len ||
        json_read(&text, JSON_NUMBERS_RAW, arena, &inputs) == JSON_BAD)
        return;
    yyjson_obj_foreach(inputs, i, max, key, sizes) {
        struct slice name = json_text(key);
        unsigned dimension;
        if (name.len < 4 || !slice_ends(name, SLICE("_")))
            continue;
        name = slice_make(name.ptr + 2, name.len - 3);
        if (has_word(fixed->source, name) || !has_word(line->code, name) ||
            !only_dimension(sizes, fixed->value, &dimension))
            continue;
        count++;
        equal->partner = name;
        equal->dimension = dimension;
    }
    if (count != 1)
        equal->partner = (struct slice){0};
}

struct equal_size equal_size_of(const struct compile *compile, const struct shape_record *fixed, struct arena *arena) {
    const struct shape_record *guard = guard_before(compile, fixed, fixed->value);
    struct equal_size equal = {0};
    if (!guard || !is_comparison(guard->stack))
        return equal;
    equal.guard = guard;
    if (fixed->user_stack)
        find_partner(&equal, compile, fixed, fixed->user_stack->frame, arena);
    return equal;
}

void equal_size_add(struct buf *out, const struct equal_size *equal) {
    if (equal->partner.len)
        buf_addf(out, " The dimension must equal one of `%.*s`, which is static (`%.*s`).", SLICE_ARG(equal->partner),
                 SLICE_ARG(equal->guard->text));
    else
        buf_addf(out, " The dimension must equal one of another tensor, which is static (`%.*s`).",
                 SLICE_ARG(equal->guard->text));
}
