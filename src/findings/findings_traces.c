/* Traces that most likely failed at a comparison of a size, or number, that depends on tensor values. */

#include "analysis/advice_words.h"
#include "findings/findings_failures.h"
#include "model/export.h"
#include "model/extras.h"
#include "scan/guard_text.h"

enum { RECORDS_MAX = 4096 };

/* "u1 > 2" of 'gt: "Sym(u1 > 2)" = sym_size_int > 2'; ptr NULL: the operation is not a comparison, or compares a
 * tensor. */
static struct slice compared(struct slice operation) {
    static const struct slice type = SLICE_INIT(": \"Sym("), end = SLICE_INIT(")\" = ");
    static const char *const names[] = {"eq", "ge", "gt", "le", "lt", "ne"};
    size_t colon = slice_find(operation, type), close = slice_find(operation, end);
    if (colon == SIZE_MAX || close == SIZE_MAX || close < colon)
        return (struct slice){0};
    struct slice name = slice_first(slice_first(operation, colon), slice_find(operation, SLICE("_")));
    name = slice_first(name, colon);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i]))
            return slice_make(operation.ptr + colon + type.len, close - colon - type.len);
    return (struct slice){0};
}

/* "2*u0" of 'mul: "Sym(2*u0)" = item * 2'. */
static struct slice computed(struct slice operation) {
    return text_between(operation, SLICE(": \"Sym("), SLICE(")\" = "));
}

/* The last unbacked symbol in the expression. NULL: none. */
static const struct shape_record *unbacked_of(const struct compile *compile, const struct notice *notice,
                                              struct slice expr) {
    const struct shape_record *last = NULL, *made = compile->shapes[SHAPE_UNBACKED].first;
    for (size_t i = 0; made && made->line < notice->line && i < RECORDS_MAX; made = made->next, i++)
        if (has_word(expr, made->symbol))
            last = made;
    return last;
}

/* Whether PyTorch decided the comparison, or asserts it in the graph. `exported`: whether a guard comes from an export.
 */
static bool is_decided(const struct compile *compile, const struct shape_record *symbol, const struct notice *notice,
                       struct slice expr, bool *exported) {
    const struct shape_record *guard = compile->shapes[SHAPE_GUARD].first;
    bool decided = false;
    for (size_t i = 0; guard && guard->line < notice->line && i < RECORDS_MAX; guard = guard->next, i++) {
        *exported |= export_is_in(guard->stack);
        decided |= guard->line > symbol->line && slice_eq(guard->text, expr);
    }
    return decided;
}

/* The Python function that the line calls and that needs the value of a number: "int" in "k = int(n.item())". */
static const char *converting(struct slice code) {
    static const char *const names[] = {"int", "float", "range"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (call_of(code, slice_str(names[i])) != SIZE_MAX)
            return names[i];
    return NULL;
}

bool findings_describe_conversion(struct findings *findings, struct finding *finding, const struct compile *compile,
                                  const struct notice *notice) {
    const char *name = converting(notice->code);
    struct slice expr = name ? computed(notice->message) : (struct slice){0};
    const struct shape_record *symbol = expr.len ? unbacked_of(compile, notice, expr) : NULL;
    if (!symbol)
        return false;
    finding->why = finding_say(findings,
                               "The last operation that it traced is `%.*s`. `%s()` needs its value, which depends on "
                               "tensor values. The log does not hold the error.",
                               SLICE_ARG(finding_line(findings, notice->message)), name);
    if (!strcmp(name, "range"))
        finding->advice = SLICE("Pass the number to the model as a Python number: the graph is then for that number.");
    else
        finding->advice =
            finding_say(findings,
                        "Use `.item()` without `%s()`%s. A branch on it must be `torch.where` or `torch.cond`.", name,
                        strcmp(name, "int") ? "" : ", and state bounds that sizes need with `torch._check()`");
    finding->evidence = finding_say(findings, "make_fx_fail_partial and create_unbacked_symbol of %.*s (%.*s)",
                                    SLICE_ARG(compile->key), SLICE_ARG(symbol->symbol));
    return true;
}

bool findings_describe_comparison(struct findings *findings, struct finding *finding, const struct compile *compile,
                                  const struct notice *notice) {
    struct slice expr = compared(notice->message), code = slice_trim(notice->code);
    const struct shape_record *symbol = expr.len ? unbacked_of(compile, notice, expr) : NULL;
    bool exported = symbol && export_is_in(symbol->stack);
    if (!symbol || is_decided(compile, symbol, notice, expr, &exported))
        return false;
    struct place made = finding_place((struct place){0}, symbol->user_stack);
    struct buf why = {0}, advice = {0};
    buf_addf(&why, "The last operation that it traced is `%.*s`, and `%.*s` depends on tensor values",
             SLICE_ARG(finding_line(findings, notice->message)), SLICE_ARG(symbol->symbol));
    if (made.file.len)
        buf_addf(&why, " (from `%.*s:%" PRIu64 "`)", SLICE_ARG(path_last(made.file)), made.line);
    buf_addf(&why,
             ". Most likely the line branches on it: `Could not guard on data-dependent expression %.*s`. The log does "
             "not hold the error.",
             SLICE_ARG(expr));
    if (failure_raises(code) || slice_starts(code, SLICE("assert")))
        buf_addf(&advice,
                 "State what must hold, `torch._check(…)` of %s, in place of the %s: the graph then checks it.",
                 failure_raises(code) ? "the opposite" : "the condition", failure_raises(code) ? "branch" : "`assert`");
    else if (slice_starts(code, SLICE("while")) || slice_starts(code, SLICE("for")))
        buf_add_lit(&advice, "If the condition always has the same result, state it before this line with "
                             "`torch._check(…)`.");
    else
        buf_add_lit(&advice, "If both ways are needed, keep them in the graph: " ADVICE_COND
                             ". If the condition always has the same result, state it before this line with "
                             "`torch._check(…)`.");
    if (exported)
        buf_add_lit(&advice, " `torch.export.draft_export()` goes on past such errors and lists all of them at once.");
    finding->why = finding_keep(findings, &why);
    finding->advice = finding_keep(findings, &advice);
    finding->evidence = finding_say(findings, "make_fx_fail_partial and create_unbacked_symbol of %.*s (%.*s)",
                                    SLICE_ARG(compile->key), SLICE_ARG(symbol->symbol));
    return true;
}
