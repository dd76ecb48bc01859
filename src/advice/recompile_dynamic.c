/* Advice that makes numbers dynamic from the start, by mark_dynamic() or by TORCH_COMPILE_DYNAMIC_SOURCES. The parts of
 * such advice are kept, because the variable is one list for all functions: see recompile_sources.c. */

#include "advice/recompile_advice.h"
#include "scan/guard_text.h"

/* Whether one dimension is less than another. */
static bool is_less(struct slice a, struct slice b) {
    return a.len != b.len ? a.len < b.len : a.len && memcmp(a.ptr, b.ptr, a.len) < 0;
}

/* Whether both are sizes of one tensor, or of items that are marked in the same way. */
static bool is_alike(const struct dynamic_number *a, const struct dynamic_number *b) {
    return a->list.len || b->list.len ? slice_eq(a->list, b->list) : slice_eq(a->name, b->name);
}

/* Whether an earlier number is a size of the same tensor. */
static bool is_marked_before(const struct dynamic_advice *dynamic, size_t nth) {
    for (size_t i = 0; i < nth; i++)
        if (is_alike(&dynamic->numbers.items[i], &dynamic->numbers.items[nth]))
            return true;
    return false;
}

/* The list with the item "L['images'][0]"; empty: it is not an item of a list. */
static struct slice list_of(struct slice source) {
    size_t open = source.len ? source.len - 1 : 0;
    while (open && source.ptr[open - 1] >= '0' && source.ptr[open - 1] <= '9')
        open--;
    bool item = slice_ends(source, SLICE("]")) && open && open + 1 < source.len && source.ptr[open - 1] == '[';
    return item ? slice_first(source, open - 1) : (struct slice){0};
}

/* Whether "L['images'][2].size()[1]" is in the list "L['images']". */
static bool is_in(struct slice source, struct slice list) {
    return slice_starts(source, list) && slice_starts(slice_from(source, list.len), SLICE("["));
}

/* Whether a version specializes a size of an item: the code makes it equal to the size of another item, which was
 * constant. */
static bool has_specialized_item(const struct advising *a, struct slice list) {
    for (size_t i = 0; i < a->chain->compiles.count && i < STEPS_COMPARED_MAX; i++) {
        const struct compile *compile = a->model->compiles.items[a->chain->compiles.items[i]];
        for (const struct shape_record *fact = compile->shapes[SHAPE_SPECIALIZATION].first; fact; fact = fact->next)
            if (is_in(fact->source, list))
                return true;
    }
    return false;
}

static bool changes_length(const struct advising *a, struct slice list) {
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        for (size_t n = 0; n < step->changes.count; n++)
            if (step->changes.items[n].type == GUARD_LENGTH && step->changes.items[n].key.ptr &&
                slice_eq(guard_key_read(step->changes.items[n].key).source, list))
                return true;
    }
    return false;
}

struct slice dynamic_list(struct advising *a, struct slice source) {
    struct slice list = list_of(source);
    if (!list.len || (!has_specialized_item(a, list) && !changes_length(a, list)))
        return (struct slice){0};
    struct buf name = {0};
    guard_readable_add(&name, list);
    return arena_keep(a->arena, &name);
}

/* The number for the next greater dimension of the same tensor after `after`, which is empty for the first; NULL: none.
 */
static const struct dynamic_number *next_dimension(const struct dynamic_advice *dynamic,
                                                   const struct dynamic_number *like, struct slice after) {
    const struct dynamic_number *next = NULL;
    for (size_t i = 0; i < dynamic->numbers.count; i++) {
        const struct dynamic_number *number = &dynamic->numbers.items[i];
        if (is_alike(number, like) && (!after.len || is_less(after, number->dimension)) &&
            (!next || is_less(number->dimension, next->dimension)))
            next = number;
    }
    return next;
}

/* Adds "1", or "[1, 2]" (in words, "1 and 2") for the dimensions of a tensor. Returns their number. */
static size_t add_dimensions(struct buf *out, const struct dynamic_advice *dynamic, const struct dynamic_number *like) {
    const struct dynamic_number *next = next_dimension(dynamic, like, (struct slice){0}), *after;
    size_t count = 0, start = out->len;
    for (; next; next = after) {
        after = next_dimension(dynamic, like, next->dimension);
        BUF_ADD(out, !count++ ? "" : dynamic->in_words && !after ? " and " : ", ", next->dimension);
    }
    if (count > 1 && !dynamic->in_words) {
        AUTO_BUF list = {0};
        buf_addf(&list, "[%.*s]", (int)(out->len - start), out->ptr + start);
        out->len = start;
        buf_add(out, buf_slice(&list));
    }
    return count;
}

/* Adds "dimension 0 of the first argument": in words, because the user does not know a library's names for its
 * arguments. */
static void add_mark(struct buf *out, const struct dynamic_advice *dynamic, size_t nth) {
    const struct dynamic_number *number = &dynamic->numbers.items[nth];
    const char *verb = nth ? " and " : dynamic->in_words ? "Mark " : "Call ";
    AUTO_BUF dimensions = {0};
    bool several = add_dimensions(&dimensions, dynamic, number) > 1;
    if (!nth && dynamic->lead.len)
        verb = dynamic->in_words ? " mark " : " call ";
    if (dynamic->in_words) {
        buf_addf(out, "%s%s %.*s of ", verb, several ? "dimensions" : "dimension", SLICE_ARG(buf_slice(&dimensions)));
        advice_add_argument(out, number->name);
    } else if (number->list.len)
        buf_addf(out, "%s`torch._dynamo.maybe_mark_dynamic(item, %.*s)` for each item of `%.*s`", verb,
                 SLICE_ARG(buf_slice(&dimensions)), SLICE_ARG(number->list));
    else
        buf_addf(out, "%s`torch._dynamo.mark_dynamic(%.*s, %.*s)`", verb, SLICE_ARG(number->name),
                 SLICE_ARG(buf_slice(&dimensions)));
}

/* Whether the call is the same for more than two tensors; `like` then has its dimensions. */
static bool is_one_call(const struct dynamic_advice *dynamic, struct buf *like) {
    size_t tensors = 0;
    bool same = !dynamic->in_words;
    for (size_t i = 0; i < dynamic->numbers.count && same; i++) {
        AUTO_BUF dimensions = {0};
        if (is_marked_before(dynamic, i))
            continue;
        add_dimensions(&dimensions, dynamic, &dynamic->numbers.items[i]);
        if (!tensors++)
            buf_add(like, buf_slice(&dimensions));
        same = slice_eq(buf_slice(&dimensions), buf_slice(like)) && !dynamic->numbers.items[i].list.len;
    }
    return same && tensors > 2;
}

static void add_one_call(struct buf *out, const struct dynamic_advice *dynamic, struct slice dimensions) {
    size_t tensors = 0, said = 0;
    for (size_t i = 0; i < dynamic->numbers.count; i++)
        tensors += !is_marked_before(dynamic, i);
    buf_addf(out, "%s `torch._dynamo.mark_dynamic(t, %.*s)` for each tensor `t` of ",
             dynamic->lead.len ? " call" : "Call", SLICE_ARG(dimensions));
    for (size_t i = 0; i < dynamic->numbers.count; i++)
        if (!is_marked_before(dynamic, i))
            buf_addf(out, "%s`%.*s`",
                     !said++           ? ""
                     : said == tensors ? " and "
                                       : ", ",
                     SLICE_ARG(dynamic->numbers.items[i].name));
}

static void add_marks(struct buf *out, const struct dynamic_advice *dynamic) {
    struct buf dimensions = {0};
    bool items = false, one = is_one_call(dynamic, &dimensions);
    if (one)
        add_one_call(out, dynamic, buf_slice(&dimensions));
    buf_free(&dimensions);
    for (size_t i = 0; i < dynamic->numbers.count && !one; i++) {
        items |= dynamic->numbers.items[i].list.len > 0;
        if (!is_marked_before(dynamic, i))
            add_mark(out, dynamic, i);
    }
    BUF_ADD(out, dynamic->in_words ? " with `torch._dynamo.mark_dynamic()`" : "",
            items               ? " before each call"
            : dynamic->lead.len ? " there"
            : dynamic->late     ? " before the first call with such tensors"
                                : " before the first call");
}

/* Whether an earlier number has the same source: in older versions, a tensor stands for all of its dimensions. */
static bool is_source_before(const struct dynamic_advice *dynamic, size_t nth) {
    for (size_t i = 0; i < nth; i++)
        if (slice_eq(dynamic->numbers.items[i].source, dynamic->numbers.items[nth].source))
            return true;
    return false;
}

static void add_value(struct buf *out, const struct dynamic_advice *dynamic) {
    for (size_t i = 0; i < dynamic->numbers.count; i++)
        if (!is_source_before(dynamic, i))
            buf_addf(out, "%s%.*s", i ? "," : "", SLICE_ARG(dynamic->numbers.items[i].source));
}

/* "`L['x']:0`, `L['y']:0` and `L['n']`" */
static void add_own(struct buf *out, const struct dynamic_advice *dynamic) {
    size_t count = 0, said = 0;
    for (size_t i = 0; i < dynamic->numbers.count; i++)
        count += !is_source_before(dynamic, i);
    for (size_t i = 0; i < dynamic->numbers.count; i++)
        if (!is_source_before(dynamic, i))
            buf_addf(out, "%s`%.*s`",
                     !said++         ? ""
                     : said == count ? " and "
                                     : ", ",
                     SLICE_ARG(dynamic->numbers.items[i].source));
}

/* Adds the text after "set": the variable with its value, or where to find the value. */
static void add_variable(struct buf *out, const struct dynamic_advice *dynamic, const struct dynamic_value *value) {
    buf_add_lit(out, "`TORCH_COMPILE_DYNAMIC_SOURCES");
    if (value->above)
        buf_add_lit(out, "` to the value above, which has ");
    else if (value->holder.len)
        buf_addf(out, "` to the value in the fix of %.*s, which has ", SLICE_ARG(value->holder));
    else
        buf_addf(out, "=\"%.*s\"`", SLICE_ARG(value->text));
    if (value->above || value->holder.len)
        add_own(out, dynamic);
    else if (value->functions > 1)
        buf_addf(out, " (one value for the fixes of %zu functions)", value->functions);
    else
        buf_add_str(out, value->shared ? " (for every function with such an input)" : "");
    buf_add_str(out, dynamic->whole ? ", which makes every dimension dynamic" : "");
}

void dynamic_add_text(struct buf *out, const struct dynamic_advice *dynamic, const struct dynamic_value *value) {
    buf_add(out, dynamic->lead);
    if (dynamic->marks)
        add_marks(out, dynamic);
    if (dynamic->variable) {
        buf_add_str(out, dynamic->marks || dynamic->either ? ", or set " : dynamic->lead.len ? " set " : "Set ");
        add_variable(out, dynamic, value);
    }
    buf_addf(out, "%.*s: %.*s", SLICE_ARG(dynamic->tail), SLICE_ARG(dynamic->says));
}

/* PyTorch splits the variable at commas, drops spaces, and uses each part as a name and as a regular expression, which
 * must be valid. So a character that is not part of a simple name becomes "any character". Without an end mark, the
 * pattern would also match the base of a view (`._base`), in some of its dimensions. The value survives a shell. */
void dynamic_add_source(struct buf *out, struct slice source) {
    bool simple = true;
    for (size_t i = 0; i < source.len; i++)
        simple &= is_word(source.ptr[i]) || (source.ptr[i] && strchr("[]'.", source.ptr[i]));
    for (size_t i = 0; i < source.len; i++) {
        char c = source.ptr[i];
        buf_add_byte(out, simple || is_word(c) || c == '\'' || c == '-' ? c : '.');
    }
    buf_add_str(out, simple ? "" : "\\Z");
}

bool dynamic_is_late(const struct advising *a, const struct step *step, const struct guard_change *change) {
    struct guard_fact fact = guard_key_read(change->key);
    const struct compile *first = a->model->compiles.items[a->chain->compiles.items[0]];
    AUTO_BUF size = {0};
    buf_addf(&size, "%.*s.size()[%.*s]", SLICE_ARG(fact.source), SLICE_ARG(fact.detail));
    bool late = step->nearest != first->index && !first->failed &&
                !guard_set_value(a->model, first, buf_slice(&size), NULL).ptr;
    return late;
}

void dynamic_add_number(struct arena *arena, struct dynamic_advice *dynamic, const struct dynamic_number *number) {
    for (size_t i = 0; i < dynamic->numbers.count; i++)
        if (slice_eq(dynamic->numbers.items[i].name, number->name) &&
            slice_eq(dynamic->numbers.items[i].dimension, number->dimension))
            return;
    ARENA_ADD(arena, &dynamic->numbers, *number);
}

/* Writes the text with its own value; recompile_sources.c adds the sources of all advice. */
void dynamic_write(struct arena *arena, struct advice *advice) {
    struct buf text = {0}, value = {0};
    add_value(&value, advice->dynamic);
    struct dynamic_value own = {.text = buf_slice(&value)};
    dynamic_add_text(&text, advice->dynamic, &own);
    advice->text = arena_keep(arena, &text);
    buf_free(&value);
}
