/* Floats whose value Python needs: a tensor in their place would break the graph there. The line is the first one that
 * uses the number, according to the reason or the symbol's record. */

#include "advice/recompile_advice.h"
#include "analysis/break_lines.h"
#include "analysis/identity.h"
#include "analysis/setting_values.h"
#include "scan/error_text.h"
#include "scan/guard_text.h"

enum { SYMBOLS_MAX = 1024 /* symbols searched per compile */, BREAKS_MAX = 1024 };

/* "max_norm" of "max_norm", "scale" of "self.scale", "std" of "G['scale']['std']" */
static struct slice last_word(struct slice name) {
    size_t end = name.len;
    while (end > 0 && !word_length(slice_make(name.ptr + end - 1, 1)))
        end--;
    size_t start = end;
    while (start > 0 && word_length(slice_make(name.ptr + start - 1, 1)))
        start--;
    return slice_make(name.ptr + start, end - start);
}

/* Whether the line branches on the number: "if scale > 1:". Dynamo traces an assert of a tensor. */
static bool decides(struct slice code, struct slice word) {
    static const char *const tests[] = {"if ", "elif ", "while "};
    struct slice test = {0};
    for (size_t i = 0; i < sizeof tests / sizeof *tests && !test.ptr; i++)
        if (slice_starts(code, slice_str(tests[i])))
            test = slice_from(code, slice_str(tests[i]).len);
    if (test.ptr)
        test = slice_first(test, slice_ends(test, SLICE(":")) ? test.len - 1 : slice_find(test, SLICE(": ")));
    else
        test = text_between(code, SLICE(" if "), SLICE(" else "));
    return has_word(test, word) && slice_find(test, SLICE(" is ")) == SIZE_MAX &&
           slice_find(test, SLICE("isinstance(")) == SIZE_MAX && slice_find(test, SLICE("hasattr(")) == SIZE_MAX;
}

/* Whether the line converts the number: "max_norm = float(max_norm)", "return int(n)", whatever the number's name is
 * there. */
static bool converts(struct slice code, struct slice word) {
    static const char *const calls[] = {"float(", "int(", "bool("};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct slice call = slice_str(calls[i]);
        size_t at = slice_find(code, call);
        if (at == SIZE_MAX || (at && (code.ptr[at - 1] == '.' || word_length(slice_make(code.ptr + at - 1, 1)))))
            continue;
        struct slice before = slice_first(code, at), argument = arguments_of(slice_from(code, at + call.len));
        bool alone = (slice_is(before, "return ") ||
                      (slice_ends(before, SLICE(" = ")) && word_length(before) + 3 == before.len)) &&
                     argument.len && word_length(argument) == argument.len &&
                     at + call.len + argument.len + 1 == code.len;
        if (alone || has_word(argument, word))
            return true;
    }
    size_t at = slice_find(code, SLICE("math."));
    if (at == SIZE_MAX || (at && word_length(slice_make(code.ptr + at - 1, 1))))
        return false;
    struct slice rest = slice_from(code, at + sizeof "math." - 1);
    rest = slice_from(rest, word_length(rest));
    return slice_starts(rest, SLICE("(")) && has_word(arguments_of(slice_from(rest, 1)), word);
}

/* Whether a tensor would break the graph: with this setting, a tensor's number becomes a symbol, on which Python still
 * cannot branch. */
static bool breaks(const struct advising *a, uint32_t compile, struct slice code, struct slice word) {
    code = slice_trim(code);
    return decides(code, word) ||
           (converts(code, word) && !compile_setting_is(a->model, compile, "capture_scalar_outputs", "true"));
}

/* Whether the line branches on a tensor anyway, so it breaks the graph even with the number. */
static bool is_broken(const struct advising *a, const struct step *step, struct slice file, uint64_t line) {
    uint32_t versions[] = {step->compile, step->nearest};
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
        const struct compile *compile = versions[v] == NO_VERSION ? NULL : a->model->compiles.items[versions[v]];
        for (size_t b = 0; compile && b < compile->breaks.count; b++) {
            const struct graph_break *found = a->model->breaks.items[compile->breaks.items[b]];
            if (slice_is(found->reason, "Data-dependent branching") && found->place.line == line &&
                slice_eq(found->place.file, file))
                return true;
        }
    }
    return false;
}

/* The innermost user line at the first use of the source in the compile; NULL: no symbol was created for it. */
static const struct frame *first_use(const struct advising *a, uint32_t compile, struct slice source) {
    const struct shape_record *symbol = a->model->compiles.items[compile]->shapes[SHAPE_SYMBOL].first;
    for (size_t i = 0; symbol && i < SYMBOLS_MAX; symbol = symbol->next, i++)
        if (slice_eq(symbol->source, source) && symbol->user_stack)
            return symbol->user_stack->frame;
    return NULL;
}

/* The line that calls, by its name, an operator for which the number was specialized: its schema requires a number, so
 * a tensor raises an error. This does not apply to arithmetic that Dynamo could not trace with a symbol. NULL: none. */
static const struct frame *operator_use(const struct advising *a, uint32_t compile, struct slice source) {
    const struct shape_record *fact = a->model->compiles.items[compile]->shapes[SHAPE_SPECIALIZATION].first;
    for (size_t i = 0; fact && i < SYMBOLS_MAX; fact = fact->next, i++)
        if (slice_eq(fact->source, source) && fact->user_stack &&
            slice_find(fact->user_stack->frame->code, SLICE("torch.ops.")) != SIZE_MAX)
            return fact->user_stack->frame;
    return NULL;
}

/* The PyTorch operator in whose function the reason's guard was added, because it takes a number: "beta == 0.9  # …
 * (nn/functional.py:4192 in huber_loss)". Returns false if the reason names none. */
static bool reason_needs_number(struct slice reason, struct needed *needed) {
    static const char *const files[] = {"nn/functional.py", "functional.py", "_ops.py"};
    struct slice line = {0};
    slice_next_line(&reason, &line);
    size_t open = slice_rfind_byte(line, '('), in = slice_find(slice_from(line, open + 1), SLICE(" in "));
    if (open == SIZE_MAX || in == SIZE_MAX || !slice_ends(line, SLICE(")")))
        return false;
    struct slice place = slice_first(slice_from(line, open + 1), in), name = slice_from(line, open + 1 + in + 4);
    size_t colon = slice_rfind_byte(place, ':');
    *needed = (struct needed){.code = slice_first(name, name.len - 1),
                              .file = slice_first(place, colon),
                              .of_operator = true};
    bool operator= false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        operator|= slice_is(needed->file, files[i]);
    return operator&& colon != SIZE_MAX && slice_to_u64(slice_from(place, colon + 1), &needed->line);
}

/* The user's line that uses the number first in the compile, if it branches on it. `name`: as in reasons, "guidance"
 * for L['guidance']. */
static bool python_needs(const struct compile *compile, struct slice name, struct needed *needed) {
    const struct shape_record *symbol = compile->shapes[SHAPE_SYMBOL].first;
    bool found = false;
    for (size_t i = 0; symbol && i < SYMBOLS_MAX && !found; symbol = symbol->next, i++) {
        AUTO_BUF readable = {0};
        guard_readable_add(&readable, symbol->source);
        bool same = slice_eq(buf_slice(&readable), name);
        const struct frame *use = same && symbol->user_stack ? symbol->user_stack->frame : NULL;
        found = use && decides(slice_trim(use->code), last_word(name));
        if (found)
            *needed = (struct needed){slice_trim(use->code), use->file, use->line, false};
    }
    return found;
}

bool number_user(const struct model *model, const struct compile *compile, struct slice source, struct needed *needed) {
    enum { LATER_MAX = 64 };
    for (size_t i = compile->index, n = 0; i < model->compiles.count && n < LATER_MAX; i++, n++) {
        const struct compile *later = model->compiles.items[i];
        bool version = later->process == compile->process && later->frame_id == compile->frame_id;
        for (size_t r = 0; r < later->reasons.count && r < LATER_MAX && version; r++)
            if (slice_eq(guard_failure_read(later->reasons.items[r]).source, source) &&
                reason_needs_number(later->reasons.items[r], needed))
                return true;
    }
    *needed = (struct needed){0};
    return python_needs(compile, source, needed);
}

void number_kept_add(struct buf *text, const struct model *model, const struct chain *chain, struct slice name) {
    uint64_t unused;
    struct slice function = resumed_function(chain->frame.function, &unused);
    for (size_t i = 0; i < model->breaks.count && i < BREAKS_MAX; i++) {
        const struct graph_break *found = model->breaks.items[i];
        const struct frame *frame = found->stack.count ? &found->stack.items[found->stack.count - 1] : NULL;
        if (frame && slice_eq(frame->file, chain->frame.file) && slice_eq(frame->function, function) &&
            slice_eq(line_keeps_number(frame->code), name)) {
            buf_addf(text, ", and keep it one at %.*s:%" PRIu64 " (`.detach()` instead of `.item()`)",
                     SLICE_ARG(path_last(frame->file)), frame->line);
            return;
        }
    }
}

struct needed number_needed(const struct advising *a, const struct step *step, const struct guard_change *change) {
    struct slice word = last_word(change->source), source = guard_key_read(change->key).source;
    struct needed needed = {0};
    if (!word.len || change->type != GUARD_FLOAT)
        return needed;
    const struct frame *use = source.ptr ? first_use(a, step->compile, source) : NULL;
    if (use && is_broken(a, step, use->file, use->line))
        return needed;
    if (use && breaks(a, step->compile, use->code, word))
        return (struct needed){slice_trim(use->code), use->file, use->line, false};
    const struct frame *operator= source.ptr ? operator_use(a, step->compile, source) : NULL;
    if (operator)
        return (struct needed){slice_trim(operator->code), operator->file, operator->line, true};
    if (reason_needs_number(step->reason, &needed) && change == step->changes.items)
        return needed;
    needed = (struct needed){0};
    if (!step->reason.ptr || !step->reason_leads || change != step->changes.items)
        return needed;
    struct slice code = guard_reason_code(step->reason);
    struct frame frame = {0};
    size_t trace = slice_find(step->reason, SLICE("User stack trace:"));
    if (trace == SIZE_MAX || !code.len || !breaks(a, step->compile, code, word))
        return needed;
    traceback_last_frame(slice_from(step->reason, trace), &frame);
    if (is_broken(a, step, frame.file, frame.line))
        return needed;
    return (struct needed){code, frame.file, frame.line, false};
}
