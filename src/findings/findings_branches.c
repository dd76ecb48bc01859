/* Graph breaks at lines where Python branches on a tensor, or needs the numbers in it.
 *
 * PyTorch's hint for most of them is a setting that captures numbers as symbols. Python can compute with a symbol and
 * compare it. Branching on it breaks the graph again, and so does code that needs its value: `in`, a set, a key,
 * range(). */

#include "analysis/advice_words.h"
#include "analysis/break_lines.h"
#include "findings/findings_failures.h"
#include "scan/guard_text.h"

static const struct slice config = SLICE_INIT("torch._dynamo.config.");

/* Whether the name at `at` is a function, and neither a method nor the end of another name. */
static bool is_function(struct slice code, size_t at) {
    return !at || (code.ptr[at - 1] != '.' && !word_length(slice_make(code.ptr + at - 1, 1)));
}

/* Whether the line calls bool(), or a function that needs every number: "set(row.tolist())". */
static bool calls_with_numbers(struct slice code) {
    static const char *const calls[] = {"bool",   "set",  "frozenset", "Counter", "collections.Counter",
                                        "sorted", "range"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        size_t at = call_of(code, slice_str(calls[i]));
        if (at != SIZE_MAX && (!i || line_reads_numbers(arguments_of(slice_from(code, at)))))
            return true;
    }
    return false;
}

/* Whether the line tests membership, as in "stop = int(token) in ends"; not inside a string, a loop or a comprehension.
 */
static bool looks_up(struct slice code) {
    size_t at = slice_find(code, SLICE(" in ")), quotes = 0;
    for (size_t i = 0; at != SIZE_MAX && i < at; i++)
        quotes += code.ptr[i] == '"' || code.ptr[i] == '\'';
    return at != SIZE_MAX && quotes % 2 == 0 && slice_find(code, SLICE("for ")) == SIZE_MAX && line_reads_numbers(code);
}

bool failure_needs_number(struct slice code) {
    return calls_with_numbers(code) || looks_up(code);
}

/* Whether the expression is a comparison, or any() or all() of a tensor. */
static bool is_condition(struct slice text) {
    size_t depth = 0;
    bool compares = slice_ends(text, SLICE(".any()")) || slice_ends(text, SLICE(".all()"));
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i], next = i + 1 < text.len ? text.ptr[i + 1] : 0;
        depth += (size_t)(c == '(' || c == '[') - (size_t)(c == ')' || c == ']');
        if (!depth && c == next && (c == '<' || c == '>')) /* a shift */
            i++;
        else if (!depth)
            compares |= c == '<' || c == '>' || ((c == '=' || c == '!') && next == '=');
    }
    return compares;
}

bool failure_converts(struct slice code) {
    size_t at = call_of(code, SLICE("int"));
    if (at == SIZE_MAX)
        return false;
    struct slice text = slice_trim(arguments_of(slice_from(code, at)));
    struct slice rest = slice_from(code, (size_t)(text.ptr - code.ptr) + text.len);
    bool decides = slice_find(text, SLICE(" if ")) != SIZE_MAX || slice_find(text, SLICE(" and ")) != SIZE_MAX ||
                   slice_find(text, SLICE(" or ")) != SIZE_MAX || slice_starts(text, SLICE("not "));
    return is_condition(text) && !decides &&
           (slice_find(text, SLICE(".item()")) != SIZE_MAX ||
            (!line_reads_numbers(rest) && !line_reads_numbers(slice_first(code, at - strlen("int(")))));
}

bool failure_raises(struct slice code) {
    size_t at = slice_find(code, SLICE(": raise"));
    struct slice rest = at == SIZE_MAX ? (struct slice){0} : slice_from(code, at + sizeof ": raise" - 1);
    return at != SIZE_MAX && (!rest.len || rest.ptr[0] == ' ') &&
           (slice_starts(slice_trim(code), SLICE("if ")) || slice_starts(slice_trim(code), SLICE("elif ")));
}

/* Adds " PyTorch's hint, `torch._dynamo.config.x = True`, does not help: …": the effect of its setting. */
static void add_useless(struct buf *text, struct slice hint, const char *why) {
    size_t at = slice_find(hint, config);
    struct slice name = at == SIZE_MAX ? (struct slice){0} : slice_from(hint, at + config.len);
    name = slice_first(name, word_length(name));
    if (name.len)
        buf_addf(text, " PyTorch's hint, `%.*s%.*s = True`, does not help: %s.", SLICE_ARG(config), SLICE_ARG(name),
                 why);
    else if (slice_starts(hint, SLICE("Ensure the input tensor to `tolist()`")))
        buf_add_lit(text, " PyTorch's hint, an integer tensor, is not enough: `tolist()` of one needs "
                          "`torch._dynamo.config.capture_scalar_outputs = True`.");
}

static bool loops(struct slice code) {
    return slice_starts(slice_trim(code), SLICE("while "));
}

/* Adds advice on a branch. `where`: also mentions torch.where. */
static void add_decision(struct buf *text, struct slice code, bool where) {
    if (loops(code))
        buf_add_lit(text, "Compile the body of the loop, and test outside of the compiled function.");
    else if (failure_raises(code))
        buf_add_lit(text, "The branch raises: test outside of the compiled function, or state the opposite with "
                          "`torch._check()` of a comparison of `.item()`, which the graph then checks, and set "
                          "`torch._dynamo.config.capture_scalar_outputs = True`.");
    else
        buf_addf(text,
                 "If both branches only compute tensors, use %s" ADVICE_COND
                 ". Otherwise, as with `break` or `raise`, test outside of the compiled function.",
                 where ? "`torch.where`, or " : "");
}

struct slice failure_decision(struct findings *findings, struct slice hint, struct slice code) {
    struct buf text = {0};
    add_decision(&text, code, true);
    if (!failure_raises(code))
        add_useless(&text, hint, "the graph breaks at this test, too");
    return finding_keep(findings, &text);
}

struct slice failure_number(struct findings *findings, struct slice hint) {
    struct buf text = {0};
    buf_add_lit(&text,
                "Keep a tensor, for example a mask (`x == y`, `torch.isin`), or move the line out of the compiled "
                "function.");
    add_useless(&text, hint, "Python needs the value here, which breaks the graph again");
    return finding_keep(findings, &text);
}

struct slice failure_kept(struct findings *findings, struct slice hint, struct slice code) {
    struct slice name = line_keeps_number(code);
    struct buf text = {0};
    buf_addf(
        &text,
        "Keep `%.*s` as a tensor: create it with `torch.tensor(…)`, and use `.detach()` here instead of `.item()`; "
        "or move the line out of the compiled function.",
        SLICE_ARG(name));
    add_useless(&text, hint, "each call then changes the number that the next one reads, which needs another version");
    return finding_keep(findings, &text);
}

struct slice failure_condition(void) {
    return SLICE("Convert the condition as a tensor, `(x > 0).int().item()`, and set "
                 "`torch._dynamo.config.capture_scalar_outputs = True`. The setting alone does not help: `int()` of a "
                 "condition needs its value, which breaks the graph again.");
}

struct slice failure_branching(struct findings *findings, struct slice hint, struct slice code) {
    struct buf text = {0};
    bool only = slice_starts(hint, SLICE("Use `torch.cond`"));
    if (!only && !slice_starts(hint, SLICE("For the common pattern `if ")) &&
        !slice_starts(hint, SLICE("The branch condition uses ")))
        return (struct slice){0};
    if (!only && !loops(code) && !failure_raises(code)) { /* these apply to an `if` that computes */
        BUF_ADD(&text, hint, " ");
    }
    add_decision(&text, code, only);
    return finding_keep(findings, &text);
}

/* "random.random()" in "if self.training and random.random() < self.drop:"; empty: the line calls it by another name.
 */
static struct slice random_call(struct slice code) {
    size_t at = slice_find(code, SLICE("random."));
    struct slice call = at == SIZE_MAX ? (struct slice){0} : slice_from(code, at);
    size_t length = call.len ? sizeof "random." - 1 : 0;
    length += word_length(slice_from(call, length));
    return length < call.len && call.ptr[length] == '(' && is_function(code, at) ? slice_first(call, length)
                                                                                 : (struct slice){0};
}

/* Tried with PyTorch 2.15: torch.where() of torch.rand() is in the graph, and a bool as an argument has two versions. */
struct slice failure_random(struct findings *findings, const struct graph_break *found) {
    struct slice code = found->stack.count ? found->stack.items[found->stack.count - 1].code : (struct slice){0},
                 call = random_call(code);
    struct buf text = {0};
    if (slice_is(found->reason, "unimplemented builtin op on tensor arguments") &&
        slice_find(found->context, SLICE("UnspecializedPythonVariable()")) != SIZE_MAX)
        return SLICE(
            "Draw the number outside of the compiled function, and pass it as an argument: a number of "
            "Python's `random` (`UnspecializedPythonVariable`) is a tensor for Dynamo, an input of the graph.");
    if (slice_find(found->explanation, SLICE("graph input (random_value_")) == SIZE_MAX)
        return (struct slice){0};
    if (call.len)
        buf_addf(&text, "`%.*s()`", SLICE_ARG(call));
    else
        buf_add_lit(&text, "A number of Python's `random`");
    buf_add_lit(&text, " is a tensor for Dynamo, an input of the graph, by which Python cannot branch.");
    if (!loops(code))
        buf_add_lit(&text, " Draw it with `torch.rand(())` or `torch.randint()`, and choose with `torch.where()`.");
    BUF_ADD(&text, loops(code) ? " Draw" : " To skip the work of the other branch, draw",
            " it outside of the compiled function, and pass the decision as an argument, which makes a "
            "version for each.");
    return finding_keep(findings, &text);
}

/* Tried with PyTorch 2.15 and fullgraph=True, for `if u.shape[0] < 8: u = torch.cat([u, u.new_zeros(8 - u.shape[0])])`:
 * sym_max pads data of every size; guard_or_false() takes the same branch for all. */
struct slice failure_test_of_data(struct slice code) {
    bool joined = slice_find(code, SLICE(" and ")) != SIZE_MAX || slice_find(code, SLICE(" or ")) != SIZE_MAX;
    if (joined && !line_tests(code) && !text_between(code, SLICE(" if "), SLICE(" else ")).len)
        return SLICE(
            "If the test has the same result for all data, state this before the line with `torch._check()`. "
            "Otherwise join the conditions with `&` or `|`, each in parentheses, instead of `and` or `or`, which "
            "Python decides, or compile without `fullgraph=True`: the graph then breaks, here or at the operator whose "
            "result has this size.");
    if (!line_tests(code) && !text_between(code, SLICE(" if "), SLICE(" else ")).len)
        return (struct slice){0};
    if (failure_raises(code))
        return SLICE("State the opposite before this line with `torch._check()`, which the graph then checks, or test "
                     "outside of the compiled function.");
    if (loops(code))
        return SLICE("Compile the body of the loop, and test outside of the compiled function.");
    return SLICE(
        "If the test has the same result for all data, state this before the line with `torch._check()`. "
        "Otherwise compute without a branch (`torch.where`; to pad or crop, `torch.sym_max()` and "
        "`torch.sym_min()` of the sizes), use " ADVICE_COND
        ", or compile without `fullgraph=True`: the graph then breaks, here or at the operator whose result has this "
        "size, and the rest may recompile for other sizes.");
}

bool failure_follows(const struct model *model, const struct graph_break *found, const struct frame *user) {
    enum { BREAKS_MAX = 1024 };
    bool other = false;
    if (slice_find(found->place.file, SLICE("/torch/_dynamo/polyfills/")) == SIZE_MAX ||
        slice_find(found->reason, SLICE("econstruct")) == SIZE_MAX)
        return false;
    for (size_t i = 0; i < model->breaks.count && i < BREAKS_MAX; i++)
        other |= model->breaks.items[i]->place.line == user->line &&
                 slice_eq(model->breaks.items[i]->place.file, user->file);
    return other;
}
