/* Describes the failure of an export, and gives advice from PyTorch's documentation of torch.export. */

#include "analysis/export_words.h"
#include "analysis/advice_words.h"
#include "model/export.h"

enum { EXPR_MAX = 300, LINE_MAX_BYTES = 300 };

static struct slice short_expr(struct slice expr) {
    return expr.len ? slice_first(expr, EXPR_MAX) : SLICE("(no expression)");
}

static struct slice first_line(struct slice text) {
    return slice_first(slice_first_line(slice_trim(text)), LINE_MAX_BYTES);
}

/* A variable of the program that holds the symbol, or else the symbol. */
static struct slice name_of(const struct export_failure *failure, struct slice symbol) {
    for (uint32_t i = 0; i < failure->local_count; i++)
        if (slice_eq(failure->locals[i].value, symbol))
            return failure->locals[i].name;
    return symbol;
}

static void add_in_names(struct buf *out, const struct export_failure *failure, struct slice text) {
    size_t i = 0;
    while (i < text.len) {
        size_t end = i + 1;
        if (is_word(text.ptr[i]))
            while (end < text.len && is_word(text.ptr[end]))
                end++;
        buf_add(out, name_of(failure, slice_make(text.ptr + i, end - i)));
        i = end;
    }
}

/* The two arguments of "Eq(a, b)". Returns false for other expressions. */
static bool two_arguments(struct slice expr, const char *name, struct slice sides[2]) {
    struct slice head = slice_str(name);
    size_t depth = 0, comma = 0;
    if (!slice_starts(expr, head) || !slice_ends(expr, SLICE(")")))
        return false;
    expr = slice_make(expr.ptr + head.len, expr.len - head.len - 1);
    for (size_t i = 0; i < expr.len; i++) {
        char c = expr.ptr[i];
        depth += c == '(';
        if (c == ')' && depth-- == 0)
            return false;
        if (c == ',' && depth == 0) {
            if (comma)
                return false;
            comma = i;
        }
    }
    sides[0] = slice_trim(slice_first(expr, comma));
    sides[1] = slice_trim(slice_from(expr, comma + 1));
    return comma > 0;
}

/* The expression in the notation of the program: Eq(u0, 3) becomes n == 3 if n holds u0. */
static void add_python(struct buf *out, const struct export_failure *failure) {
    struct slice sides[2], expr = short_expr(failure->expr);
    bool equal = two_arguments(expr, "Eq(", sides);
    if (!equal && !two_arguments(expr, "Ne(", sides)) {
        add_in_names(out, failure, expr);
        return;
    }
    add_in_names(out, failure, sides[0]);
    buf_add_str(out, equal ? " == " : " != ");
    add_in_names(out, failure, sides[1]);
}

/* "u0", "s77", "zuf1": a symbol of PyTorch. */
static bool is_symbol(struct slice word) {
    size_t i = 0;
    while (i < word.len && i < 3 && word.ptr[i] >= 'a' && word.ptr[i] <= 'z')
        i++;
    if (i == 0 || i == word.len || !(word.ptr[0] == 'u' || word.ptr[0] == 's' || word.ptr[0] == 'z'))
        return false;
    while (i < word.len && word.ptr[i] >= '0' && word.ptr[i] <= '9')
        i++;
    return i == word.len;
}

/* Whether the text could be used in the program: it has variables for all symbols, and no function of sympy, such as
 * "Mod(u0, 2)". */
static bool is_of_program(const struct export_failure *failure, struct slice text) {
    for (size_t i = 0, end; i < text.len; i = end) {
        end = i + 1;
        if (!is_word(text.ptr[i]))
            continue;
        while (end < text.len && is_word(text.ptr[end]))
            end++;
        struct slice word = slice_make(text.ptr + i, end - i);
        if ((end < text.len && text.ptr[end] == '(') || (is_symbol(word) && slice_eq(name_of(failure, word), word)))
            return false;
    }
    return true;
}

static bool is_python(const struct export_failure *failure) {
    struct slice sides[2], expr = short_expr(failure->expr);
    if (expr.len < failure->expr.len)
        return false;
    if (two_arguments(expr, "Eq(", sides) || two_arguments(expr, "Ne(", sides))
        return is_of_program(failure, sides[0]) && is_of_program(failure, sides[1]);
    return is_of_program(failure, expr);
}

/* "draft::no_fake" for "draft.no_fake.default". */
static void add_qualified_name(struct buf *out, struct slice op) {
    size_t last = slice_rfind_byte(op, '.');
    struct slice name = last == SIZE_MAX ? op : slice_first(op, last);
    size_t dot = slice_find(name, SLICE("."));
    if (dot == SIZE_MAX) {
        buf_add(out, op);
        return;
    }
    BUF_ADD(out, slice_first(name, dot), "::", slice_from(name, dot + 1));
}

/* "3 not in range [5, int_oo]" */
static bool is_out_of_range(const struct export_failure *failure) {
    return slice_find(failure->detail, SLICE(" not in range [")) != SIZE_MAX;
}

/* Whether the sizes of the example inputs contradict dynamic_shapes, before any code is traced. */
static bool is_of_examples(const struct export_failure *failure) {
    struct slice detail = failure->detail;
    bool named =
        slice_starts(detail, SLICE("Expected input ")) || slice_starts(detail, SLICE("Static shape constraint"));
    return named || slice_find(detail, SLICE(" is not equal to L[")) != SIZE_MAX;
}

/* The first line, or the second one after "Failed running call_function lib.op(…):". */
static struct slice cause_line(struct slice detail) {
    struct slice line = {0}, rest = slice_trim(detail);
    if (slice_starts(rest, SLICE("Failed running ")) && slice_next_line(&rest, &line) && first_line(rest).len)
        return first_line(rest);
    return first_line(detail);
}

void export_add_title(struct buf *out, const struct export_failure *failure) {
    struct slice of = failure->op.len   ? failure->op
                    : failure->expr.len ? short_expr(failure->expr)
                                        : cause_line(failure->detail);
    if (failure->kind == EXPORT_ERROR && failure->type.len)
        buf_add(out, failure->type);
    else
        buf_add_str(out, export_kind_title(failure->kind));
    if (failure->kind == EXPORT_CONSTRAINT)
        of = slice_first(of, slice_find(of, SLICE("! For more information")));
    if (!of.len)
        return;
    bool code = failure->op.len || failure->expr.len;
    BUF_ADD(out, code ? ": `" : ": ", of);
    if (code)
        buf_add_byte(out, '`');
}

static void add_violation(struct buf *out, const struct export_failure *failure) {
    bool of_examples = is_out_of_range(failure) || is_of_examples(failure);
    buf_add_str(out, is_out_of_range(failure)
                         ? "The example input has a size that the range of its `Dim` in `dynamic_shapes` leaves out."
                     : of_examples ? "The example inputs do not have the sizes that `dynamic_shapes` declares."
                                   : "The code fixes, or limits, a dimension that `dynamic_shapes` declares dynamic.");
    if (!of_examples)
        export_add_limits(out, failure);
    if (failure->input.len)
        buf_addf(out, " It is dimension %" PRIu64 " of example input %.*s, counted from 0 among the flattened inputs.",
                 failure->dimension, SLICE_ARG(failure->input));
    if (failure->equal && !of_examples)
        buf_add_lit(out, " It must equal a size of another tensor, which is static.");
}

void export_add_reason(struct buf *out, const struct export_failure *failure) {
    struct slice expr = short_expr(failure->expr), op = failure->op.len ? failure->op : SLICE("(no name)");
    switch (failure->kind) {
    case EXPORT_DATA_DEPENDENT:
        buf_addf(out, "Shapes do not say whether `%.*s` holds: it depends on tensor values.", SLICE_ARG(expr));
        if (failure->result.len)
            buf_addf(out,
                     " With the example inputs it was `%.*s`: the export took this branch and asserts it in the "
                     "graph.",
                     SLICE_ARG(failure->result));
        else
            buf_add_lit(out, " The trace ended there.");
        break;
    case EXPORT_GUARD:
        buf_addf(
            out,
            "The guard `%.*s` was evaluated while exporting: the program is valid only where it is true, as with the "
            "example inputs. It may have led to a constraint violation.",
            SLICE_ARG(expr));
        for (uint32_t i = 0; i < failure->symbol_count && i < 4; i++) {
            const struct export_pair *symbol = &failure->symbols[i];
            buf_addf(out, " `%.*s` is `%.*s`.", SLICE_ARG(slice_first(symbol->name, EXPR_MAX)),
                     SLICE_ARG(slice_first(symbol->value, EXPR_MAX)));
        }
        break;
    case EXPORT_MISSING_KERNEL:
        buf_addf(out, "`torch.ops.%.*s` has no fake kernel: its output is unknown without running it. %s",
                 SLICE_ARG(op),
                 failure->line ? "`draft_export` made one from its run with the example inputs."
                               : "The trace ended there.");
        break;
    case EXPORT_MISMATCHED_KERNEL:
        buf_addf(out, "`torch.ops.%.*s` has a fake kernel, but its output differs from the real one", SLICE_ARG(op));
        if (failure->detail.len) {
            struct slice detail = slice_trim(failure->detail);
            buf_addf(out, ": %.*s", SLICE_ARG(slice_first(detail, 2000)));
        }
        buf_add_byte(out, '.');
        break;
    case EXPORT_CONSTRAINT:
        add_violation(out, failure);
        break;
    default:
        buf_addf(out, "The export ended with `%.*s`.",
                 SLICE_ARG(failure->type.len ? failure->type : SLICE("an error")));
    }
}

static void advise_data(struct buf *out, const struct export_failure *failure) {
    bool negated = slice_is(failure->result, "False");
    if (failure->expr.len && is_python(failure)) {
        BUF_ADD(out, "If it always holds, state it before this line: `torch._check(", negated ? "torch.sym_not(" : "");
        add_python(out, failure);
        buf_addf(out, "%s)`.\n", negated ? ")" : "");
    } else if (failure->expr.len) {
        buf_addf(out,
                 "If `%.*s` %s holds, state it before this line with `torch._check(%s)`, in the names of your code.\n",
                 SLICE_ARG(short_expr(failure->expr)), negated ? "never" : "always",
                 negated ? "torch.sym_not(…)" : "…");
    } else {
        buf_add_lit(out, "If the condition always holds, state it before this line with `torch._check(…)`.\n");
    }
    buf_add_lit(
        out,
        "If it may be either way and both ways give the same for the model, take one: `guard_or_false(…)`, "
        "`guard_or_true(…)` or "
        "`statically_known_true(…)` of `torch.fx.experimental.symbolic_shapes`.\n"
        "If both ways are needed, keep them in the graph: `torch.where`, or " ADVICE_COND ".\n"
        "If the value is that of a size of an input, take it from the shape instead of from a tensor (`.item()`).\n");
}

static void advise_guard(struct buf *out, const struct export_failure *failure) {
    struct slice sides[2];
    if (two_arguments(failure->expr, "Eq(", sides))
        buf_add_lit(out, "If the dimension has to be this size, state it: in `dynamic_shapes` pass the number, "
                         "`Dim.STATIC`, or `Dim.AUTO` "
                         "instead of `Dim.DYNAMIC` or a named `Dim`.\n");
    else
        buf_add_lit(out, "If the model is only used where this holds, say so: in `dynamic_shapes` give `Dim(\"name\", "
                         "min=…, max=…)`, or "
                         "`Dim.AUTO` to let export find the range.\n");
    buf_add_lit(
        out,
        "Else rewrite the line so that it does not look at the size; to keep both ways in the graph use " ADVICE_COND
        ".\n");
}

static void advise_missing(struct buf *out, struct slice op) {
    buf_add_lit(out, "Write a fake kernel, a function that makes an output of the right shape, dtype and strides "
                     "without data, and register it: "
                     "`@torch.library.register_fake(\"");
    add_qualified_name(out, op.len ? op : SLICE("name"));
    buf_add_lit(
        out,
        "\")`.\n"
        "Where a size of the output depends on data: `ctx = torch.library.get_ctx(); n = ctx.new_dynamic_size()`.\n"
        "`torch.library.opcheck(…)` tests the operator with it.\n");
}

static void advise_mismatched(struct buf *out, struct slice op) {
    buf_add_lit(out, "Correct the function that is registered by `@torch.library.register_fake(\"");
    add_qualified_name(out, op.len ? op : SLICE("name"));
    buf_add_lit(
        out,
        "\")`: shape, strides, dtype, device and aliasing must be those of the real kernel.\n"
        "Where a size of the output depends on data: `ctx = torch.library.get_ctx(); n = ctx.new_dynamic_size()`.\n"
        "`torch.library.opcheck(…)` compares the two.\n");
}

static void advise_constraint(struct buf *out, const struct export_failure *failure) {
    if (is_out_of_range(failure)) {
        buf_add_lit(out,
                    "Export with an example whose size is in the range, or change `min` and `max` of the `Dim`.\n");
        return;
    }
    if (is_of_examples(failure)) {
        buf_add_lit(out, "Export with examples whose sizes fit `dynamic_shapes`, or change `dynamic_shapes`.\n");
        return;
    }
    export_add_limit_advice(out, failure);
}

/* draft_export continues after missing kernels and data-dependent decisions. */
static void advise_draft(struct buf *out) {
    buf_add_lit(out, "`torch.export.draft_export(…)` goes on past such errors and lists all of them at once.\n");
}

static void advise_error(struct buf *out, const struct export_failure *failure) {
    if (slice_find(failure->detail, SLICE("ata-dependent branching")) == SIZE_MAX)
        return;
    buf_add_lit(out, "Keep both ways in the graph: `torch.where`, or " ADVICE_COND ".\n"
                     "If one of them raises, state the opposite instead, with " ADVICE_ASSERT ".\n"
                     "If the condition does not depend on data that changes, evaluate it before the export.\n");
    advise_draft(out);
}

void export_add_advice(struct buf *out, const struct export_failure *failure) {
    size_t before = out->len;
    switch (failure->kind) {
    case EXPORT_DATA_DEPENDENT:
        advise_data(out, failure);
        break;
    case EXPORT_GUARD:
        advise_guard(out, failure);
        break;
    case EXPORT_MISSING_KERNEL:
        advise_missing(out, failure->op);
        break;
    case EXPORT_MISMATCHED_KERNEL:
        advise_mismatched(out, failure->op);
        break;
    case EXPORT_CONSTRAINT:
        advise_constraint(out, failure);
        break;
    default:
        advise_error(out, failure);
    }
    if (!failure->line && (failure->kind == EXPORT_MISSING_KERNEL || failure->kind == EXPORT_DATA_DEPENDENT))
        advise_draft(out);
    if (out->len > before && out->ptr[out->len - 1] == '\n')
        out->len--;
}
