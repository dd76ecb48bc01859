#include "envelope/traceback.h"

#include "model/findings_make.h"

/* '  File "a.py", line 3, in f': false for another line. */
static bool read_frame(struct slice line, struct place *place) {
    struct slice text = slice_trim(line);
    if (!slice_starts(text, SLICE("File \"")))
        return false;
    text = slice_from(text, SLICE("File \"").len);
    size_t quote = slice_find(text, SLICE("\", line "));
    if (quote == SIZE_MAX)
        return false;
    struct slice tail = slice_from(text, quote + SLICE("\", line ").len);
    size_t comma = slice_find(tail, SLICE(", in "));
    *place = (struct place){.file = slice_first(text, quote)};
    if (comma != SIZE_MAX)
        place->function = slice_from(tail, comma + SLICE(", in ").len);
    return slice_to_u64(slice_first(tail, comma == SIZE_MAX ? tail.len : comma), &place->line);
}

struct place traceback_user_place(struct slice text) {
    struct place found = {0}, place;
    struct slice line;
    while (slice_next_line(&text, &line))
        if (read_frame(line, &place) && !is_library_file(place.file))
            found = place;
    return found;
}

/* What follows the last frame and its code, which is indented. */
struct slice traceback_message(struct slice text) {
    struct slice rest = text, line, message = {0};
    bool inside = false;
    struct place place;
    while (slice_next_line(&rest, &line)) {
        if (read_frame(line, &place) || slice_starts(line, SLICE("Traceback (most recent call last)"))) {
            inside = true;
            message = (struct slice){0};
        } else if (inside && line.len && line.ptr[0] != ' ') {
            inside = false;
            message = slice_make(line.ptr, (size_t)(text.ptr + text.len - line.ptr));
        }
    }
    return slice_trim(message.ptr ? message : text);
}
