#include "extract/clean_log.h"

#include "base/json.h"
#include "base/text.h"
#include "share/redact_parts.h"
#include "share/redact_path.h"

void clean_log_begin(struct clean_log *log) {
    *log = (struct clean_log){0};
    redact_init(&log->redact, REDACT_PATHS | REDACT_NAMES);
}

/* The text of {"str": ["/x/y.py", 3]}; ptr is NULL if it is none. */
static struct slice interned(const struct record *record) {
    yyjson_val *pair = json_get(record->root, "str");
    return yyjson_is_arr(pair) ? json_text(yyjson_arr_get(pair, 0)) : (struct slice){0};
}

/* Whether the payload is JSON. Sets *json to it, with limits on depth and values, in the arena or in the record. */
static bool read_json(struct slice payload, struct arena *arena, struct slice *json) {
    yyjson_val *root;
    struct slice text = slice_trim(payload);
    if (!text.len || (text.ptr[0] != '{' && text.ptr[0] != '['))
        return false;
    *json = text;
    return json_read(json, JSON_NUMBERS_RAW, arena, &root) != JSON_BAD;
}

void clean_log_learn(struct clean_log *log, const struct record *record) {
    AUTO_ARENA arena = {0};
    struct slice json, path = interned(record);
    if (!record->root)
        return;
    if (path.ptr && redact_is_whole_path(path))
        redact_learn_path(&log->redact, path);
    redact_learn(&log->redact, record->envelope);
    if (read_json(record->payload, &arena, &json))
        redact_learn(&log->redact, json);
}

/* The payload: JSON, or lines of text. */
static void add_payload(struct clean_log *log, const struct record *record, struct buf *out) {
    AUTO_ARENA arena = {0};
    struct slice json;
    size_t before = out->len;
    if (read_json(record->payload, &arena, &json) && redact_json(&log->redact, json, out))
        return;
    out->len = before;
    redact_add_lines(&log->redact, record->payload, out);
}

/* Adds a member that redact_json() would take for a sentence. */
static void add_interned(struct clean_log *log, const struct record *record, struct buf *out) {
    AUTO_BUF path = {0};
    struct slice text = interned(record);
    if (redact_is_whole_path(text))
        redact_add_whole_path(&log->redact, text, &path);
    else
        redact_add_text(&log->redact, text, REDACT_SENTENCE, &path);
    buf_add_lit(out, "{\"str\": [");
    json_add_string(out, buf_slice(&path));
    buf_add_lit(out, ", ");
    json_add_value(out, yyjson_arr_get(json_get(record->root, "str"), 1));
    buf_add_lit(out, "]}");
}

/* Replaces the MD5 of the payload, which the envelope states. */
static void add_md5(struct buf *out, size_t envelope, struct slice payload, struct slice claimed) {
    static const struct slice key = SLICE_INIT("\"has_payload\":\"");
    struct slice text = slice_from(buf_slice(out), envelope);
    size_t at = slice_find(text, key);
    unsigned char md5[MD5_BYTES];
    AUTO_BUF hex = {0};
    if (at == SIZE_MAX || claimed.len != 2 * (size_t)MD5_BYTES)
        return;
    md5_of(payload, md5);
    md5_add_hex(&hex, md5);
    size_t from = envelope + at + key.len;
    size_t end = slice_find(slice_from(buf_slice(out), from), SLICE("\""));
    AUTO_BUF behind = {0};
    buf_add(&behind, slice_from(buf_slice(out), from + (end == SIZE_MAX ? 0 : end)));
    out->len = from;
    buf_add(out, buf_slice(&hex));
    buf_add(out, buf_slice(&behind));
}

static void add_prefix(struct clean_log *log, const struct glog *glog, struct buf *out) {
    AUTO_BUF path = {0};
    bool own = slice_starts(glog->pathname, SLICE("torch/"));
    if (own)
        buf_add(&path, glog->pathname);
    else
        redact_add_text(&log->redact, glog->pathname, REDACT_SENTENCE, &path);
    for (size_t i = 0; i < path.len; i++)
        if (path.ptr[i] == ' ')
            path.ptr[i] = '_';
    BUF_ADD(out, "V", glog->date, " ", glog->time, " ", glog->thread, " ", buf_slice(&path));
    BUF_ADD(out, ":", glog->lineno, "] ");
}

void clean_log_add(struct clean_log *log, const struct record *record, struct buf *out) {
    if (!record->root || record->too_large) {
        log->unreadable++;
        return;
    }
    size_t before = out->len;
    add_prefix(log, &record->glog, out);
    size_t envelope = out->len;
    if (interned(record).ptr) {
        add_interned(log, record, out);
    } else if (!redact_json(&log->redact, record->envelope, out)) {
        out->len = before;
        log->unreadable++;
        return;
    }
    if (!record->has_payload) {
        buf_add_byte(out, '\n');
        return;
    }
    log->payload.len = 0;
    add_payload(log, record, &log->payload);
    add_md5(out, envelope, buf_slice(&log->payload), record->claimed);
    buf_add_byte(out, '\n');
    struct slice rest = buf_slice(&log->payload);
    for (size_t end = 0; end != SIZE_MAX; rest = slice_from(rest, end + 1)) { /* an empty last line counts */
        end = slice_find(rest, SLICE("\n"));
        BUF_ADD(out, "\t", slice_first(rest, end), "\n");
        if (end == SIZE_MAX)
            break;
    }
}

void clean_log_finish(struct clean_log *log) {
    redact_finish(&log->redact);
    buf_free(&log->payload);
}
