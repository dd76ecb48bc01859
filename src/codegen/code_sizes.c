#include "codegen/code_sizes.h"

#include "base/word.h"

#include <assert.h>

enum { NESTING_MAX = 32 };

struct reader {
    const char *at, *end;
    const struct size_names *names;
    unsigned depth;
    bool failed;
};

static int64_t read_sum(struct reader *r);

static void skip_space(struct reader *r) {
    while (r->at < r->end && *r->at == ' ')
        r->at++;
}

static bool take(struct reader *r, struct slice mark) {
    skip_space(r);
    if ((size_t)(r->end - r->at) < mark.len || memcmp(r->at, mark.ptr, mark.len) != 0)
        return false;
    r->at += mark.len;
    return true;
}

static int64_t fail(struct reader *r) {
    r->failed = true;
    return 0;
}

static int64_t read_number(struct reader *r) {
    const char *start = r->at;
    uint64_t value;
    while (r->at < r->end && is_digit(*r->at))
        r->at++;
    bool whole = r->at == r->end || (*r->at != '.' && !is_word(*r->at));
    if (!whole || !slice_to_u64(slice_make(start, (size_t)(r->at - start)), &value) || value > INT64_MAX)
        return fail(r);
    return (int64_t)value;
}

/* After "max(" or "min(". */
static int64_t read_extreme(struct reader *r, bool most) {
    int64_t value = read_sum(r);
    while (take(r, SLICE(","))) {
        int64_t next = read_sum(r);
        value = (next > value) == most ? next : value;
    }
    return take(r, SLICE(")")) ? value : fail(r);
}

static int64_t read_name(struct reader *r) {
    const char *start = r->at;
    int64_t value;
    while (r->at < r->end && is_word(*r->at))
        r->at++;
    struct slice name = slice_make(start, (size_t)(r->at - start));
    bool most = slice_is(name, "max") || slice_is(name, "Max");
    if ((most || slice_is(name, "min") || slice_is(name, "Min")) && take(r, SLICE("(")))
        return read_extreme(r, most);
    return r->names && r->names->value(r->names->data, name, &value) ? value : fail(r);
}

static int64_t read_atom(struct reader *r) {
    if (r->failed || r->depth == NESTING_MAX)
        return fail(r);
    int64_t value;
    r->depth++;
    skip_space(r);
    if (take(r, SLICE("("))) {
        value = read_sum(r);
        if (!take(r, SLICE(")")))
            fail(r);
    } else if (r->at < r->end && is_digit(*r->at)) {
        value = read_number(r);
    } else if (r->at < r->end && is_word(*r->at)) {
        value = read_name(r);
    } else {
        value = fail(r);
    }
    r->depth--;
    return value;
}

static int64_t read_power(struct reader *r) {
    int64_t base = read_atom(r), value = 1;
    if (r->failed || !take(r, SLICE("**")))
        return base;
    int64_t times = read_atom(r);
    if (times < 0 || times > NESTING_MAX)
        return fail(r);
    for (int64_t i = 0; i < times; i++)
        if (__builtin_mul_overflow(value, base, &value))
            return fail(r);
    return value;
}

/* A minus sign binds less than a power. */
static int64_t read_factor(struct reader *r) {
    bool minus = false;
    while (take(r, SLICE("-")))
        minus = !minus;
    int64_t value = read_power(r);
    return !minus ? value : value == INT64_MIN ? fail(r) : -value;
}

/* Rounds to minus infinity, as Python does. */
static int64_t divide(struct reader *r, int64_t a, int64_t b, bool rest) {
    if (b == 0 || (a == INT64_MIN && b == -1))
        return fail(r);
    int64_t left = a % b, whole = a / b;
    bool off = left != 0 && (left < 0) != (b < 0);
    return rest ? left + (off ? b : 0) : whole - off;
}

static int64_t read_product(struct reader *r) {
    int64_t value = read_factor(r);
    while (!r->failed)
        if (take(r, SLICE("//"))) {
            value = divide(r, value, read_factor(r), false);
        } else if (take(r, SLICE("%"))) {
            value = divide(r, value, read_factor(r), true);
        } else if (take(r, SLICE("*"))) {
            if (__builtin_mul_overflow(value, read_factor(r), &value))
                fail(r);
        } else {
            break;
        }
    return value;
}

static int64_t read_sum(struct reader *r) {
    int64_t value = read_product(r);
    while (!r->failed)
        if (take(r, SLICE("+"))) {
            if (__builtin_add_overflow(value, read_product(r), &value))
                fail(r);
        } else if (take(r, SLICE("-"))) {
            if (__builtin_sub_overflow(value, read_product(r), &value))
                fail(r);
        } else {
            break;
        }
    return value;
}

bool size_value(struct slice text, const struct size_names *names, int64_t *value) {
    struct reader r = {.at = text.ptr, .end = text.ptr + text.len, .names = names};
    if (!text.len)
        return false;
    *value = read_sum(&r);
    skip_space(&r);
    return !r.failed && r.at == r.end;
}

/* A number of few digits before a comma or a bracket, as most sizes are. -1: anything else. */
static int64_t plain_number(struct reader *r) {
    enum { DIGITS_MAX = 18 };
    int64_t value = 0;
    const char *at = r->at;
    while (at < r->end && is_digit(*at) && at - r->at < DIGITS_MAX)
        value = 10 * value + (*at++ - '0');
    if (at == r->at || at == r->end || (*at != ',' && *at != ')'))
        return -1;
    r->at = at;
    return value;
}

bool sizes_read(struct slice text, const struct size_names *names, struct sizes *sizes) {
    struct reader r = {.at = text.ptr, .end = text.ptr + text.len, .names = names};
    sizes->count = 0;
    if (!text.len || !take(&r, SLICE("(")))
        return false;
    while (!take(&r, SLICE(")"))) {
        if (sizes->count == SIZE_DIMS_MAX)
            return false;
        int64_t size = plain_number(&r);
        sizes->items[sizes->count++] = size >= 0 ? size : read_sum(&r);
        if (r.failed)
            return false;
        if (!take(&r, SLICE(","))) {
            if (!take(&r, SLICE(")")))
                return false;
            break;
        }
    }
    skip_space(&r);
    return r.at == r.end;
}

bool sizes_bytes(const struct sizes *sizes, const struct sizes *strides, int64_t item_bytes, int64_t *bytes) {
    int64_t last = 0, part;
    bool empty = false;
    if (sizes->count != strides->count)
        return false;
    for (uint32_t i = 0; i < sizes->count; i++) {
        int64_t size = sizes->items[i], stride = strides->items[i];
        if (size < 0 || stride < 0)
            return false;
        empty |= size == 0;
        if (size > 0 && (__builtin_mul_overflow(size - 1, stride, &part) || __builtin_add_overflow(last, part, &last)))
            return false;
    }
    *bytes = 0;
    return empty || (!__builtin_add_overflow(last, 1, &last) && !__builtin_mul_overflow(last, item_bytes, bytes));
}

int64_t dtype_bytes(struct slice dtype) {
    static const struct {
        struct slice name;
        int64_t bytes;
    } types[] = {
        {SLICE_INIT("float32"), 4},   {SLICE_INIT("bfloat16"), 2},  {SLICE_INIT("float16"), 2},
        {SLICE_INIT("int64"), 8},     {SLICE_INIT("bool"), 1},      {SLICE_INIT("int32"), 4},
        {SLICE_INIT("uint8"), 1},     {SLICE_INIT("int8"), 1},      {SLICE_INIT("float64"), 8},
        {SLICE_INIT("int16"), 2},     {SLICE_INIT("complex64"), 8}, {SLICE_INIT("complex128"), 16},
        {SLICE_INIT("complex32"), 4}, {SLICE_INIT("uint16"), 2},    {SLICE_INIT("uint32"), 4},
        {SLICE_INIT("uint64"), 8},
    };
    if (!slice_cut_start(&dtype, SLICE("torch.")))
        return 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (slice_eq(dtype, types[i].name))
            return types[i].bytes;
    return slice_starts(dtype, SLICE("float8_")) || slice_starts(dtype, SLICE("float4_")) ? 1 : 0;
}
