#include "share/redact.h"

#include "share/redact_parts.h"
#include "share/redact_word.h"

/* The end of a JSON string that begins at `from`: the position of its closing quote, or len. */
static size_t string_end(const char *json, size_t from, size_t len) {
    while (from < len && json[from] != '"')
        from += json[from] == '\\' ? 2 : 1;
    return from < len ? from : len;
}

/* The shape of the content of a JSON string, in place. One-letter escapes stay. */
static void shape_string(char *json, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (json[i] != '\\') {
            redact_shape(json + i, 1);
        } else if (i + 1 < to && json[i + 1] == 'u') {
            size_t end = i + 6 < to ? i + 6 : to;
            memset(json + i, 'x', end - i);
            i = end - 1;
        } else {
            i++;
        }
    }
}

/* A list of guards: member names, numbers and guard types stay; all other texts become their shape. */
static void shape_list(char *json, size_t len) {
    struct slice key = {0};
    for (size_t i = 0; i < len; i++) {
        if (json[i] != '"')
            continue;
        size_t end = string_end(json, i + 1, len);
        struct slice text = slice_make(json + i + 1, end - i - 1);
        if (end + 1 < len && json[end + 1] == ':')
            key = text;
        else if (!slice_is(key, "type") || !redact_is_plain(text))
            shape_string(json, i + 1, end);
        i = end;
    }
}

static void add_shape(struct slice text, enum redact_content content, struct buf *out) {
    size_t at = out->len;
    buf_add(out, text);
    if (content == REDACT_GUARDS)
        shape_list(out->ptr + at, text.len);
    else
        redact_shape(out->ptr + at, text.len);
}

static void add_piece(struct redact *r, struct slice text, enum redact_content content, struct buf *out) {
    bool is_config = content == REDACT_SETTINGS && r->what & REDACT_CONFIG;
    size_t before = out->len;
    if (r->what & REDACT_CODE || is_config || content == REDACT_UNKNOWN) {
        add_shape(text, content, out);
    } else if (content != REDACT_GUARDS) {
        redact_add_lines(r, text, out);
    } else if (!redact_json(r, text, out)) {
        out->len = before;
        add_shape(text, content, out);
    }
}

void redact_stream(struct redact *r, struct slice folder, struct slice bytes, struct buf *out) {
    struct redact_moved *moved = redact_places_cut(&r->places, folder, bytes.len);
    size_t start = out->len;
    for (size_t i = 0; i < moved->count; i++) {
        struct redact_piece *piece = &moved->pieces[i];
        piece->moved_from = out->len - start;
        add_piece(r, slice_make(bytes.ptr + piece->from, piece->to - piece->from), piece->content, out);
    }
    moved->bytes = out->len - start;
}
