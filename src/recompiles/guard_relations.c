#include "recompiles/guard_relations.h"

#include "model/guard_sets.h"
#include "scan/guard_text.h"

/* A condition in PyTorch's notation: chained comparisons of sums of products of sizes and numbers. */
struct expression {
    const struct model *model;
    const struct compile *compile;
    struct slice rest;
    unsigned depth;
    bool unknown;
    struct buf *values; /* NULL, or the buffer for names and their values */
};

static int64_t read_sum(struct expression *e);

static void skip_blanks(struct expression *e) {
    while (e->rest.len && e->rest.ptr[0] == ' ')
        e->rest = slice_from(e->rest, 1);
}

static bool take(struct expression *e, struct slice text) {
    skip_blanks(e);
    if (!slice_cut_start(&e->rest, text))
        return false;
    return true;
}

static void note_value(struct expression *e, struct slice name, struct slice value) {
    AUTO_BUF text = {0};
    if (!e->values)
        return;
    guard_readable_add(&text, name);
    BUF_ADD(&text, " = ", value);
    if (slice_find(buf_slice(e->values), buf_slice(&text)) == SIZE_MAX)
        BUF_ADD(e->values, e->values->len ? ", " : "", buf_slice(&text));
}

static int64_t read_number(struct slice text, bool *unknown) {
    uint64_t number = 0;
    bool minus = text.len && text.ptr[0] == '-';
    if (!slice_to_u64(slice_from(text, minus), &number) || number > INT32_MAX) { /* so that products cannot overflow */
        *unknown = true;
        return 0;
    }
    return minus ? -(int64_t)number : (int64_t)number;
}

static int64_t read_operand(struct expression *e) {
    skip_blanks(e);
    if (e->depth == 0) {
        e->unknown = true;
        return 0;
    }
    if (take(e, SLICE("("))) {
        e->depth--;
        int64_t value = read_sum(e);
        e->depth++;
        e->unknown |= !take(e, SLICE(")"));
        return value;
    }
    if (take(e, SLICE("-"))) {
        e->depth--;
        int64_t value = -read_operand(e);
        e->depth++;
        return value;
    }
    size_t len = guard_operand_length(e->rest);
    struct slice name = slice_first(e->rest, len);
    e->rest = slice_from(e->rest, len);
    if (is_integer(name))
        return read_number(name, &e->unknown);
    struct slice value = len ? guard_set_value(e->model, e->compile, name, NULL) : (struct slice){0};
    if (!is_integer(value)) {
        e->unknown = true;
        return 0;
    }
    note_value(e, name, value);
    return read_number(value, &e->unknown);
}

/* Rounds like Python, towards minus infinity. */
static int64_t divide(struct expression *e, int64_t a, int64_t b, bool rest) {
    if (b == 0) {
        e->unknown = true;
        return 0;
    }
    int64_t quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return rest ? a - quotient * b : quotient;
}

static int64_t bounded(struct expression *e, int64_t value) {
    if (value > INT32_MAX || value < -INT32_MAX)
        e->unknown = true;
    return e->unknown ? 0 : value;
}

static int64_t read_product(struct expression *e) {
    int64_t value = read_operand(e);
    for (;;) {
        skip_blanks(e);
        if (slice_starts(e->rest, SLICE("**"))) {
            e->unknown = true;
            return 0;
        }
        if (take(e, SLICE("*")))
            value = bounded(e, value * read_operand(e));
        else if (take(e, SLICE("//")))
            value = divide(e, value, read_operand(e), false);
        else if (take(e, SLICE("%")))
            value = divide(e, value, read_operand(e), true);
        else
            return value;
    }
}

static int64_t read_sum(struct expression *e) {
    int64_t value = read_product(e);
    for (;;) {
        if (take(e, SLICE("+")))
            value = bounded(e, value + read_product(e));
        else if (take(e, SLICE("-")))
            value = bounded(e, value - read_product(e));
        else
            return value;
    }
}

static bool take_comparison(struct expression *e, int *which) {
    static const struct slice operators[] = {SLICE_INIT("=="), SLICE_INIT("!="), SLICE_INIT("<="),
                                             SLICE_INIT(">="), SLICE_INIT("<"),  SLICE_INIT(">")};
    for (int i = 0; i < (int)(sizeof operators / sizeof *operators); i++)
        if (take(e, operators[i])) {
            *which = i;
            return true;
        }
    return false;
}

static int evaluate(struct expression *e) {
    bool holds = true, any = false;
    int which;
    int64_t left = read_sum(e);
    while (!e->unknown && take_comparison(e, &which)) {
        int64_t right = read_sum(e);
        bool each[] = {left == right, left != right, left <= right, left >= right, left<right, left> right};
        holds &= each[which];
        any = true;
        left = right;
    }
    skip_blanks(e);
    return e->unknown || !any || e->rest.len ? -1 : holds;
}

int guard_relation_holds(const struct model *model, const struct compile *compile, struct slice code) {
    struct expression e = {.model = model, .compile = compile, .rest = code, .depth = 32};
    return evaluate(&e);
}

/* "-2.5", "1e-05" */
static bool read_float(struct slice text, double *number) {
    char digits[40], *end;
    if (!text.len || text.len >= sizeof digits || !(is_digit(text.ptr[0]) || text.ptr[0] == '-'))
        return false;
    memcpy(digits, text.ptr, text.len);
    digits[text.len] = 0;
    *number = strtod(digits, &end);
    return *end == 0;
}

bool guard_relation_float(const struct model *model, const struct compile *compile, struct slice code,
                          struct fixed_float *fixed) {
    static const struct slice equal = SLICE_INIT(" == ");
    size_t at = guard_code_find(code, equal);
    struct slice name = slice_first(code, at);
    double had, has;
    if (at == SIZE_MAX || guard_operand_length(name) != name.len)
        return false;
    *fixed = (struct fixed_float){.name = name, .had = slice_from(code, at + equal.len)};
    fixed->has = guard_set_value(model, compile, name, &fixed->symbol);
    return !is_integer(fixed->had) && read_float(fixed->had, &had) && read_float(fixed->has, &has) &&
           (had < has || had > has);
}

/* "L['t'] <= 3.0": a bound on a float. Adds the float's value if the condition does not hold for it. */
static void add_float(struct buf *out, const struct model *model, const struct compile *compile, struct slice code) {
    static const struct slice operators[] = {SLICE_INIT(" <= "), SLICE_INIT(" < "), SLICE_INIT(" >= "),
                                             SLICE_INIT(" > ")};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t at = guard_code_find(code, operators[i]);
        struct slice name = guard_float_name(slice_first(code, at));
        double value, bound;
        if (at == SIZE_MAX || guard_operand_length(name) != name.len)
            continue;
        struct slice text = guard_set_value(model, compile, name, NULL);
        if (!read_float(slice_from(code, at + operators[i].len), &bound) || !read_float(text, &value))
            continue;
        bool holds[] = {value <= bound, value<bound, value >= bound, value> bound};
        if (holds[i])
            continue;
        guard_readable_add(out, name);
        BUF_ADD(out, " = ", text);
        return;
    }
}

void guard_relation_add_values(struct buf *out, const struct model *model, const struct compile *compile,
                               struct slice code) {
    AUTO_BUF values = {0};
    struct expression e = {.model = model, .compile = compile, .rest = code, .depth = 32, .values = &values};
    if (evaluate(&e) >= 0)
        buf_add(out, buf_slice(&values));
    else
        add_float(out, model, compile, code);
}

void guard_relation_add_numbers(struct buf *out, const struct model *model, const struct compile *compile,
                                struct slice code) {
    size_t start = out->len;
    while (code.len) {
        size_t length = guard_operand_length(code);
        struct slice operand = slice_first(code, length ? length : 1), value = operand;
        if (length && !is_integer(operand))
            value = guard_set_value(model, compile, operand, NULL);
        if (!value.ptr) {
            out->len = start;
            return;
        }
        buf_add(out, value);
        code = slice_from(code, operand.len);
    }
}

bool guard_relation_opposite_known(const struct model *model, const struct compile *compile, struct slice code) {
    static const struct slice pairs[][2] = {{SLICE_INIT(" == "), SLICE_INIT(" != ")},
                                            {SLICE_INIT(" != "), SLICE_INIT(" == ")},
                                            {SLICE_INIT(" <= "), SLICE_INIT(" > ")},
                                            {SLICE_INIT(" > "), SLICE_INIT(" <= ")},
                                            {SLICE_INIT(" >= "), SLICE_INIT(" < ")},
                                            {SLICE_INIT(" < "), SLICE_INIT(" >= ")}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t at = guard_code_find(code, pairs[i][0]);
        if (at == SIZE_MAX)
            continue;
        AUTO_BUF other = {0};
        BUF_ADD(&other, slice_first(code, at), pairs[i][1], slice_from(code, at + pairs[i][0].len));
        bool known = guard_set_get(model, compile, ASPECT_RELATION, (struct slice){0}, buf_slice(&other)).ptr != NULL;
        if (known)
            return true;
    }
    return false;
}
