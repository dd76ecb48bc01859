#include "trace/compile_id.h"

#include "base/base.h"

/* Returns false if the part exists but is not an integer. */
static bool read_part(yyjson_val *envelope, const char *key, int64_t *part, bool *any) {
    yyjson_val *value = json_get(envelope, key);
    *part = PART_MISSING;
    if (!value)
        return true;
    *any = true;
    if (yyjson_is_null(value))
        return true;
    if (!yyjson_is_uint(value) || yyjson_get_uint(value) > UINT32_MAX)
        return false;
    *part = (int64_t)yyjson_get_uint(value);
    return true;
}

struct compile_id compile_id_read(yyjson_val *envelope) {
    struct compile_id id = {0};
    bool any = false;
    bool good = read_part(envelope, "compiled_autograd_id", &id.autograd, &any);
    good &= read_part(envelope, "frame_id", &id.frame, &any);
    good &= read_part(envelope, "frame_compile_id", &id.compile, &any);
    good &= read_part(envelope, "attempt", &id.attempt, &any);
    id.state = !good ? COMPILE_ID_BAD : any ? COMPILE_ID_GOOD : COMPILE_ID_NONE;
    return id;
}

static void add_part(struct buf *out, int64_t part) {
    if (part == PART_MISSING)
        buf_add_byte(out, '-');
    else
        buf_add_i64(out, part);
}

void compile_id_add(struct buf *out, const struct compile_id *id) {
    if (id->state == COMPILE_ID_BAD) {
        buf_add_lit(out, "unknown");
        return;
    }
    if (id->autograd != PART_MISSING) {
        buf_add_byte(out, '!');
        buf_add_i64(out, id->autograd);
        buf_add_byte(out, '/');
    }
    add_part(out, id->frame);
    buf_add_byte(out, '/');
    add_part(out, id->compile);
}

/* Removes a number, or "-" if it may be missing, and the slash after it. */
static bool skip_part(struct slice *text, bool may_be_missing, bool slash) {
    size_t len = digits_length(*text);
    if (!len && may_be_missing && slice_starts(*text, SLICE("-")))
        len = 1;
    *text = slice_from(*text, len);
    if (!len || !slash)
        return len > 0;
    bool good = slice_starts(*text, SLICE("/"));
    *text = slice_from(*text, good ? 1 : 0);
    return good;
}

bool compile_id_is_shown(struct slice text) {
    bool good = true;
    if (slice_is(text, "unknown"))
        return true;
    if (slice_starts(text, SLICE("!"))) {
        text = slice_from(text, 1);
        good = skip_part(&text, false, true);
    }
    return good && skip_part(&text, true, true) && skip_part(&text, true, false) && text.len == 0;
}

void compile_id_add_key(struct buf *out, const struct compile_id *id) {
    if (id->state == COMPILE_ID_BAD) {
        buf_add_lit(out, "unknown");
        return;
    }
    buf_add_byte(out, '[');
    compile_id_add(out, id);
    if (id->attempt > 0) {
        buf_add_byte(out, '_');
        buf_add_i64(out, id->attempt);
    }
    buf_add_byte(out, ']');
}

void compile_id_add_folder(struct buf *out, const struct compile_id *id, uint64_t line) {
    if (id->state == COMPILE_ID_BAD) {
        BUF_ADD(out, "unknown_", (uint64_t)line);
        return;
    }
    add_part(out, id->autograd);
    buf_add_byte(out, '_');
    add_part(out, id->frame);
    buf_add_byte(out, '_');
    add_part(out, id->compile);
    buf_add_byte(out, '_');
    add_part(out, id->attempt);
}
