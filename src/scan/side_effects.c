#include "scan/side_effects.h"

#include "scan/error_text.h"
#include "scan/library.h"

/* "= 1", "+= 1", "**= 2", but not "== 1" or "<= 1" */
static bool is_assigned(struct slice rest) {
    static const struct slice operators = SLICE_INIT("+-*/%@&|^<>");
    size_t i = 0;
    while (i < rest.len && rest.ptr[i] == ' ')
        i++;
    size_t begin = i;
    while (i < rest.len && slice_find(operators, slice_make(rest.ptr + i, 1)) != SIZE_MAX)
        i++;
    bool compares = i == begin + 1 && (rest.ptr[begin] == '<' || rest.ptr[begin] == '>');
    return i < rest.len && rest.ptr[i] == '=' && !compares && !(i + 1 < rest.len && rest.ptr[i + 1] == '=');
}

/* "step" of "self.step += 1" and of "def add(self): self.step += 1": the line, or the body after the head, begins with
 * names and dots, and then assigns. ptr NULL: another line. */
static struct slice assigned(struct slice code) {
    static const struct slice body = SLICE_INIT("): ");
    size_t end = slice_find(code, body), point = SIZE_MAX;
    if (slice_starts(code, SLICE("def ")) && end != SIZE_MAX)
        code = slice_trim(slice_from(code, end + body.len));
    end = 0;
    while (end < code.len && (is_word(code.ptr[end]) || code.ptr[end] == '.')) {
        point = code.ptr[end] == '.' ? end : point;
        end++;
    }
    bool is = point != SIZE_MAX && point + 1 < end && is_assigned(slice_from(code, end));
    return is ? slice_make(code.ptr + point + 1, end - point - 1) : (struct slice){0};
}

/* "meter.add" in "y = f(x); meter.add(y)" for the function add. ptr NULL: the line calls it in another way, or twice.
 */
static struct slice method_called(struct slice code, struct slice function) {
    struct slice found = {0};
    for (size_t i = 0, end; i < code.len && function.len; i = end) {
        size_t point = SIZE_MAX;
        end = i;
        while (end < code.len && (is_word(code.ptr[end]) || code.ptr[end] == '.')) {
            point = code.ptr[end] == '.' ? end : point;
            end++;
        }
        struct slice name = slice_make(code.ptr + i, end - i);
        end += end == i;
        if (point == SIZE_MAX || point == i || !slice_eq(slice_from(name, point + 1 - i), function))
            continue;
        if (found.ptr || end >= code.len || code.ptr[end] != '(' ||
            (i > 0 && (code.ptr[i - 1] == ')' || code.ptr[i - 1] == ']')))
            return (struct slice){0};
        found = name;
    }
    return found;
}

/* Takes the innermost user line in one stack, and the line that calls it. */
static void take_lines(struct side_effects *effects, struct slice text) {
    struct frame frame;
    struct slice stack = slice_trim(text);
    effects->line = effects->caller = (struct frame){0};
    while (traceback_take(&stack, &frame))
        if (!is_library_file(frame.file)) {
            effects->caller = effects->line;
            effects->line = frame;
        }
    effects->called = method_called(effects->caller.code, effects->line.function);
}

static bool next_object(struct side_effects *effects) {
    static const struct slice begin = SLICE_INIT("Mutating object of type "), named = SLICE_INIT("(source name: "),
                              between = SLICE_INIT("\n========================================\n");
    while (effects->text.len) {
        size_t end = slice_find(effects->text, between);
        struct slice one = slice_trim(slice_first(effects->text, end)), line;
        effects->text = end == SIZE_MAX ? (struct slice){0} : slice_from(effects->text, end + between.len);
        if (!slice_starts(one, begin) || !slice_next_line(&one, &line))
            continue;
        size_t at = slice_find(line, named), close = slice_rfind_byte(line, ')');
        static const struct slice unknown = SLICE_INIT(") (unable to find user stacks for mutations)");
        if (at == SIZE_MAX || close == SIZE_MAX)
            continue;
        if (slice_ends(line, unknown))
            close = line.len - unknown.len;
        if (close <= at + named.len)
            continue;
        effects->object = slice_make(line.ptr + at + named.len, close - at - named.len);
        effects->stacks = one;
        return true;
    }
    return false;
}

static const struct slice between_stacks = SLICE_INIT("\n********\n");

bool side_effects_next(struct side_effects *effects, struct buf *source) {
    while (effects->object.ptr && effects->stacks.len) {
        size_t end = slice_find(effects->stacks, between_stacks);
        take_lines(effects, slice_first(effects->stacks, end));
        struct slice name = assigned(slice_trim(effects->line.code));
        effects->stacks = end == SIZE_MAX ? (struct slice){0} : slice_from(effects->stacks, end + between_stacks.len);
        if (!name.ptr)
            continue;
        BUF_ADD(source, effects->object, ".", name);
        return true;
    }
    if (!next_object(effects))
        return false;
    take_lines(effects, slice_first(effects->stacks, slice_find(effects->stacks, between_stacks)));
    buf_add(source, effects->object);
    return true;
}
