#include "analysis/break_lines.h"

#include "scan/guard_text.h"

bool line_reads_numbers(struct slice text) {
    static const char *const reads[] = {".tolist()", ".item()", "int(", "float("};
    bool found = false;
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
        found |= slice_find(text, slice_str(reads[i])) != SIZE_MAX;
    return found;
}

/* The length of "self.avg" or "stats.loss['train']" at the start of the text: an attribute, or what it contains. 0: none. */
static size_t attribute_length(struct slice text) {
    size_t at = word_length(text), points = 0;
    while (at && at < text.len && text.ptr[at] == '.') {
        size_t name = word_length(slice_from(text, at + 1));
        points += name > 0;
        at = name ? at + 1 + name : 0;
    }
    if (!points || at == text.len || text.ptr[at] != '[')
        return points ? at : 0;
    size_t end = slice_find(text, SLICE("]"));
    return end == SIZE_MAX ? 0 : end + 1;
}

struct slice line_keeps_number(struct slice code) {
    static const char operators[] = "+-*/";
    code = slice_trim(code);
    struct slice name = slice_first(code, attribute_length(code)), value = slice_trim(slice_from(code, name.len));
    bool adds = value.len > 1 && strchr(operators, value.ptr[0]) && value.ptr[0];
    value = slice_from(value, adds);
    if (!name.len || !slice_starts(value, SLICE("= ")) || slice_find(value, SLICE(".item()")) == SIZE_MAX)
        return (struct slice){0};
    size_t again = slice_find(value, name), end = again + name.len;
    bool reads = adds || (again != SIZE_MAX && (end == value.len || !word_length(slice_from(value, end))));
    return reads ? name : (struct slice){0};
}

bool break_is_of_value(const struct graph_break *found) {
    return slice_starts(found->reason, SLICE("Could not extract specialized integer"));
}

bool break_is_disabled(const struct graph_break *found) {
    return !found->library &&
           (slice_starts(found->reason, SLICE("Skip calling `torch.compiler.disable()`d function")) ||
            slice_starts(found->reason, SLICE("Skip inlining `torch.compiler.disable()`d function")));
}

/* "2 if x.sum().item() > 0 else 3" */
static bool is_conditional(struct slice code) {
    struct slice condition = text_between(code, SLICE(" if "), SLICE(" else "));
    return condition.len && line_reads_numbers(condition);
}

bool line_tests(struct slice code) {
    static const char *const tests[] = {"if ", "elif ", "while "};
    bool found = false;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        found |= slice_starts(slice_trim(code), slice_str(tests[i]));
    return found || is_conditional(code);
}

bool hint_captures(struct slice hint) {
    return slice_find(hint, SLICE("config.capture_scalar_outputs")) != SIZE_MAX ||
           slice_find(hint, SLICE("config.capture_dynamic_output_shape_ops")) != SIZE_MAX;
}

struct slice break_announced(const struct model *model, const struct compile *compile, struct slice reason) {
    if (!slice_starts(reason, SLICE("Backend compiler failed with a fake tensor exception at")) && /* 2.6 */
        !slice_is(reason, "Backend compiler exception"))
        return (struct slice){0};
    for (size_t i = 0; i < compile->breaks.count; i++)
        if (model->breaks.items[compile->breaks.items[i]]->announced)
            return model->breaks.items[compile->breaks.items[i]]->reason;
    return (struct slice){0};
}
