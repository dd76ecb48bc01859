#include "scan/guard_text.h"

size_t guard_quotes_end(struct slice code, size_t i) {
    char quote = code.ptr[i];
    for (size_t end = i + 1; end < code.len; end++) {
        if (code.ptr[end] == '\\')
            end++;
        else if (code.ptr[end] == quote)
            return end + 1;
    }
    return 0;
}

size_t guard_code_find(struct slice code, struct slice needle) {
    bool open[2] = {
        0}; /* an unclosed quote of this kind was found: searching for the end of each one would take quadratic time */
    size_t i = 0, found = slice_find(code, needle);
    while (found != SIZE_MAX) {
        while (i < found && code.ptr[i] != '"' && code.ptr[i] != '\'')
            i++;
        if (i == found)
            break;
        bool twice = code.ptr[i] == '"';
        size_t end = open[twice] ? 0 : guard_quotes_end(code, i);
        open[twice] = !end;
        i = end ? end : i + 1;
        if (found < i) { /* the match is within quotes */
            size_t next = slice_find(slice_from(code, i), needle);
            found = next == SIZE_MAX ? next : i + next;
        }
    }
    return found;
}

struct slice text_between(struct slice text, struct slice begin, struct slice end) {
    size_t at = slice_find(text, begin);
    struct slice rest = at != SIZE_MAX ? slice_from(text, at + begin.len) : (struct slice){0};
    at = slice_find(rest, end);
    return at != SIZE_MAX ? slice_first(rest, at) : (struct slice){0};
}

struct slice guard_float_name(struct slice code) {
    static const struct slice begin = SLICE_INIT("___as_tensor("), end = SLICE_INIT(").item()");
    if (!slice_starts(code, begin) || !slice_ends(code, end))
        return code;
    return slice_make(code.ptr + begin.len, code.len - begin.len - end.len);
}

struct slice guard_class_name(struct slice type) {
    struct slice name = text_between(type, SLICE("<class '"), SLICE("'>"));
    return name.len ? name : type;
}

size_t guard_operand_length(struct slice text) {
    size_t i = 0, depth = 0;
    while (i < text.len) {
        char c = text.ptr[i];
        if (c == '\'' || c == '"') {
            i = behind_string(text, i);
            continue;
        }
        if (c == '[' || c == '(') {
            depth++;
        } else if (c == ']' || c == ')') {
            if (!depth)
                break;
            depth--;
        } else if (!depth && !is_word(c) && c != '.') {
            break;
        }
        i++;
    }
    return i;
}
