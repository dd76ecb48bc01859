#include "scan/side_effects.h"

#include "base/word.h"
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

/* "step" of "self.step += 1": the line begins with names and points, and then assigns. ptr NULL: another line. */
static struct slice assigned(struct slice code) {
    size_t end = 0, point = SIZE_MAX;
    while (end < code.len && (is_word(code.ptr[end]) || code.ptr[end] == '.')) {
        point = code.ptr[end] == '.' ? end : point;
        end++;
    }
    bool is = point != SIZE_MAX && point + 1 < end && is_assigned(slice_from(code, end));
    return is ? slice_make(code.ptr + point + 1, end - point - 1) : (struct slice){0};
}

/* The innermost line of the user in one stack. */
static struct frame user_line(struct slice text) {
    struct frame frame, line = {0};
    struct slice stack = slice_trim(text);
    while (traceback_take(&stack, &frame))
        if (!is_library_file(frame.file))
            line = frame;
    return line;
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
        effects->line = user_line(slice_first(effects->stacks, end));
        struct slice name = assigned(slice_trim(effects->line.code));
        effects->stacks = end == SIZE_MAX ? (struct slice){0} : slice_from(effects->stacks, end + between_stacks.len);
        if (!name.ptr)
            continue;
        buf_add(source, effects->object);
        buf_addf(source, ".%.*s", SLICE_ARG(name));
        return true;
    }
    if (!next_object(effects))
        return false;
    effects->line = user_line(slice_first(effects->stacks, slice_find(effects->stacks, between_stacks)));
    buf_add(source, effects->object);
    return true;
}
