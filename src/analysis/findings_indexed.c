/* findings_indexed.c - lines that index a tensor with a tensor of no dimensions, as in `boxes[order[0]]`.
 *
 * Dynamo needs the number in the index. PyTorch's hint for it, capture_scalar_outputs, helps where a function takes a number,
 * as in `torch.zeros(n)`. An index raises an error then (PyTorch 2.15). An index of one dimension needs no number. */
#include <string.h>

#include "analysis/findings_failures.h"
#include "base/word.h"

static bool is_name(struct slice text) {
    size_t length = word_length(text);
    return length && length == text.len && (text.ptr[0] < '0' || text.ptr[0] > '9') && !slice_is(text, "None") &&
           !slice_is(text, "True") && !slice_is(text, "False");
}

/* Whether the line passes numbers on, with names of functions that take some: one of them may need the number then. */
static bool takes_numbers(struct slice code) {
    static const char *const parts[] = {".item()", ".tolist()", "int(",     "float(", "bool(",  "zeros(",   "ones(",
                                        "full(",   "empty(",    "arange(",  "space(", "eye(",   "rand(",    "randn(",
                                        "randint", "randperm",  "repeat",   "expand", "view(",  "reshape(", "flatten(",
                                        "split(",  "chunk(",    "roll(",    "topk(",  "range(", "one_hot(", "fill",
                                        "pad(",    "set(",      "bincount", "format", "print(", "f\"",      "f'"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (slice_find(code, slice_str(parts[i])) != SIZE_MAX)
            return true;
    return false;
}

/* What `y[i] = x[i]` reads: an index of what is set needs no other tensor. */
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

/* Whether a part of the index may be a tensor of no dimensions: a name, or an element such as "order[0]". */
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

/* "boxes" in front of the bracket at `at`; empty: the bracket is a list, or follows an expression. */
static struct slice indexed_name(struct slice code, size_t at) {
    size_t start = at;
    while (start > 0 && (code.ptr[start - 1] == '.' || word_length(slice_make(code.ptr + start - 1, 1))))
        start--;
    return slice_make(code.ptr + start, at - start);
}

/* The first index of the line that may be a tensor of no dimensions: "boxes[i]". Empty: none. */
static struct slice first_index(struct slice code) {
    enum { BRACKETS_MAX = 64 };
    for (size_t at = 0, seen = 0; at < code.len && seen < BRACKETS_MAX; at++) {
        if (code.ptr[at] != '[')
            continue;
        struct slice name = indexed_name(code, at);
        size_t end = closing(code, at);
        seen++;
        if (end && name.len && may_be_number(slice_make(code.ptr + at + 1, end - at - 1)))
            return slice_make(name.ptr, name.len + end + 1 - at);
    }
    return (struct slice){0};
}

/* Whether the operator of the break needs a number of a tensor. */
static bool needs_number(const struct graph_break *found) {
    return slice_is(found->reason, "Data dependent operator") &&
           slice_find(found->explanation, SLICE("`aten._local_scalar_dense.default`")) != SIZE_MAX;
}

/* The same for a graph whose first tensors are an index and what is indexed, which the backend runs: "counts[i] += 1" is
 * one after a break there. */
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

/* Whether the line sets an element, as in "hist[i] = boxes[j].sum()": the index that needs the number may be that of the
 * target, and what is set in `x[i[None]][0]` is a copy. */
static bool sets_target(struct slice code) {
    size_t at = slice_find(code, SLICE(" = ")), open = slice_find(code, SLICE("["));
    return at != SIZE_MAX && open < at && slice_ends(slice_trim(slice_first(code, at)), SLICE("]"));
}

/* "`boxes[i[None]][0]` instead of `boxes[i]`" */
static void add_example(struct buf *text, struct slice indexed, struct slice code) {
    enum { SAID_MAX = 60 };
    size_t open = slice_find(indexed, SLICE("["));
    struct slice index =
        open == SIZE_MAX ? (struct slice){0} : slice_make(indexed.ptr + open + 1, indexed.len - open - 2);
    if (!indexed.len)
        buf_add_lit(text, "`x.index_select(0, i[None])`");
    else if (is_changed(code))
        buf_add_lit(text, "`x[i[None]] += …` instead of `x[i] += …`");
    else if (sets_target(code))
        buf_add_lit(text, "`x[i[None]] = …` for what the line sets, and `x[i[None]][0]` for what it reads");
    else if (indexed.len <= SAID_MAX && is_name(index))
        buf_addf(text, "`%.*s[%.*s[None]][0]` instead of `%.*s`", SLICE_ARG(slice_first(indexed, open)),
                 SLICE_ARG(index), SLICE_ARG(indexed));
    else
        buf_add_lit(text, "`x[i[None]][0]` instead of `x[i]`");
}

struct slice failure_indexed(struct findings *findings, const struct graph_break *found) {
    struct slice code = found->stack.count ? found->stack.items[found->stack.count - 1].code : (struct slice){0};
    bool sets = sets_element(found);
    if ((!sets && !needs_number(found)) || found->library || takes_numbers(code))
        return (struct slice){0};
    struct slice indexed = first_index(is_changed(code) ? code : read_part(code));
    bool selects = slice_find(code, SLICE(".select(")) != SIZE_MAX || slice_find(code, SLICE(".narrow(")) != SIZE_MAX;
    if (!indexed.len && (sets || !selects))
        return (struct slice){0};
    struct buf text = {0};
    buf_add_lit(&text, "Index with a tensor of one dimension: ");
    add_example(&text, indexed, code);
    buf_add_lit(&text, ". Dynamo needs the number of an index without dimensions.");
    if (!sets)
        buf_add_lit(&text, " PyTorch's hint, `torch._dynamo.config.capture_scalar_outputs = True`, does not help: with "
                           "PyTorch 2.15, such an index then raises an error.");
    return finding_keep(findings, &text);
}
