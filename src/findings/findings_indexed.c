/* findings_indexed.c - lines that index a tensor with a zero-dimensional tensor, as in `boxes[order[0]]`.
 *
 * Dynamo needs the number in the index. PyTorch's hint for it, capture_scalar_outputs, helps if a function takes a
 * number, as in `torch.zeros(n)`, but an index then raises an error (PyTorch 2.15). An index of one dimension needs no
 * number. */

#include "findings/findings_failures.h"
#include "scan/guard_text.h"

static bool is_name(struct slice text) {
    size_t length = word_length(text);
    return length && length == text.len && (text.ptr[0] < '0' || text.ptr[0] > '9') && !slice_is(text, "None") &&
           !slice_is(text, "True") && !slice_is(text, "False");
}

static bool has_any(struct slice code, const char *const *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slice_find(code, slice_str(parts[i])) != SIZE_MAX)
            return true;
    return false;
}

/* Whether the line itself converts a tensor to a Python number. */
static bool converts(struct slice code) {
    static const char *const parts[] = {".item()", ".tolist()", "int(", "float(", "bool("};
    return has_any(code, parts, sizeof parts / sizeof *parts);
}

/* Whether the line passes numbers on, and calls functions that take some: one of them may need the number. */
static bool takes_numbers(struct slice code) {
    static const char *const parts[] = {"zeros(", "ones(",    "full(",    "empty(",   "arange(",  "space(",
                                        "eye(",   "rand(",    "randn(",   "randint",  "randperm", "repeat",
                                        "expand", "view(",    "reshape(", "flatten(", "split(",   "chunk(",
                                        "roll(",  "topk(",    "range(",   "one_hot(", "fill",     "pad(",
                                        "set(",   "bincount", "format",   "print(",   "f\"",      "f'"};
    return has_any(code, parts, sizeof parts / sizeof *parts);
}

/* The part that `y[i] = x[i]` reads: the index of the target needs no other tensor. */
static struct slice read_part(struct slice code) {
    size_t at = slice_find(code, SLICE(" = ")), open = slice_find(code, SLICE("("));
    return at != SIZE_MAX && at < open ? slice_from(code, at + sizeof " = " - 1) : code;
}

/* The end of the brackets that open at `at`, or 0. */
static size_t closing(struct slice code, size_t at) {
    size_t depth = 0;
    for (size_t i = at; i < code.len; i++) {
        depth += strchr("([{", code.ptr[i]) && code.ptr[i] ? 1 : 0;
        if (strchr(")]}", code.ptr[i]) && code.ptr[i] && --depth == 0)
            return i;
    }
    return 0;
}

/* Whether a part of the index may be a zero-dimensional tensor: a name, or an element such as "order[0]". */
static bool may_be_number(struct slice index) {
    while (index.len) {
        size_t end = 0, depth = 0;
        for (; end < index.len && (depth || index.ptr[end] != ','); end++) {
            depth += index.ptr[end] == '[' || index.ptr[end] == '(';
            depth -= depth && (index.ptr[end] == ']' || index.ptr[end] == ')');
        }
        struct slice part = slice_trim(slice_first(index, end)), name = slice_first(part, word_length(part));
        if (is_name(name) && slice_find(part, SLICE(":")) == SIZE_MAX)
            return true;
        index = slice_from(index, end < index.len ? end + 1 : end);
    }
    return false;
}

/* The start of the brackets that end before `end`, or SIZE_MAX. */
static size_t opening(struct slice code, size_t end) {
    size_t depth = 0;
    while (end-- > 0) {
        depth += strchr(")]}", code.ptr[end]) && code.ptr[end] ? 1 : 0;
        if (strchr("([{", code.ptr[end]) && code.ptr[end] && --depth == 0)
            return end;
    }
    return SIZE_MAX;
}

/* `boxes` or `data["boxes"]` before the bracket at `at`; empty: the bracket is a list. */
static struct slice indexed_value(struct slice code, size_t at) {
    size_t start = at;
    while (start > 0 && start != SIZE_MAX) {
        char before = code.ptr[start - 1];
        if (before == ']' || before == ')')
            start = opening(code, start);
        else if (before == '.' || is_word(before))
            start--;
        else
            break;
    }
    return start == SIZE_MAX ? (struct slice){0} : slice_make(code.ptr + start, at - start);
}

/* "boxes[i]", with the index "i". whole.len 0: none. */
struct indexed {
    struct slice value, index, whole;
};

/* The first index in the line that may be a zero-dimensional tensor. `wanted`: this index; empty: any. */
static struct indexed first_index(struct slice code, struct slice wanted) {
    enum { BRACKETS_MAX = 64 };
    for (size_t at = 0, seen = 0; at < code.len && seen < BRACKETS_MAX; at++) {
        if (code.ptr[at] != '[')
            continue;
        struct slice value = indexed_value(code, at);
        size_t end = closing(code, at);
        seen++;
        if (!end || !value.len)
            continue;
        struct slice index = slice_make(code.ptr + at + 1, end - at - 1);
        if (wanted.len ? slice_eq(index, wanted) : may_be_number(index))
            return (struct indexed){value, index, slice_make(value.ptr, value.len + end + 1 - at)};
    }
    return (struct indexed){0};
}

/* Whether the operator of the break needs the number in a tensor. */
static bool needs_number(const struct graph_break *found) {
    return slice_is(found->reason, "Data dependent operator") &&
           slice_find(found->explanation, SLICE("`aten._local_scalar_dense.default`")) != SIZE_MAX;
}

/* The same for a graph whose first inputs are an index and the indexed tensor, which the backend runs: after a break
 * there, "counts[i] += 1" is one. */
static bool sets_element(const struct graph_break *found) {
    return slice_find(found->explanation, SLICE("_local_scalar_dense")) != SIZE_MAX &&
           slice_find(found->explanation, SLICE("target=operator.setitem](args = (%l_")) != SIZE_MAX;
}

static bool is_changed(struct slice code) {
    static const char *const operators[] = {" += ", " -= ", " *= ", " /= "};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (slice_find(code, slice_str(operators[i])) != SIZE_MAX)
            return true;
    return false;
}

/* Whether the line sets an element, as in "hist[i] = boxes[j].sum()": the index that needs the number may be in the
 * target, and setting `x[i[None]][0]` would change a copy. */
static bool sets_target(struct slice code) {
    size_t at = slice_find(code, SLICE(" = ")), open = slice_find(code, SLICE("["));
    return at != SIZE_MAX && open < at && slice_ends(slice_trim(slice_first(code, at)), SLICE("]"));
}

/* "`boxes[i[None]][0]` instead of `boxes[i]`" */
static void add_example(struct buf *text, const struct indexed *found, struct slice code) {
    enum { SAID_MAX = 60 };
    struct slice index = found->index;
    bool one = index.len && slice_find(index, SLICE(",")) == SIZE_MAX && slice_find(index, SLICE(":")) == SIZE_MAX &&
               slice_find(index, SLICE(" ")) == SIZE_MAX;
    if (!found->whole.len)
        buf_add_lit(text, "`x.index_select(0, i[None])`");
    else if (is_changed(code))
        buf_add_lit(text, "`x[i[None]] += …` instead of `x[i] += …`");
    else if (sets_target(code))
        buf_add_lit(text, "`x[i[None]] = …` for what the line sets, and `x[i[None]][0]` for what it reads");
    else if (found->whole.len <= SAID_MAX && one)
        buf_addf(text, "`%.*s[%.*s[None]][0]` instead of `%.*s`", SLICE_ARG(found->value), SLICE_ARG(index),
                 SLICE_ARG(found->whole));
    else
        buf_add_lit(text, "`x[i[None]][0]` instead of `x[i]`");
}

/* "timestep" in "call_function[target=operator.getitem](args = (%l_self_alphas, %l_timestep_), …": an input that is an
 * index whose value the backend needs. */
static struct slice index_input(const struct graph_break *found) {
    if (slice_find(found->explanation, SLICE("_local_scalar_dense")) == SIZE_MAX)
        return (struct slice){0};
    struct slice args = text_between(found->explanation, SLICE("operator.getitem](args = (%"), SLICE("),"));
    size_t at = slice_find(args, SLICE(", %l_"));
    struct slice name = at == SIZE_MAX ? (struct slice){0} : slice_from(args, at + sizeof ", %l_" - 1);
    return name.len > 1 && slice_ends(name, SLICE("_")) && word_length(name) == name.len
             ? slice_first(name, name.len - 1)
             : (struct slice){0};
}

#define PASS_ITEM "write `.item()` there (`n.item()`)"

/* Advice on a user line that indexes; ptr NULL: another break. */
static struct slice at_line(struct findings *findings, const struct graph_break *found, struct slice input) {
    struct slice code = found->stack.count ? found->stack.items[found->stack.count - 1].code : (struct slice){0};
    bool sets = sets_element(found), backend = sets || input.len, functions = takes_numbers(code);
    if ((!backend && !needs_number(found)) || found->library || converts(code))
        return (struct slice){0};
    struct indexed indexed = first_index(is_changed(code) ? code : read_part(code), input);
    bool selects = slice_find(code, SLICE(".select(")) != SIZE_MAX || slice_find(code, SLICE(".narrow(")) != SIZE_MAX;
    if (!indexed.whole.len && (backend || !selects))
        return (struct slice){0};
    struct buf text = {0};
    BUF_ADD(&text, functions && !backend ? "If the number is that of the index, index" : "Index",
            " with a tensor of one dimension: ");
    add_example(&text, &indexed, code);
    buf_add_str(&text, functions && !backend ? "." : ". Dynamo needs the number of an index without dimensions.");
    if (!backend)
        buf_add_lit(&text, " PyTorch's hint, `torch._dynamo.config.capture_scalar_outputs = True`, does not help: with "
                           "PyTorch 2.15, such an index then raises an error.");
    if (functions && !backend)
        buf_add_lit(&text, " Where a function takes the number, follow the hint, and " PASS_ITEM ".");
    return finding_keep(findings, &text);
}

struct slice failure_indexed(struct findings *findings, const struct graph_break *found) {
    struct slice input = index_input(found), said = at_line(findings, found, input);
    if (said.len || !input.len)
        return said;
    return finding_say(findings,
                       "Pass `%.*s` as a Python number (`int(…)`): the operator needs the value of the tensor. Where "
                       "Python computes with the number, each value may need a version.",
                       SLICE_ARG(input));
}

const char *failure_item_note(const struct graph_break *found, struct slice setting) {
    return found && slice_is(setting, "capture_scalar_outputs") && needs_number(found)
             ? " Where the line passes a tensor as a number, " PASS_ITEM ": with PyTorch 2.15, some operators raise an "
               "error with the setting alone."
             : "";
}

struct slice failure_pending(struct findings *findings, const struct failure *failure, struct slice code) {
    struct buf text = {0};
    if (slice_find(failure->reason, SLICE("Pending unbacked symbols {")) == SIZE_MAX || converts(code))
        return (struct slice){0};
    struct indexed indexed = first_index(is_changed(code) ? code : read_part(code), (struct slice){0});
    if (indexed.whole.len) {
        buf_add_lit(&text, "Index with a tensor of one dimension: ");
        add_example(&text, &indexed, code);
        buf_add_lit(&text, ". ");
    }
    buf_add_lit(&text, "Where the line passes a tensor as a number, " PASS_ITEM ": with `capture_scalar_outputs`, "
                       "PyTorch 2.15 makes a symbol of the number that some operators do not return.");
    return finding_keep(findings, &text);
}
