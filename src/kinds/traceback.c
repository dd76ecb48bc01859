#include "kinds/records.h"

#include "scan/error_text.h"

struct place traceback_user_place(struct slice text) {
    struct frame frame;
    if (!traceback_user_frame(text, &frame) || !frame.line)
        return (struct place){0};
    return (struct place){.file = frame.file, .function = frame.function, .line = frame.line};
}

/* The text after the last frame and its code, which are indented. */
struct slice traceback_message(struct slice text) {
    struct slice rest = text, line, message = {0};
    bool inside = false;
    while (slice_next_line(&rest, &line)) {
        if (slice_starts(slice_trim(line), SLICE("File \"")) ||
            slice_starts(line, SLICE("Traceback (most recent call last)"))) {
            inside = true;
            message = (struct slice){0};
        } else if (inside && line.len && line.ptr[0] != ' ') {
            inside = false;
            message = slice_make(line.ptr, (size_t)(text.ptr + text.len - line.ptr));
        }
    }
    return slice_trim(message.ptr ? message : text);
}
