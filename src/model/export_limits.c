/* The guards behind the constraint violations of exports. */
#include "model/export_calls.h"
#include "scan/error_text.h"
#include "scan/library.h"

enum { GUARDS_MAX = 4096 };

/* The innermost line of the user. A non-strict trace has no user stack, but runs the code itself. */
const struct frame *export_guard_line(const struct shape_record *guard) {
    const struct stack_node *node = guard->user_stack ? guard->user_stack : guard->stack;
    while (node && is_library_file(node->frame->file))
        node = node->parent;
    return node ? node->frame : guard->user_stack ? guard->user_stack->frame : NULL;
}

/* "0" for "L['x'].size()[0]"; ptr NULL: another source. */
static struct slice dimension_of(struct slice source) {
    static const struct slice size = SLICE_INIT(".size()[");
    size_t at = slice_find(source, size);
    return at == SIZE_MAX ? (struct slice){0} : slice_from(source, at + size.len);
}

/* The symbol at the start of the text, or else the first later one. ptr NULL: none. */
static struct slice first_symbol(struct slice text) {
    for (size_t i = 0, length; i < text.len; i += length ? length : 1) {
        length = word_length(slice_from(text, i));
        if (length > 1 && text.ptr[i] == 's' && digits_length(slice_from(text, i + 1)) == length - 1)
            return slice_make(text.ptr + i, length);
    }
    return (struct slice){0};
}

/* Whether the symbol can be that of the source: a strict export numbers its inputs, so the message has other names, but
 * the same dimension. */
static bool may_be(const struct compile *trace, struct slice symbol, struct slice source) {
    static const struct slice numbered = SLICE_INIT("L['flat_args'][");
    for (const struct shape_record *made = trace->shapes[SHAPE_SYMBOL].first; made; made = made->next)
        if (slice_eq(made->symbol, symbol))
            return slice_eq(made->source, source) ||
                   (slice_starts(made->source, numbered) && slice_eq(dimension_of(made->source), dimension_of(source)));
    return false;
}

/* The parts of a condition: "2 <= s" and "s <= 16" of "2 <= s and s <= 16". */
static bool next_part(struct slice *rest, struct slice *part) {
    static const struct slice between = SLICE_INIT(" and ");
    if (!rest->len)
        return false;
    size_t at = slice_find(*rest, between);
    *part = slice_first(*rest, at);
    *rest = at == SIZE_MAX ? (struct slice){0} : slice_from(*rest, at + between.len);
    return true;
}

static bool is_equal_plain(struct slice guard, struct slice expr) {
    AUTO_BUF a = {0}, b = {0};
    constraint_add_plain(&a, guard);
    constraint_add_plain(&b, expr);
    bool equal = a.len && slice_eq(buf_slice(&a), buf_slice(&b));
    return equal;
}

static bool is_guard_of(const struct constraint *says, struct slice guard) {
    struct slice rest = says->expr, part;
    if (says->kind == CONSTRAINT_EQUAL) {
        AUTO_BUF both = {0};
        buf_addf(&both, "Eq(%.*s, %.*s)", SLICE_ARG(says->source), SLICE_ARG(says->other));
        bool equal = is_equal_plain(guard, buf_slice(&both));
        return equal;
    }
    while (says->kind == CONSTRAINT_GUARD && next_part(&rest, &part))
        if (is_equal_plain(guard, part))
            return true;
    return false;
}

/* The line of the guard in the trace, from `since` on. If guards on several lines match, none is chosen. */
static struct place find_line(const struct compile *trace, uint64_t since, uint64_t until,
                              const struct constraint *says) {
    struct place place = {0};
    const struct shape_record *guard = trace->shapes[SHAPE_GUARD].first;
    struct slice meant = {0};
    for (size_t i = 0; guard && guard->line < until && i < GUARDS_MAX; guard = guard->next, i++) {
        const struct frame *frame = export_guard_line(guard);
        struct slice symbol = first_symbol(guard->text);
        if (guard->line < since || !frame || !is_guard_of(says, guard->text) ||
            !(may_be(trace, symbol, says->source) || may_be(trace, symbol, says->other)))
            continue;
        if (meant.ptr && !slice_eq(meant, symbol))
            return (struct place){0};
        if (!meant.ptr)
            place = (struct place){frame->file, frame->function, frame->line};
        meant = symbol;
    }
    return place;
}

static void find_places(const struct model *model, struct export_failure *failure) {
    const struct compile *end = model->compiles.items[failure->compile];
    const struct export_call *call = export_call_at(model, end, end->metrics_line);
    const struct compile *trace = call ? model->compiles.items[call->compile] : end;
    for (uint32_t i = 0; i < failure->limit_count; i++) {
        struct export_limit *limit = &failure->limits[i];
        struct frame frame;
        if (traceback_last_frame(limit->says.text, &frame))
            limit->place = (struct place){frame.file, frame.function, frame.line};
        else if (call)
            limit->place = find_line(trace, call->line, end->metrics_line, &limit->says);
    }
    for (uint32_t i = failure->limit_count; i-- > 0;)
        if (failure->limits[i].place.file.ptr)
            failure->place = failure->limits[i].place;
    bool below = call && (call->place.line != failure->place.line || !slice_eq(call->place.file, failure->place.file));
    if (below)
        failure->caller = call->place;
}

void exports_find_limits(struct model *model) {
    struct exports *exports = model->exports;
    for (size_t i = 0; exports && exports->found && i < exports->failures.count; i++) {
        struct export_failure *failure = exports->failures.items[i];
        struct export_limit limits[EXPORT_LIMITS_MAX];
        struct slice rest = failure->detail;
        struct constraint says;
        while (failure->kind == EXPORT_CONSTRAINT && constraint_next(&rest, &says)) {
            if (failure->limit_count == EXPORT_LIMITS_MAX)
                failure->more_limits++;
            else
                limits[failure->limit_count++] = (struct export_limit){.says = says};
        }
        if (!failure->limit_count)
            continue;
        failure->limits = ARENA_COPY(exports->arena, limits, failure->limit_count);
        find_places(model, failure);
    }
}
