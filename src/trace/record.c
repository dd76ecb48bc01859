#include "trace/record.h"

#include <md5.h>

void md5_of(struct slice text, unsigned char md5[MD5_BYTES]) {
    MD5_CTX context;
    MD5Init(&context);
    MD5Update(&context, (const uint8_t *)text.ptr, text.len);
    MD5Final(md5, &context);
}

static void hex_of(const unsigned char md5[MD5_BYTES], char hex[2 * MD5_BYTES]) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < MD5_BYTES; i++) {
        hex[2 * i] = digits[md5[i] >> 4];
        hex[2 * i + 1] = digits[md5[i] & 15];
    }
}

void md5_add_hex(struct buf *out, const unsigned char md5[MD5_BYTES]) {
    char hex[2 * MD5_BYTES];
    hex_of(md5, hex);
    buf_add(out, slice_make(hex, sizeof hex));
}

/* The state of an iteration over the lines of a block. */
struct walk {
    struct slice rest;
    uint32_t line; /* of the next line */
};

static bool next_line(struct walk *walk, struct slice *line) {
    if (!slice_next_line(&walk->rest, line))
        return false;
    walk->line++;
    return true;
}

static bool is_blank(struct slice line) {
    return line.len == 0 || (line.len == 1 && line.ptr[0] == '\r');
}

/* Whether the line belongs to the payload of a record with this lead. `text` is the part after the TAB. */
static bool payload_line(struct slice line, struct slice lead, struct slice *text) {
    if (line.ptr[0] == '\t') {
        *text = slice_from(line, 1);
        return true;
    }
    if (lead.len == 0 || line.len <= lead.len || line.ptr[lead.len] != '\t' || !slice_starts(line, lead))
        return false;
    struct glog glog;
    if (glog_parse(line, &glog))
        return false;
    *text = slice_from(line, lead.len + 1);
    return true;
}

/* Moves the following payload lines together, without their TABs. The result does not end with a newline. */
static struct slice take_payload(struct walk *walk, struct slice lead) {
    char *to = NULL, *start = NULL;
    for (;;) {
        struct walk ahead = *walk;
        struct slice line, text;
        if (!next_line(&ahead, &line))
            break;
        if (!is_blank(line)) {
            if (!payload_line(line, lead, &text))
                break;
            if (!start)
                start = to = (char *)(uintptr_t)text.ptr; /* the block's bytes may be modified */
            else
                *to++ = '\n';
            memmove(to, text.ptr, text.len);
            to += text.len;
        }
        *walk = ahead;
    }
    return start ? slice_make(start, (size_t)(to - start)) : SLICE("");
}

/* Removes the \r before each \n: the log passed through a system with different line endings. */
static struct slice without_returns(struct slice text, struct arena *arena) {
    char *copy = arena_alloc(arena, text.len + 1), *to = copy;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '\r' || (i + 1 < text.len && text.ptr[i + 1] != '\n'))
            *to++ = text.ptr[i];
    return slice_make(copy, (size_t)(to - copy));
}

static bool has_md5(const struct record *record) {
    char hex[2 * MD5_BYTES];
    hex_of(record->md5, hex);
    return slice_eq(record->claimed, slice_make(hex, sizeof hex));
}

/* record->md5 must be that of the payload. */
static void check_payload(struct record *record, struct arena *arena) {
    record->payload_good = has_md5(record);
    if (record->payload_good || !record->payload.len || !memchr(record->payload.ptr, '\r', record->payload.len))
        return;
    struct slice plain = without_returns(record->payload, arena);
    unsigned char md5[MD5_BYTES];
    memcpy(md5, record->md5, sizeof md5);
    md5_of(plain, record->md5);
    if ((record->payload_good = has_md5(record)))
        record->payload = plain;
    else
        memcpy(record->md5, md5, sizeof md5);
}

static void read_envelope(struct record *record, struct arena *arena) {
    record->envelope = slice_trim(record->glog.rest);
    json_read(&record->envelope, JSON_NUMBERS, arena, &record->root);
    if (!yyjson_is_obj(record->root)) {
        record->root = NULL;
        if (json_has_too_many_values(record->envelope))
            record->too_large = "record with more than 4 million values left out";
        return;
    }
    record->id = compile_id_read(record->root);
    record->has_rank = json_to_u64(json_get(record->root, "rank"), &record->rank);
    yyjson_val *claimed = json_get(record->root, "has_payload");
    record->has_payload = claimed != NULL;
    record->claimed = json_text(claimed);
}

static void add_stray(struct records *records, uint32_t line, struct slice text) {
    if (records->strays.count) {
        struct stray *last = &records->strays.items[records->strays.count - 1];
        if (last->line + last->count == line) {
            last->count++;
            last->last = text;
            return;
        }
    }
    LIST_ADD(&records->strays, (struct stray){line, 1, text, text});
}

void split_block(struct slice block, struct arena *arena, struct records *records) {
    struct walk walk = {block, 0};
    struct slice line;
    records->count = records->strays.count = 0;
    while (next_line(&walk, &line)) {
        struct record record = {.line = walk.line - 1};
        if (is_blank(line))
            continue;
        if (!glog_parse(line, &record.glog)) {
            add_stray(records, record.line, line);
            continue;
        }
        read_envelope(&record, arena);
        if (record.has_payload)
            record.payload = take_payload(&walk, record.glog.lead);
        size_t taken = (size_t)(walk.rest.ptr - line.ptr);
        record.log_bytes = taken > UINT32_MAX ? UINT32_MAX : (uint32_t)taken;
        LIST_ADD(records, record);
    }
    records->lines = walk.line;
}

void hash_payloads(struct records *const *blocks, size_t count) {
    LIST(struct md5_text) texts = {0};
    for (size_t b = 0; b < count; b++)
        for (size_t i = 0; i < blocks[b]->count; i++)
            if (blocks[b]->items[i].has_payload)
                LIST_ADD(&texts, (struct md5_text){.text = blocks[b]->items[i].payload});
    md5_many(texts.items, texts.count);
    size_t next = 0;
    for (size_t b = 0; b < count; b++)
        for (size_t i = 0; i < blocks[b]->count; i++)
            if (blocks[b]->items[i].has_payload)
                memcpy(blocks[b]->items[i].md5, texts.items[next++].md5, MD5_BYTES);
    mem_free(texts.items);
}

void decode_records(struct records *records, struct arena *arena, record_decoder *decoder, bool details) {
    for (size_t i = 0; i < records->count; i++) {
        struct record *record = &records->items[i];
        record->details = details;
        if (record->has_payload)
            check_payload(record, arena);
        if (record->root && decoder)
            record->nodes = decoder(record, arena);
    }
}

void decode_block(struct slice block, struct arena *arena, record_decoder *decoder, struct records *records) {
    split_block(block, arena, records);
    hash_payloads(&records, 1);
    decode_records(records, arena, decoder, true);
}

void records_finish(struct records *records) {
    mem_free(records->items);
    mem_free(records->strays.items);
    *records = (struct records){0};
}
