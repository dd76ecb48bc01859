#include "codegen/scanned_kernel.h"

static const struct {
    struct slice word;
    enum function_family family;
} functions[] = {
    {SLICE_INIT("exp"), FAMILY_EXP},      {SLICE_INIT("exp2"), FAMILY_EXP},    {SLICE_INIT("exp_u20"), FAMILY_EXP},
    {SLICE_INIT("fexp_u20"), FAMILY_EXP}, {SLICE_INIT("sigmoid"), FAMILY_EXP}, {SLICE_INIT("erf"), FAMILY_ERF},
    {SLICE_INIT("tanh"), FAMILY_TANH},    {SLICE_INIT("sin"), FAMILY_SIN},     {SLICE_INIT("cos"), FAMILY_COS},
    {SLICE_INIT("log"), FAMILY_LOG},      {SLICE_INIT("log2"), FAMILY_LOG},
};

enum function_family function_family_of(struct slice op) {
    static const struct {
        struct slice name;
        enum function_family family;
    } operators[] = {
        {SLICE_INIT("sqrt"), FAMILY_SQRT},   {SLICE_INIT("rsqrt"), FAMILY_SQRT}, {SLICE_INIT("exp"), FAMILY_EXP},
        {SLICE_INIT("sigmoid"), FAMILY_EXP}, {SLICE_INIT("erf"), FAMILY_ERF},    {SLICE_INIT("tanh"), FAMILY_TANH},
        {SLICE_INIT("sin"), FAMILY_SIN},     {SLICE_INIT("cos"), FAMILY_COS},    {SLICE_INIT("log"), FAMILY_LOG},
    };
    if (!slice_starts(op, SLICE("aten.")))
        return FAMILIES;
    op = slice_from(op, 5);
    if (slice_starts(op, SLICE("_foreach_")))
        op = slice_from(op, 9);
    size_t dot = slice_find(op, SLICE("."));
    op = slice_first(op, dot == SIZE_MAX ? op.len : dot);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (slice_eq(op, operators[i].name))
            return operators[i].family;
    return FAMILIES;
}

uint32_t function_families_in(struct slice text) {
    uint32_t found = 0;
    const char *open;
    for (size_t i = 0; i < text.len && (open = memchr(text.ptr + i, '(', text.len - i)); i++) {
        i = (size_t)(open - text.ptr);
        size_t begin = i;
        while (begin && is_word(text.ptr[begin - 1]))
            begin--;
        struct slice word = slice_make(text.ptr + begin, i - begin);
        if (slice_find(word, SLICE("sqrt")) != SIZE_MAX) /* "rsqrt", "sqrt_rn" */
            found |= 1u << FAMILY_SQRT;
        for (size_t k = 0; word.len && k < sizeof functions / sizeof *functions; k++)
            if (slice_eq(word, functions[k].word))
                found |= 1u << functions[k].family;
    }
    return found;
}
