#include "scan/constraint.h"

#include "scan/guard_text.h"

enum { NAMES_MAX = 8, DEPTH_MAX = 32, EXPR_MAX = 2000 };

static const struct slice bullet = SLICE_INIT("  - "), fixes = SLICE_INIT("Suggested fixes:");

/* "batch = L['x'].size()[0]" → its two sides. */
static void split(struct slice text, struct slice *name, struct slice *source) {
    static const struct slice is = SLICE_INIT(" = ");
    size_t at = slice_find(text, is);
    if (at == SIZE_MAX)
        return;
    *name = slice_first(text, at);
    *source = slice_from(text, at + is.len);
}

static void read_guard(struct constraint *found) {
    static const struct slice head = SLICE_INIT("Not all values of "), range = SLICE_INIT(" in the specified range"),
                              guard = SLICE_INIT(" satisfy the generated guard ");
    size_t at = slice_find(found->says, range), expr = slice_find(found->says, guard);
    if (!slice_starts(found->says, head) || at == SIZE_MAX || expr == SIZE_MAX || at > expr)
        return;
    found->kind = CONSTRAINT_GUARD;
    split(slice_make(found->says.ptr + head.len, at - head.len), &found->name, &found->source);
    found->expr = slice_from(found->says, expr + guard.len);
    if (slice_ends(found->expr, SLICE(".")))
        found->expr.len--;
}

static void read_constant(struct constraint *found) {
    struct slice value = text_between(found->says, SLICE("specialized it to be a constant ("), SLICE(")"));
    struct slice name = text_between(found->says, SLICE("You marked "), SLICE(" as dynamic but your code "));
    if (!value.ptr || !name.ptr)
        return;
    found->kind = CONSTRAINT_CONSTANT;
    found->name = name;
    found->expr = value;
}

static void read_equal(struct constraint *found) {
    static const struct slice between = SLICE_INIT(" and ");
    struct slice both = text_between(found->says, SLICE("The values of "), SLICE(" must always be equal"));
    size_t at = slice_find(both, between);
    if (!both.ptr || at == SIZE_MAX)
        return;
    found->kind = CONSTRAINT_EQUAL;
    split(slice_first(both, at), &found->name, &found->source);
    split(slice_from(both, at + between.len), &found->partner, &found->other);
}

/* The index at which the constraint ends: before the next one or the fixes, or at the end of the text. */
static size_t find_end(struct slice text) {
    size_t end = text.len;
    for (size_t i = 0; i < text.len; i++) {
        struct slice line = slice_from(text, i + 1);
        if (text.ptr[i] == '\n' && (slice_starts(line, bullet) || slice_starts(line, fixes))) {
            end = i;
            break;
        }
    }
    return end;
}

bool constraint_next(struct slice *rest, struct constraint *found) {
    struct slice line;
    while (rest->len && !slice_starts(*rest, bullet))
        if (slice_starts(*rest, fixes) || !slice_next_line(rest, &line))
            return false;
    if (!rest->len)
        return false;
    *found = (struct constraint){.text = slice_from(*rest, bullet.len)};
    found->text = slice_first(found->text, find_end(found->text));
    struct slice text = found->text;
    *rest = slice_from(*rest, bullet.len + text.len);
    if (rest->len) /* the end of its line */
        *rest = slice_from(*rest, 1);
    slice_next_line(&text, &found->says);
    found->says = slice_trim(found->says);
    read_guard(found);
    read_constant(found);
    read_equal(found);
    return true;
}

struct slice constraint_fix_next(struct slice *rest) {
    size_t at = slice_find(*rest, fixes);
    struct slice line;
    if (at != SIZE_MAX) {
        *rest = slice_from(*rest, at);
        slice_next_line(rest, &line);
    } else if (!slice_starts(*rest, SLICE("  "))) {
        return (struct slice){0};
    }
    if (!slice_starts(*rest, SLICE("  ")) || !slice_next_line(rest, &line) || !slice_trim(line).len) {
        *rest = (struct slice){0};
        return (struct slice){0};
    }
    return slice_trim(line);
}

struct plain {
    struct buf *out;
    struct slice names[NAMES_MAX];
    size_t count, depth;
    const char *operators[DEPTH_MAX]; /* operators of the functions with open parentheses; NULL: none */
    const char *next;                 /* operator of the function whose parenthesis follows */
};

/* "s6", "u0": a symbol of PyTorch. */
static bool is_symbol(struct slice word) {
    return word.len > 1 && (word.ptr[0] == 's' || word.ptr[0] == 'u') &&
           digits_length(slice_from(word, 1)) == word.len - 1;
}

static void add_name(struct plain *plain, struct slice name) {
    size_t i = 0;
    while (i < plain->count && !slice_eq(plain->names[i], name))
        i++;
    if (i == plain->count && i < NAMES_MAX)
        plain->names[plain->count++] = name;
    buf_addf(plain->out, "#%zu", i);
}

/* The operator of the function "Eq" of sympy, or NULL. */
static const char *operator_of(struct slice function) {
    static const struct {
        const char *name, *sign;
    } operators[] = {{"CleanDiv", "//"}, {"Eq", "=="}, {"FloorDiv", "//"}, {"Ge", ">="}, {"Gt", ">"},
                     {"Le", "<="},       {"Lt", "<"},  {"Mod", "%"},       {"Ne", "!="}, {"PythonMod", "%"}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (slice_is(function, operators[i].name))
            return operators[i].sign;
    return NULL;
}

/* Adds the word at the start of the text, and returns its length. */
static size_t add_word(struct plain *plain, struct slice text) {
    size_t length = word_length(text), operand = guard_operand_length(text);
    struct slice word = slice_first(text, length);
    bool called = length < text.len && text.ptr[length] == '(';
    plain->next = called ? operator_of(word) : NULL;
    if (plain->next)
        return length;
    if (!called && operand > length) {
        add_name(plain, slice_first(text, operand));
        return operand;
    }
    if (is_symbol(word))
        add_name(plain, word);
    else
        buf_add(plain->out, word);
    return length;
}

/* Replaces the comma in a function that has an operator by that operator. */
static void add_sign(struct plain *plain, char sign) {
    if (sign == '(') {
        if (plain->depth < DEPTH_MAX)
            plain->operators[plain->depth] = plain->next;
        plain->depth++;
        plain->next = NULL;
    } else if (sign == ')') {
        plain->depth -= plain->depth > 0;
    } else if (sign == ',' && plain->depth && plain->depth <= DEPTH_MAX && plain->operators[plain->depth - 1]) {
        buf_add_str(plain->out, plain->operators[plain->depth - 1]);
    } else if (sign != ' ') {
        buf_add_byte(plain->out, sign);
    }
}

void constraint_add_plain(struct buf *out, struct slice expr) {
    struct plain plain = {.out = out};
    expr = slice_first(expr, EXPR_MAX);
    for (size_t i = 0, length; i < expr.len; i += length) {
        length = 1;
        if (is_word(expr.ptr[i]) && !is_digit(expr.ptr[i]))
            length = add_word(&plain, slice_from(expr, i));
        else
            add_sign(&plain, expr.ptr[i]);
    }
}
