#include "scan/triton_error.h"

enum { CALLS_MAX = 16 };

/* "at 4:27:" */
static bool read_position(struct slice line, uint64_t *at) {
    if (!slice_starts(line, SLICE("at ")) || !slice_ends(line, SLICE(":")))
        return false;
    line = slice_from(line, strlen("at "));
    size_t digits = digits_length(line);
    return digits && digits < line.len && line.ptr[digits] == ':' && slice_to_u64(slice_first(line, digits), at);
}

/* "broken_kernel" of "def broken_kernel(x_ptr, …":. */
static struct slice name_of(struct slice line) {
    static const struct slice def = SLICE_INIT("def ");
    size_t open = slice_find(line, SLICE("("));
    return slice_starts(line, def) && open != SIZE_MAX ? slice_trim(slice_make(line.ptr + def.len, open - def.len))
                                                       : (struct slice){0};
}

/* Reads one level, up to the line after the caret. */
static bool read_level(struct slice *text, struct triton_error *found) {
    struct slice line = {0}, before = {0}, name = {0};
    while (slice_next_line(text, &line)) {
        struct slice trimmed = slice_trim(line);
        if (slice_is(trimmed, "^")) {
            found->code = before;
            found->function = name;
            return true;
        }
        struct slice defined = name_of(trimmed);
        name = defined.len ? defined : name;
        before = trimmed;
    }
    return false;
}

bool triton_error_read(struct slice reason, struct triton_error *found) {
    struct slice text = reason, line = {0};
    *found = (struct triton_error){0};
    slice_next_line(&text, &line);
    size_t at = slice_find(line, SLICE("CompilationError: "));
    if (at == SIZE_MAX || !read_position(slice_trim(slice_from(line, at + strlen("CompilationError: "))), &found->line))
        return false;
    for (int level = 0; level < CALLS_MAX && read_level(&text, found); level++) {
        if (!level)
            found->kernel = found->function;
        do
            line = (struct slice){0};
        while (slice_next_line(&text, &line) && !slice_trim(line).len);
        line = slice_trim(line);
        if (!read_position(line, &found->line)) {
            found->message = line;
            break;
        }
    }
    return found->message.len > 0;
}
