/* recompile_items.c - lines of Python that test several items of a list of numbers. Each combination of the outcomes
 * needs a version, so no limit is high enough: three outcomes for each of six items are 729 versions.
 *
 * Tried with PyTorch 2.15: with the list as a tensor and the test in tensor operations, none of these recompiles
 * remains. */

#include "advice/recompile_advice.h"
#include "scan/library.h"

enum { STEPS_MIN = 3, ITEMS_MIN = 2, BITS = 64 };

/* "lens" and 3 for "3 <= lens[3] <= 5". list.ptr NULL: the condition is not on an item, or only on a part of one. */
struct item {
    struct slice list;
    uint64_t nth;
};

/* A test, its item and its place. */
struct test {
    struct item item;
    struct slice code, file; /* file: its last parts */
    uint64_t line;
};

static size_t name_start(struct slice text, size_t end) {
    while (end > 0 && (is_word(text.ptr[end - 1]) || text.ptr[end - 1] == '.'))
        end--;
    return end;
}

static struct item item_of(struct slice condition) {
    for (size_t at = 0; at < condition.len; at++) {
        if (condition.ptr[at] != '[')
            continue;
        struct slice inside = slice_from(condition, at + 1);
        size_t digits = digits_length(inside), start = name_start(condition, at);
        struct slice after = slice_from(inside, digits);
        struct item item = {.list = slice_make(condition.ptr + start, at - start)};
        bool ends = slice_is(after, "]") || slice_starts(after, SLICE("] "));
        bool begins = !start || condition.ptr[start - 1] == ' ';
        if (digits && ends && begins && item.list.len && !is_digit(item.list.ptr[0]) && is_users_name(item.list) &&
            slice_to_u64(slice_first(inside, digits), &item.nth))
            return item;
        return (struct item){0};
    }
    return (struct item){0};
}

/* The test of "6 <= xs[0] # if n < 6: # app/train.py:35 in f (_dynamo/variables/tensor.py:3083 in evaluate_expr)":
 * Dynamo evaluated the condition for Python, not for an operator. Returns false for others. */
static bool read_test(const struct step *step, struct test *test) {
    static const struct slice evaluated = SLICE_INIT(" (_dynamo/variables/tensor.py:");
    const struct guard_change *change = step->changes.count ? step->changes.items : NULL;
    struct slice rest = step->reason, line = {0};
    if (!change || change->type != GUARD_RELATION || !step->reason_leads)
        return false;
    slice_next_line(&rest, &line);
    size_t end = slice_find(line, evaluated);
    line = slice_first(line, end == SIZE_MAX ? 0 : end);
    size_t in = slice_find(line, SLICE(" in ")), next = in;
    while (next != SIZE_MAX) { /* the last occurrence counts: the code may contain the word, too */
        next = slice_find(slice_from(line, in + 4), SLICE(" in "));
        in = next == SIZE_MAX ? in : in + 4 + next;
    }
    line = slice_first(line, in == SIZE_MAX ? 0 : in);
    size_t hash = slice_rfind_byte(line, '#'), colon = slice_rfind_byte(line, ':');
    if (hash == SIZE_MAX || colon == SIZE_MAX || colon < hash)
        return false;
    *test = (struct test){.item = item_of(change->source),
                          .code = guard_reason_code(step->reason),
                          .file = slice_trim(slice_make(line.ptr + hash + 1, colon - hash - 1))};
    return test->item.list.ptr && test->code.len && test->file.len &&
           slice_to_u64(slice_from(line, colon + 1), &test->line);
}

static bool is_open(const struct advising *a, size_t nth) {
    return nth < STEPS_COMPARED_MAX && !a->said[nth] && !a->fixed[nth];
}

/* Whether the step has a test of the same list on the same line. */
static bool is_same(const struct step *step, const struct test *first, struct test *test) {
    return read_test(step, test) && test->line == first->line && slice_eq(test->item.list, first->item.list) &&
           slice_eq(test->file, first->file);
}

/* Whether only items of the list, or conditions on them, changed. */
static bool is_of_items(const struct step *step, struct slice list) {
    for (size_t i = 0; i < step->changes.count; i++)
        if ((step->changes.items[i].type != GUARD_RELATION && step->changes.items[i].type != GUARD_VALUE) ||
            !slice_eq(item_of(step->changes.items[i].source).list, list))
            return false;
    return step->changes.count && step->change_count == step->changes.count;
}

struct counts {
    size_t recompiles, refused, items;
};

static struct counts count(const struct advising *a, const struct test *first) {
    struct counts counts = {0};
    uint64_t seen = 0;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        struct test test;
        if (!is_open(a, i) || !is_same(&a->chain->steps.items[i], first, &test))
            continue;
        bool refused = recompile_is_refused(a->model, a->chain->steps.items[i].compile);
        counts.refused += refused;
        counts.recompiles += !refused;
        seen |= UINT64_C(1) << test.item.nth % BITS;
    }
    for (; seen; seen &= seen - 1)
        counts.items++;
    return counts;
}

static void advise_line(struct advising *a, const struct test *first, const struct counts *counts) {
    struct buf text = {0};
    buf_addf(&text, "At %.*s:%" PRIu64 " (`%.*s`), Python tests the items of `%.*s`, and each combination of the ",
             SLICE_ARG(path_last(first->file)), first->line, SLICE_ARG(first->code), SLICE_ARG(first->item.list));
    buf_addf(&text, "outcomes needs a version: %zu of %zu recompiles", counts->recompiles, a->chain->recompiles);
    if (counts->refused)
        buf_addf(&text, ", and %zu that the limit refused", counts->refused);
    buf_addf(
        &text,
        ". Make `%.*s` a tensor, and compute this line with tensor operations, such as `torch.where` or an index; or "
        "keep the line out of the compiled function.",
        SLICE_ARG(first->item.list));
    struct advice *advice = advice_add(a, GUARD_RELATION, &text);
    advice->multiplies = true;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        struct test test;
        if (is_open(a, i) && is_of_items(step, first->item.list))
            advice_cite_step(a, advice, step);
        else if (is_open(a, i) && is_same(step, first, &test))
            advice_cite_part(a, advice, step);
    }
}

void advise_items(struct advising *a) {
    enum { LINES_MAX = 16 };
    size_t lines = 0;
    for (size_t i = 0; i < a->chain->steps.count && lines < LINES_MAX && a->chain->advice.count < ADVICE_MAX; i++) {
        struct test first;
        /* a line in another file may belong to a library */
        if (!is_open(a, i) || !read_test(&a->chain->steps.items[i], &first) || is_library_file(a->chain->frame.file) ||
            !slice_ends(a->chain->frame.file, first.file))
            continue;
        struct counts counts = count(a, &first);
        lines++;
        if (counts.items >= ITEMS_MIN && counts.recompiles + counts.refused >= STEPS_MIN)
            advise_line(a, &first, &counts);
    }
}
