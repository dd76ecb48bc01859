/* follow/cutter: a log that grows in any pieces has the records of the whole log, and none too early. */
#define _GNU_SOURCE
#include "support.h"

#include "base/mem.h"
#include "follow/cutter.h"
#include "trace/block.h"

#define NAMED "{\"artifact\": {\"name\": \"a\"}, " ID0 ", \"has_payload\": \"%s\"}\n"

/* Describes the records and stray lines of whole blocks, one line of text each. */
static void describe(struct buf *out, struct slice block) {
    struct arena arena = {0};
    struct records records = {0};
    struct buf bytes = {0};
    buf_add(&bytes, block);
    decode_block(buf_slice(&bytes), &arena, NULL, &records);
    size_t s = 0;
    for (size_t r = 0; r <= records.count; r++) {
        const struct record *record = r < records.count ? &records.items[r] : NULL;
        for (; s < records.strays.count && (!record || records.strays.items[s].line < record->line); s++)
            for (uint32_t i = 0; i < records.strays.items[s].count; i++)
                buf_add_lit(out, "stray\n");
        if (!record)
            break;
        buf_addf(out, "record %d %d ", record->root != NULL, record->payload_good);
        buf_add(out, record->envelope);
        buf_add(out, record->payload.ptr ? record->payload : SLICE(" none"));
        buf_add_byte(out, '\n');
    }
    records_finish(&records);
    arena_free(&arena);
    buf_free(&bytes);
}

static void add_payload(struct buf *log, struct slice payload) {
    unsigned char md5[MD5_BYTES];
    struct buf hex = {0};
    struct slice line, rest = payload;
    md5_of(payload, md5);
    md5_add_hex(&hex, md5);
    buf_addf(log, PREFIX "{\"artifact\": {\"name\": \"a\"}, " ID0 ", \"has_payload\": \"%.*s\"}\n", (int)hex.len,
             hex.ptr);
    while (slice_next_line(&rest, &line)) {
        buf_add_byte(log, '\t');
        buf_add(log, line);
        buf_add_byte(log, '\n');
    }
    buf_free(&hex);
}

/* Records with and without payload, characters of several bytes, text outside of records, damage. */
static struct buf sample(void) {
    struct buf log = {0};
    buf_add_lit(&log, "text before\n" PREFIX "{\"str\": [\"/a/\xc3\xa9t\xc3\xa9.py\", 0]}\n");
    add_payload(&log, SLICE("line 1\n\xe2\x80\x9cquoted\xe2\x80\x9d\n\nV1206 not a record\nlast"));
    buf_add_lit(&log, PREFIX "{\"dynamo_start\": {\"stack\": []}, " ID0 "}\n");
    add_payload(&log, SLICE(""));
    buf_addf(&log, PREFIX NAMED "\tother text\n", "00000000000000000000000000000000");
    buf_add_lit(&log, PREFIX "{\"broken\": \n[rank0]: text between\n");
    add_payload(&log, SLICE("\xf0\x9f\x94\xa5"));
    buf_add_lit(&log, PREFIX "{\"compilation_metrics\": {}, " ID0 "}\n");
    return log;
}

static void add(struct cutter *cutter, struct slice piece, struct buf *records) {
    if (piece.len)
        memcpy(cutter_room(cutter, piece.len), piece.ptr, piece.len);
    cutter_added(cutter, piece.len, records);
}

static void pieces_change_nothing(void **state) {
    struct buf log = sample(), expected = {0};
    (void)state;
    describe(&expected, buf_slice(&log));
    for (size_t size = 1; size <= log.len; size++) {
        struct cutter cutter = {0};
        struct buf records = {0}, all = {0}, got = {0};
        for (size_t at = 0; at < log.len; at += size) {
            records.len = 0;
            add(&cutter, slice_first(slice_from(buf_slice(&log), at), size), &records);
            if (size % 3 == 0) /* also where the log is quiet after each piece */
                cutter_prove(&cutter, &records);
            buf_add(&all, buf_slice(&records));
            describe(&got, buf_slice(&records));
        }
        records.len = 0;
        cutter_flush(&cutter, &records);
        buf_add(&all, buf_slice(&records));
        describe(&got, buf_slice(&records));
        assert_slices(buf_slice(&all), buf_slice(&log));
        assert_slices(buf_slice(&got), buf_slice(&expected));
        cutter_free(&cutter);
        buf_free(&records);
        buf_free(&all);
        buf_free(&got);
    }
    buf_free(&log);
    buf_free(&expected);
}

/* Wherever the writer pauses, what is complete is what the whole log has there. */
static void nothing_is_taken_too_early(void **state) {
    struct buf log = sample(), expected = {0};
    size_t proven = 0;
    (void)state;
    describe(&expected, buf_slice(&log));
    for (size_t at = 0; at <= log.len; at++) {
        struct cutter cutter = {0};
        struct buf records = {0}, got = {0};
        add(&cutter, slice_first(buf_slice(&log), at), &records);
        cutter_prove(&cutter, &records);
        describe(&got, buf_slice(&records));
        proven += got.len == expected.len;
        assert_true(slice_starts(buf_slice(&expected), buf_slice(&got)));
        cutter_free(&cutter);
        buf_free(&records);
        buf_free(&got);
    }
    assert_int_equal(proven, 1); /* only the whole log has all records */
    buf_free(&log);
    buf_free(&expected);
}

/* The record after which the program hangs is not held back: its payload has the announced MD5. */
static void the_last_record_is_proven(void **state) {
    struct cutter cutter = {0};
    struct buf log = {0}, records = {0};
    (void)state;
    add_payload(&log, SLICE("code"));
    add(&cutter, slice_first(buf_slice(&log), log.len - 1), &records);
    cutter_prove(&cutter, &records);
    assert_int_equal(records.len, 0);
    add(&cutter, slice_from(buf_slice(&log), log.len - 1), &records);
    assert_int_equal(records.len, 0);
    cutter_prove(&cutter, &records);
    assert_slices(buf_slice(&records), buf_slice(&log));
    cutter_prove(&cutter, &records);
    assert_int_equal(records.len, log.len);
    cutter_free(&cutter);
    buf_free(&records);
    buf_free(&log);
}

/* A file that is no log does not stay in memory. */
static void text_without_records_passes(void **state) {
    struct cutter cutter = {0};
    struct buf records = {0};
    (void)state;
    for (size_t i = 0; i < 200000; i++) {
        struct slice line = SLICE("a line of a program that prints a lot, and no record at all\n");
        add(&cutter, line, &records);
    }
    assert_true(records.len > BLOCK_JUNK_BYTES / 2);
    assert_true(cutter.waiting.len <= 2 * BLOCK_JUNK_BYTES);
    cutter_free(&cutter);
    buf_free(&records);
}

/* A long line keeps its start and its end of line, in pieces of any size, and is no obstacle to the records around it. */
static void long_lines_are_cut(void **state) {
    static const struct {
        const char *start;
        size_t kept, pieces; /* of 1 MiB; the rest of the line is left out */
    } lines[] = {{"rubbish", 64 << 10, 9},
                 {PREFIX "{\"artifact\": \"", BLOCK_HEAD_MAX + (64 << 10), 20},
                 {"rubbish", 0, 3}};
    enum { PIECE = 1 << 20 };
    char *piece = mem_alloc(PIECE);
    (void)state;
    memset(piece, 'x', PIECE);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct cutter cutter = {0};
        struct buf around = {0}, records = {0};
        add_payload(&around, SLICE("code"));
        add(&cutter, buf_slice(&around), &records);
        add(&cutter, slice_str(lines[i].start), &records);
        for (size_t p = 0; p < lines[i].pieces; p++)
            add(&cutter, slice_make(piece, PIECE), &records);
        assert_true(lines[i].kept == 0 || cutter.waiting.len == lines[i].kept);
        cutter_prove(&cutter, &records); /* the line has not ended */
        add(&cutter, SLICE("end\n"), &records);
        add(&cutter, buf_slice(&around), &records);
        cutter_flush(&cutter, &records);
        size_t line = strlen(lines[i].start) + lines[i].pieces * PIECE + strlen("end");
        size_t kept = lines[i].kept ? lines[i].kept : line;
        assert_int_equal(cutter.left_out, line - kept);
        assert_int_equal(records.len, 2 * around.len + kept + 1);
        assert_true(slice_starts(buf_slice(&records), buf_slice(&around)));
        assert_true(slice_ends(buf_slice(&records), buf_slice(&around)));
        assert_int_equal(records.ptr[around.len + kept], '\n');
        cutter_free(&cutter);
        buf_free(&around);
        buf_free(&records);
    }
    mem_free(piece);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_change_nothing),     cmocka_unit_test(nothing_is_taken_too_early),
        cmocka_unit_test(the_last_record_is_proven), cmocka_unit_test(text_without_records_passes),
        cmocka_unit_test(long_lines_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
