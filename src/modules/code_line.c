#include "modules/code_line.h"

#include "base/word.h"

/* Where the bracket was opened that is closed before `at`; `at`: it was not. */
static size_t opening(struct slice line, size_t at) {
    size_t depth = 0;
    for (size_t i = at; i-- > 0;) {
        depth += line.ptr[i] == ']';
        depth -= line.ptr[i] == '[';
        if (!depth)
            return i;
    }
    return at;
}

/* Where a callee begins that ends before `at`: "self.act", "self.seq[:2]". */
static size_t callee_start(struct slice line, size_t at) {
    while (at > 0) {
        size_t open = line.ptr[at - 1] == ']' ? opening(line, at) : at;
        if (open == at && !is_word(line.ptr[at - 1]) && line.ptr[at - 1] != '.')
            break;
        at = open < at ? open : at - 1;
    }
    return at;
}

/* Splits "self.acts[0]" at the last attribute. */
static void split(struct code_call *call) {
    struct slice rest = call->callee;
    while (rest.len && rest.ptr[rest.len - 1] == ']') {
        size_t open = opening(rest, rest.len);
        rest = slice_first(rest, open < rest.len ? open : 0);
        call->item = true;
    }
    size_t dot = slice_rfind_byte(rest, '.');
    call->name = dot == SIZE_MAX ? rest : slice_from(rest, dot + 1);
    call->of_self = dot != SIZE_MAX && slice_eq(slice_first(rest, dot), SLICE("self"));
    call->path = slice_starts(rest, SLICE("self.")) ? slice_from(rest, 5) : (struct slice){0};
}

bool code_line_next_call(struct slice *line, struct code_call *call) {
    *line = slice_first(*line, CODE_LINE_MAX);
    for (size_t i = 0; i < line->len; i++) {
        size_t end = i;
        if (line->ptr[i] != '(')
            continue;
        while (end > 0 && line->ptr[end - 1] == ' ')
            end--;
        size_t start = callee_start(*line, end);
        if (start == end)
            continue;
        *call = (struct code_call){.callee = slice_make(line->ptr + start, end - start)};
        *line = slice_from(*line, i + 1);
        split(call);
        if (call->name.len)
            return true;
        i = SIZE_MAX; /* from the start of the rest */
    }
    return false;
}

bool code_line_calls(struct slice line, struct slice name) {
    struct code_call call;
    while (code_line_next_call(&line, &call))
        if (slice_eq(call.name, name))
            return true;
    return false;
}

static bool is_builtin(struct slice name) {
    static const char *const names[] = {"int",   "float",   "len",    "max",       "min",       "range",
                                        "tuple", "list",    "print",  "bool",      "zip",       "getattr",
                                        "sum",   "hasattr", "sorted", "enumerate", "abs",       "dict",
                                        "next",  "type",    "super",  "str",       "isinstance"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

/* Whether it calls what a call returns, as in "self.layer(i)(x)". */
static bool calls_result(struct slice line) {
    line = slice_first(line, CODE_LINE_MAX);
    for (size_t i = 1; i < line.len; i++)
        if (line.ptr[i] == '(' && line.ptr[i - 1] == ')')
            return true;
    return false;
}

bool code_line_calls_variable(struct slice line) {
    struct code_call call;
    if (calls_result(line))
        return true;
    while (code_line_next_call(&line, &call)) {
        bool variable = slice_rfind_byte(call.callee, '.') == SIZE_MAX && !is_builtin(call.name);
        if (variable || (call.of_self && call.item))
            return true;
    }
    return false;
}

static bool ends_word(struct slice line, size_t at) {
    return at >= line.len || !is_word(line.ptr[at]);
}

bool code_line_reads(struct slice line, struct slice attribute) {
    line = slice_first(line, CODE_LINE_MAX);
    for (size_t at = 0, found; (found = slice_find(slice_from(line, at), attribute)) != SIZE_MAX;) {
        at += found + attribute.len;
        if (attribute.len && at > attribute.len && line.ptr[at - attribute.len - 1] == '.' && ends_word(line, at))
            return true;
        if (!attribute.len)
            break;
    }
    return false;
}

/* Whether the text before `at` ends with the word. */
static bool follows(struct slice line, size_t at, struct slice word) {
    return at >= word.len && slice_eq(slice_make(line.ptr + at - word.len, word.len), word) &&
           (at == word.len || !is_word(line.ptr[at - word.len - 1]));
}

bool code_line_reads_own(struct slice line, struct slice attribute, struct slice of) {
    bool own = false;
    line = slice_first(line, CODE_LINE_MAX);
    for (size_t at = 0, found; attribute.len && (found = slice_find(slice_from(line, at), attribute)) != SIZE_MAX;) {
        size_t start = at + found;
        at = start + attribute.len;
        if (!start || line.ptr[start - 1] != '.' || !ends_word(line, at))
            continue;
        if (of.len && follows(line, start - 1, of))
            return false;
        own |= follows(line, start - 1, SLICE("self"));
    }
    return own;
}

static const char *symbol_of(struct slice target) {
    static const char *const symbols[][2] = {
        {"add", "+"},       {"mul", "*"},     {"sub", "-"},       {"truediv", "/"}, {"matmul", "@"},
        {"getitem", "["},   {"pow", "**"},    {"neg", "-"},       {"and_", "&"},    {"or_", "|"},
        {"floordiv", "//"}, {"mod", "%"},     {"lt", "<"},        {"gt", ">"},      {"le", "<="},
        {"ge", ">="},       {"eq", "=="},     {"ne", "!="},       {"iadd", "+="},   {"imul", "*="},
        {"isub", "-="},     {"setitem", "["}, {"itruediv", "/="}, {"xor", "^"},     {"invert", "~"},
    };
    if (!slice_cut_start(&target, SLICE("operator.")) && !slice_cut_start(&target, SLICE("_operator.")))
        return NULL;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (slice_is(target, symbols[i][0]))
            return symbols[i][1];
    return "";
}

/* "torch.relu", "F.relu", "nn.functional.relu". */
static bool is_of_torch(struct slice callee) {
    return slice_starts(callee, SLICE("torch.")) || slice_starts(callee, SLICE("F.")) ||
           slice_find(callee, SLICE("functional.")) != SIZE_MAX;
}

bool code_line_spells(struct slice line, struct slice target, const struct slice *called, size_t count, bool named) {
    const char *symbol = symbol_of(target);
    struct code_call call;
    if (symbol)
        return *symbol && slice_find(slice_first(line, CODE_LINE_MAX), slice_str(symbol)) != SIZE_MAX;
    size_t dot = slice_rfind_byte(target, '.');
    target = dot == SIZE_MAX ? target : slice_from(target, dot + 1);
    while (code_line_next_call(&line, &call)) {
        bool module = false;
        for (size_t i = 0; i < count && call.path.len; i++)
            module |= slice_eq(call.name, called[i]);
        if (!module && slice_eq(call.name, target) && call.callee.len > call.name.len &&
            (!named || is_of_torch(call.callee)))
            return true;
    }
    return false;
}
