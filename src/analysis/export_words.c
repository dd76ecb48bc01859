/* Describes a failure of an export, and gives advice from PyTorch's documentation of torch.export. */
#include <inttypes.h>

#include "base/path.h"
#include "base/word.h"
#include "model/export.h"
#include "model/extras.h"

enum { EXPR_MAX = 300, LINE_MAX_BYTES = 300, MESSAGE_MAX = 600, SUGGESTED_MAX = 4 };

static struct slice short_expr(struct slice expr) {
    return expr.len ? slice_first(expr, EXPR_MAX) : SLICE("(no expression)");
}

static struct slice first_line(struct slice text) {
    struct slice line = {0};
    text = slice_trim(text);
    slice_next_line(&text, &line);
    return slice_first(slice_trim(line), LINE_MAX_BYTES);
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

/* The expression in the notation of the program: Eq(u0, 3) is n == 3 if n holds u0. */
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

/* Whether the text could be used in the program: it has names for all symbols, and no function of sympy, as in
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
    buf_add(out, slice_first(name, dot));
    buf_add_lit(out, "::");
    buf_add(out, slice_from(name, dot + 1));
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
    buf_add_str(out, code ? ": `" : ": ");
    buf_add(out, of);
    if (code)
        buf_add_byte(out, '`');
}

/* " PyTorch says: You marked k as dynamic but your code specialized it to be a constant (3).": what its message lists,
 * without the hints for other ways to mark a dimension. */
static void quote_constraints(struct buf *out, const struct export_failure *failure) {
    static const struct slice bullet = SLICE_INIT("\n  - ");
    struct slice rest = failure->detail, line;
    size_t said = 0, more = 0;
    for (size_t at; (at = slice_find(rest, bullet)) != SIZE_MAX;) {
        rest = slice_from(rest, at + bullet.len);
        line = slice_first(rest, slice_find(rest, SLICE("\n")));
        size_t end = slice_find(line, SLICE(". If you're using "));
        line = slice_first(slice_trim(slice_first(line, end)), MESSAGE_MAX);
        more += said == SUGGESTED_MAX;
        if (said < SUGGESTED_MAX)
            buf_addf(out, "%s%.*s%s", said++ ? " " : " PyTorch says: ", SLICE_ARG(line),
                     slice_ends(line, SLICE(".")) ? "" : ".");
    }
    if (more)
        buf_addf(out, " %zu more.", more);
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
        buf_add_str(out,
                    is_out_of_range(failure)
                        ? "The example input has a size that the range of its `Dim` in `dynamic_shapes` leaves out."
                    : is_of_examples(failure)
                        ? "The example inputs do not have the sizes that `dynamic_shapes` declares."
                        : "The code fixes, or limits, a dimension that `dynamic_shapes` declares dynamic.");
        if (failure->input.len)
            buf_addf(out,
                     " It is dimension %" PRIu64 " of example input %.*s, counted from 0 among the flattened inputs.",
                     failure->dimension, SLICE_ARG(failure->input));
        if (failure->equal && !is_out_of_range(failure) && !is_of_examples(failure))
            buf_add_lit(out, " It must equal a size of another tensor, which is static.");
        quote_constraints(out, failure);
        break;
    default:
        buf_addf(out, "The export ended with `%.*s`.",
                 SLICE_ARG(failure->type.len ? failure->type : SLICE("an error")));
    }
}

static void advise_data(struct buf *out, const struct export_failure *failure) {
    bool negated = slice_is(failure->result, "False");
    if (failure->expr.len && is_python(failure)) {
        buf_add_lit(out, "If it always holds, state it before this line: `torch._check(");
        buf_add_str(out, negated ? "torch.sym_not(" : "");
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
        "If both ways are needed, keep them in the graph: `torch.cond`, or `torch.where`.\n"
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
    buf_add_lit(out, "Else rewrite the line so that it does not look at the size; to keep both ways in the graph use "
                     "`torch.cond`.\n");
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

/* "k = 3" and "_s = Dim('_s', max=32)\n  s = 4*_s": PyTorch's suggestions for `dynamic_shapes`. */
static void add_suggested(struct buf *out, const struct export_failure *failure) {
    static const struct slice head = SLICE_INIT("\nSuggested fixes:\n");
    size_t at = slice_find(failure->detail, head), said = 0;
    struct slice rest = at == SIZE_MAX ? (struct slice){0} : slice_from(failure->detail, at + head.len), line;
    while (said < SUGGESTED_MAX && slice_next_line(&rest, &line) && slice_trim(line).len)
        buf_addf(out, "%s`%.*s`", said++ ? ", " : "PyTorch suggests for `dynamic_shapes`: ",
                 SLICE_ARG(slice_first(slice_trim(line), EXPR_MAX)));
    buf_add_str(out, said ? ".\n" : "");
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
    bool limits = slice_find(failure->detail, SLICE("satisfy the generated guard")) != SIZE_MAX;
    if (failure->equal)
        buf_add_lit(out,
                    "If the other tensor is an input, declare that dimension of it dynamic, too: the same `Dim` in "
                    "`dynamic_shapes`.\n");
    if (limits)
        add_suggested(out, failure);
    buf_add_lit(out, "If the dimension has to be this size, say so: `Dim.STATIC` or the number in `dynamic_shapes`; "
                     "`Dim.AUTO` lets export decide.\n"
                     "If it has to be free, change the line that fixes it: take sizes from the input's shape instead "
                     "of writing numbers.\n"
                     "`torch.export.draft_export(…)` goes on past it and says which guard did it.\n");
    if (!limits)
        add_suggested(out, failure);
}

/* draft_export continues after missing kernels and data-dependent decisions. */
static void advise_draft(struct buf *out) {
    buf_add_lit(out, "`torch.export.draft_export(…)` goes on past such errors and lists all of them at once.\n");
}

static void advise_error(struct buf *out, const struct export_failure *failure) {
    if (slice_find(failure->detail, SLICE("ata-dependent branching")) == SIZE_MAX)
        return;
    buf_add_lit(out, "Keep both ways in the graph: `torch.cond`, or `torch.where` when the branches only choose "
                     "between values.\n"
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

enum { SITES_MAX = 8 };

/* A call of torch.export, and the line of its first record. */
struct site {
    const struct stack_node *node;
    uint64_t line;
};

static void note_site(struct site *sites, size_t *count, const struct shape_record *symbol) {
    const struct stack_node *node = export_site(symbol->stack);
    for (size_t i = 0; node && i < *count; i++)
        if (sites[i].node->frame->line == node->frame->line && slice_eq(sites[i].node->frame->file, node->frame->file))
            return;
    if (!node || *count == SITES_MAX)
        return;
    size_t at = (*count)++;
    for (; at && sites[at - 1].line > symbol->line; at--)
        sites[at] = sites[at - 1];
    sites[at] = (struct site){node, symbol->line};
}

/* " The log has records of exports that were called at `a.py:36` and `a.py:40`." */
static void add_sites(struct buf *text, const struct model *model) {
    struct site sites[SITES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        const struct shape_record *symbol = compile->shapes[SHAPE_SYMBOL].first;
        for (; symbol && count < SITES_MAX; symbol = symbol->next)
            note_site(sites, &count, symbol);
    }
    for (size_t i = 0; i < count; i++) {
        const struct frame *frame = sites[i].node->frame;
        buf_add_str(text, !i ? " It has symbols of exports that were called at `" : i + 1 < count ? "`, `" : "` and `");
        buf_add(text, path_last(frame->file));
        buf_addf(text, ":%" PRIu64, frame->line);
    }
    buf_add_str(text, count == SITES_MAX ? "` and perhaps elsewhere." : count ? "`." : "");
}

/* Traces of exports that failed: PyTorch logs how far they got, but not the error. Their issue says more. */
static bool add_partial_traces(struct buf *title, struct buf *text, const struct model *model) {
    size_t traces = 0;
    for (size_t i = 0; model->extras && i < model->extras->notices.count; i++) {
        const struct notice *notice = &model->extras->notices.items[i];
        const struct compile *compile = model->compiles.items[notice->compile];
        const struct stack_node *site = export_site_before(compile, notice->line);
        if (notice->kind != NOTICE_PARTIAL_TRACE || (compile->framed && !site))
            continue;
        buf_add_str(text, traces++ ? " " : "");
        buf_add_lit(text, "A trace");
        if (site)
            buf_addf(text, " of the export that was called at `%.*s:%" PRIu64 "`",
                     SLICE_ARG(path_last(site->frame->file)), site->frame->line);
        buf_add_lit(text, " failed");
        if (notice->place.file.len)
            buf_addf(text, "; the last line that it reached is `%.*s:%" PRIu64 "`",
                     SLICE_ARG(path_last(notice->place.file)), notice->place.line);
        buf_add_byte(text, '.');
    }
    if (!traces)
        return false;
    buf_addf(title, "%s failed", traces == 1 ? "A trace" : "Traces");
    buf_add_lit(text, " The log does not hold the error, nor whether other exports succeeded.");
    return true;
}

/* Traces of exports whose end is in the log: exports with strict=True log metrics. */
struct traces {
    size_t failed, ended;
};

static struct traces count_traces(const struct model *model) {
    struct traces traces = {0};
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->has_metrics && compile->ends_export)
            ++*(compile->failure >= 0 ? &traces.failed : &traces.ended);
    }
    return traces;
}

bool export_has_outcome(const struct model *model) {
    return exports_shown(model) && (!model->exports->failures.count || count_traces(model).failed);
}

static void add_failed(struct buf *title, struct buf *text, const struct model *model) {
    struct traces traces = count_traces(model);
    size_t programs = model->exports->programs.count;
    buf_addf(title, "%zu %s failed", traces.failed, traces.failed == 1 ? "export" : "exports");
    buf_addf(text, "The %s of %zu %s ended with an error.", traces.failed == 1 ? "trace" : "traces", traces.failed,
             traces.failed == 1 ? "export" : "exports");
    if (traces.ended)
        buf_addf(text, " The %s of %zu %s ended without one.", traces.ended == 1 ? "trace" : "traces", traces.ended,
                 traces.ended == 1 ? "other" : "others");
    if (programs)
        buf_addf(text, " The log has %zu exported %s.", programs, programs == 1 ? "program" : "programs");
    else
        buf_add_lit(text, " The log has no exported program, which PyTorch writes with `TORCH_DTRACE` only.");
    add_sites(text, model);
}

bool export_add_outcome(struct buf *title, struct buf *text, const struct model *model) {
    const struct exports *exports = model->exports;
    size_t programs = exports->programs.count;
    if (exports->failures.count) {
        add_failed(title, text, model);
        return false;
    }
    if (add_partial_traces(title, text, model)) {
        add_sites(text, model);
        return false;
    }
    if (!programs) {
        buf_add_lit(title, "No failures in the log");
        buf_add_lit(
            text, "The log names nothing that stood in the way of the export, and has no exported program: PyTorch "
                  "writes programs with `TORCH_DTRACE` only, and errors of an export with `strict=False` may leave no "
                  "record. Whether the export succeeded is not in the log.");
        add_sites(text, model);
        return false;
    }
    if (exports->starts > programs) {
        buf_add_lit(title, "Some exports have no program");
        buf_addf(text, "%llu exports began, and the log has %zu %s. It does not say why the others have none.",
                 (unsigned long long)exports->starts, programs, programs == 1 ? "program" : "programs");
        return false;
    }
    buf_add_lit(title, "No failures");
    buf_addf(text, "The log has the exported %s, and names nothing that stood in the way.",
             programs == 1 ? "program" : "programs");
    return true;
}
