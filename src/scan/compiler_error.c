#include "scan/compiler_error.h"

static const struct slice error_mark = SLICE_INIT(": error: "), fatal_mark = SLICE_INIT(": fatal error: ");

static bool has(struct slice text, const char *mark) {
    return slice_find(text, slice_str(mark)) != SIZE_MAX;
}

/* The part after a heading such as "\nOutput:\n". */
static struct slice section(struct slice reason, struct slice heading) {
    size_t at = slice_find(reason, heading);
    return at == SIZE_MAX ? (struct slice){0} : slice_from(reason, at + heading.len);
}

/* "/tmp/a.cpp:1187:45" → "/tmp/a.cpp" */
static struct slice file_of(struct slice where) {
    for (int part = 0; part < 2; part++) {
        size_t colon = slice_rfind_byte(where, ':');
        if (colon == SIZE_MAX || colon + 1 == where.len)
            break;
        for (size_t i = colon + 1; i < where.len; i++)
            if (!is_digit(where.ptr[i]))
                return where;
        where = slice_first(where, colon);
    }
    return where;
}

/* "Python.h: No such file or directory", "'Python.h' file not found" of Clang, "cannot find -lgomp: No such …" */
static struct slice missing_in(struct slice message) {
    static const struct slice library = SLICE_INIT("cannot find ");
    size_t end = slice_find(message, SLICE(": No such file or directory"));
    if (slice_starts(message, library)) {
        message = slice_from(message, library.len);
        return slice_first(message, slice_find(message, SLICE(":")));
    }
    if (end != SIZE_MAX)
        return slice_first(message, end);
    end = slice_find(message, SLICE("' file not found"));
    return end != SIZE_MAX && message.ptr[0] == '\'' ? slice_make(message.ptr + 1, end - 1) : (struct slice){0};
}

/* Whether the line states the error. Sets the other members of `found` from it. */
static bool read_line(struct slice line, struct slice command, struct compiler_error *found) {
    size_t at = slice_find(line, error_mark), fatal = slice_find(line, fatal_mark);
    struct slice mark = fatal < at ? fatal_mark : error_mark;
    at = fatal < at ? fatal : at;
    if (at == SIZE_MAX) { /* from a linker: "/usr/bin/ld: cannot find -lgomp: No such file or directory" */
        at = slice_find(line, SLICE("ld: cannot find "));
        mark = SLICE("ld: ");
        if (at == SIZE_MAX)
            return false;
    } else if (slice_starts(line, SLICE("collect2"))) { /* repeats that the linker failed */
        return false;
    }
    struct slice file = file_of(slice_first(line, at));
    found->message = slice_trim(slice_from(line, at + mark.len));
    found->missing = missing_in(found->message);
    found->killed = has(found->message, "Killed signal") || has(found->message, "due to signal");
    found->generated = !found->missing.ptr && !found->killed && file.len && slice_ends(file, SLICE(".cpp")) &&
                       slice_find(command, file) != SIZE_MAX;
    return found->message.len > 0;
}

/* "1187 |     auto tmp4 = x;" */
static bool is_source(struct slice line) {
    size_t bar = slice_find(line, SLICE(" |"));
    if (bar == SIZE_MAX)
        return false;
    for (size_t i = 0; i < bar; i++)
        if (!is_digit(line.ptr[i]) && line.ptr[i] != ' ')
            return false;
    return true;
}

bool compiler_error_read(struct slice reason, struct compiler_error *found) {
    struct slice command, output = section(reason, SLICE("\nOutput:\n")), line = {0};
    *found = (struct compiler_error){0};
    if (!has(slice_first(reason, slice_find(reason, SLICE("\n"))), "CppCompileError"))
        return false;
    command = section(reason, SLICE("\nCommand:\n"));
    command = slice_first(command, slice_find(command, SLICE("\n")));
    while (slice_next_line(&output, &line))
        if (read_line(slice_trim(line), command, found))
            break;
    if (!found->message.len)
        return false;
    if (slice_next_line(&output, &line) && is_source(line))
        found->excerpt = line;
    return true;
}
