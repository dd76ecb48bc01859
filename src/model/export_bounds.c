/* Guards of exports that the `Dim`s of dynamic_shapes do not allow.
 *
 * A non-strict export checks its guards against dynamic_shapes at the end, and an error there leaves no record. The
 * range of a symbol shows the declaration: only a named `Dim` has an upper limit. Without one, the declaration may be a
 * hint, such as `Dim.AUTO`, which allows the guard. */
#include "model/export_calls.h"
#include "scan/guard_text.h"

enum { GUARDS_MAX = 4096 };

/* A guard: "s77 > 2" has `symbol`, "Eq(s77, s17)" also has `other`, "Eq(Mod(s77, 4), 0)" has `divisor`, and "Eq(s77,
 * 4)" is `constant`. */
struct parsed {
    struct slice symbol, other;
    bool upper, constant;
    uint64_t limit, divisor; /* divisor 0: the guard is of another kind */
};

static bool is_size_symbol(struct slice word) {
    return word.len > 1 && slice_starts(word, SLICE("s")) && digits_length(slice_from(word, 1)) == word.len - 1;
}

static bool parse_equal(struct slice expr, struct parsed *guard) {
    static const struct slice head = SLICE_INIT("Eq(");
    if (!slice_starts(expr, head) || !slice_ends(expr, SLICE(")")))
        return false;
    struct slice inner = slice_make(expr.ptr + head.len, expr.len - head.len - 1);
    size_t comma = slice_find(inner, SLICE(", "));
    if (comma == SIZE_MAX)
        return false;
    guard->symbol = slice_first(inner, comma);
    guard->other = slice_from(inner, comma + 2);
    return is_size_symbol(guard->symbol) && is_size_symbol(guard->other) && !slice_eq(guard->symbol, guard->other);
}

static bool parse_constant(struct slice expr, struct parsed *guard) {
    struct slice inner = text_between(expr, SLICE("Eq("), SLICE(")"));
    size_t comma = slice_find(inner, SLICE(", "));
    if (!slice_starts(expr, SLICE("Eq(")) || inner.len + 4 != expr.len || comma == SIZE_MAX)
        return false;
    guard->symbol = slice_first(inner, comma);
    guard->constant = true;
    return is_size_symbol(guard->symbol) && slice_to_u64(slice_from(inner, comma + 2), &guard->limit);
}

/* "Eq(Mod(s77, 4), 0)", or "Eq(Mod(s77, (s77//4)), 0)" together with "Eq((s77//((s77//4))), 4)": both hold only for
 * multiples of 4. */
static bool parse_divisible(struct slice expr, struct parsed *guard) {
    struct slice inner = text_between(expr, SLICE("Eq(Mod("), SLICE("), 0)"));
    size_t comma = slice_find(inner, SLICE(", "));
    if (!inner.ptr || !slice_starts(expr, SLICE("Eq(Mod(")) || comma == SIZE_MAX)
        return false;
    guard->symbol = slice_first(inner, comma);
    struct slice number = slice_from(inner, comma + 2), quotient = text_between(number, SLICE("("), SLICE("//"));
    if (quotient.ptr && slice_starts(number, SLICE("(")) && slice_eq(quotient, guard->symbol) &&
        slice_ends(number, SLICE(")")))
        number = slice_make(quotient.ptr + quotient.len + 2, number.len - quotient.len - 4);
    return is_size_symbol(guard->symbol) && slice_to_u64(number, &guard->divisor) && guard->divisor > 1 &&
           guard->divisor <= UINT32_MAX;
}

static bool parse_limit(struct slice expr, struct parsed *guard) {
    size_t first = slice_find(expr, SLICE(" ")), last = slice_rfind_byte(expr, ' ');
    if (first == SIZE_MAX || first >= last)
        return false;
    struct slice left = slice_first(expr, first), right = slice_from(expr, last + 1),
                 sign = slice_make(expr.ptr + first + 1, last - first - 1);
    bool strict = slice_is(sign, "<") || slice_is(sign, ">"), less = slice_is(sign, "<") || slice_is(sign, "<="),
         swapped = is_size_symbol(right);
    if (!strict && !less && !slice_is(sign, ">="))
        return false;
    guard->symbol = swapped ? right : left;
    guard->upper = less != swapped;
    if (!is_size_symbol(guard->symbol) || !slice_to_u64(swapped ? left : right, &guard->limit) ||
        guard->limit > UINT32_MAX || (strict && guard->upper && !guard->limit))
        return false;
    guard->limit += !strict ? 0 : guard->upper ? UINT64_MAX : 1;
    return true;
}

/* "[2, 64]": the limits; `high` is UINT64_MAX for "int_oo". */
static bool parse_range(struct slice range, uint64_t *low, uint64_t *high) {
    size_t comma = slice_find(range, SLICE(", "));
    if (comma == SIZE_MAX || !slice_starts(range, SLICE("[")) || !slice_ends(range, SLICE("]")))
        return false;
    struct slice top = slice_make(range.ptr + comma + 2, range.len - comma - 3);
    *high = UINT64_MAX;
    return slice_to_u64(slice_make(range.ptr + 1, comma - 1), low) &&
           (slice_is(top, "int_oo") || slice_to_u64(top, high));
}

/* The input size for which this call created the symbol. NULL: none. */
static const struct shape_record *size_of(const struct compile *trace, const struct export_call *call,
                                          struct slice symbol, uint64_t until) {
    const struct shape_record *found = NULL, *made = trace->shapes[SHAPE_SYMBOL].first;
    for (; made && made->line < until; made = made->next)
        if (made->line >= call->line && slice_eq(made->symbol, symbol))
            found = made;
    return found && slice_find(found->source, SLICE(".size()[")) != SIZE_MAX ? found : NULL;
}

static bool is_of_draft(const struct stack_node *node) {
    while (node && !slice_ends(node->frame->file, SLICE("torch/export/_draft_export.py")))
        node = node->parent;
    return node != NULL;
}

/* Whether the size is declared as a multiple of the number, `4*Dim("n")`: "Eq(s77, 4*s34)". */
static bool is_multiple(const struct shape_record *guard, const struct export_call *call, const struct parsed *parsed) {
    for (size_t i = 0; guard && i < GUARDS_MAX; guard = guard->next, i++) {
        struct slice text = text_between(guard->text, SLICE("Eq("), SLICE(")"));
        size_t comma = slice_find(text, SLICE(", ")), star = slice_find(text, SLICE("*"));
        uint64_t factor = 0;
        if (comma < star && star != SIZE_MAX && guard->line >= call->line &&
            slice_eq(slice_first(text, comma), parsed->symbol) &&
            slice_to_u64(slice_make(text.ptr + comma + 2, star - comma - 2), &factor) &&
            is_size_symbol(slice_from(text, star + 1)) && factor % parsed->divisor == 0)
            return true;
    }
    return false;
}

static bool is_known(const struct exports *exports, const struct export_bound *bound) {
    for (size_t i = 0; i < exports->bounds.count; i++)
        if (exports->bounds.items[i].call == bound->call &&
            slice_eq(exports->bounds.items[i].guard->text, bound->guard->text))
            return true;
    return false;
}

/* Whether the size is marked as by `Dim.DYNAMIC`: it must not be constant, but may have any other guard. */
static bool is_marked(const struct shape_record *symbol) {
    return symbol->dynamic_by == DYNAMIC_MARK;
}

static void add_bound(struct exports *exports, const struct compile *trace, const struct export_call *call,
                      const struct shape_record *guard, const struct parsed *parsed) {
    uint64_t low = 0, high = 0, other_low = 0, other_high = 0;
    struct export_bound bound = {.call = call,
                                 .guard = guard,
                                 .upper = parsed->upper,
                                 .limit = parsed->limit,
                                 .divisor = parsed->divisor};
    bound.symbol = size_of(trace, call, parsed->symbol, guard->line);
    if (!bound.symbol || !parse_range(bound.symbol->range, &low, &high))
        return;
    if (parsed->constant) {
        bound.constant = true;
        if (high < UINT64_MAX) /* otherwise, the specialization reports it */
            return;
        bound.declared = is_marked(bound.symbol);
    } else if (is_marked(bound.symbol) && !parsed->other.len) {
        return; /* PyTorch narrows its range */
    } else if (parsed->divisor) {
        bound.declared = high < UINT64_MAX;
        if (low == high || is_multiple(guard, call, parsed))
            return;
    } else if (parsed->other.len) {
        bound.other = size_of(trace, call, parsed->other, guard->line);
        if (!bound.other || !parse_range(bound.other->range, &other_low, &other_high))
            return;
        bound.declared = high < UINT64_MAX && other_high < UINT64_MAX && (low != other_low || high != other_high);
    } else {
        if (bound.upper ? bound.limit >= high || bound.limit < low : bound.limit <= low || bound.limit > high)
            return;
        bound.declared = high < UINT64_MAX;
    }
    const struct frame *frame = export_guard_line(guard);
    if (frame)
        bound.place = (struct place){frame->file, frame->function, frame->line};
    if (is_known(exports, &bound))
        return;
    ARENA_ADD(exports->arena, &exports->bounds, bound);
}

/* A strict export would have recorded its error. */
static bool may_have_failed(const struct export_call *call) {
    return call && call->failure < 0 && !call->partial && call->mode == EXPORT_NOT_STRICT &&
           (call->outcome == EXPORT_UNKNOWN || call->outcome == EXPORT_NO_PROGRAM);
}

void exports_find_bounds(struct model *model) {
    struct exports *exports = model->exports;
    size_t seen = 0;
    for (size_t i = 0; exports && exports->found && i < model->compiles.count; i++) {
        const struct compile *trace = model->compiles.items[i];
        const struct shape_record *guard = trace->shapes[SHAPE_GUARD].first;
        for (; guard && seen < GUARDS_MAX && exports->bounds.count < EXPORT_BOUNDS_MAX; guard = guard->next) {
            struct parsed parsed = {0};
            if (!parse_equal(guard->text, &parsed)) {
                parsed = (struct parsed){0};
                if (!parse_constant(guard->text, &parsed)) {
                    parsed = (struct parsed){0};
                    if (!parse_divisible(guard->text, &parsed) && !parse_limit(guard->text, &parsed))
                        continue;
                }
            }
            seen++;
            if (!export_is_in(guard->stack) || is_of_draft(guard->stack))
                continue;
            const struct export_call *call = export_call_at(model, trace, guard->line);
            if (may_have_failed(call))
                add_bound(exports, trace, call, guard, &parsed);
        }
    }
}
