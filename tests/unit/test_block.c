/* trace/block: splitting a log into blocks changes nothing. */
#define _GNU_SOURCE
#include "support.h"

#include "trace/block.h"

/* Describes the records and stray lines of a log: one line of text for each record and each run of stray lines. */
struct described {
    struct buf text;
    uint64_t line;                /* the first of the next block */
    uint64_t stray, stray_before; /* the stray lines that are not in the text: [stray, stray_before) */
};

static void flush_strays(struct described *out) {
    if (out->stray_before > out->stray)
        buf_addf(&out->text, "%llu to %llu stray\n", (unsigned long long)out->stray,
                 (unsigned long long)out->stray_before - 1);
    out->stray = out->stray_before;
}

/* A run of stray lines may continue that of the previous block: where blocks end must not show in the text. */
static void add_strays(struct described *out, uint64_t line, uint32_t count) {
    if (line != out->stray_before) {
        flush_strays(out);
        out->stray = line;
    }
    out->stray_before = line + count;
}

static void add_record(struct described *out, const struct record *record) {
    flush_strays(out);
    buf_addf(&out->text, "%llu record %u %d ", (unsigned long long)out->line + record->line, record->log_bytes,
             record->payload_good);
    buf_add(&out->text, record->envelope);
    buf_add(&out->text, record->payload.ptr ? record->payload : SLICE(" none"));
    buf_add_byte(&out->text, '\n');
}

static void add_block(struct described *out, struct slice block) {
    struct arena arena = {0};
    struct records records = {0};
    size_t s = 0;
    struct buf bytes = {0};
    buf_add(&bytes, block);
    decode_block(buf_slice(&bytes), &arena, NULL, &records);
    for (size_t r = 0; r <= records.count; r++) {
        const struct record *record = r < records.count ? &records.items[r] : NULL;
        for (; s < records.strays.count && (!record || records.strays.items[s].line < record->line); s++)
            add_strays(out, out->line + records.strays.items[s].line, records.strays.items[s].count);
        if (!record)
            break;
        add_record(out, record);
    }
    out->line += records.lines;
    records_finish(&records);
    arena_free(&arena);
    buf_free(&bytes);
}

/* How the reader holds a long record. */
static struct held held;
static size_t held_from;

static int open_file(void *context) {
    FILE *file = tmpfile();
    (void)context;
    assert_non_null(file);
    int fd = dup(fileno(file));
    fclose(file);
    return fd;
}

/* One that can only be read. */
static int open_full(void *context) {
    (void)context;
    return open(scratch_path("log"), O_RDONLY);
}

static int open_none(void *context) {
    (void)context;
    return -1;
}

static int hold_nothing(void **state) {
    (void)state;
    held = (struct held){0};
    held_from = 0;
    return 0;
}

/* The same for the log in scratch/log, read in blocks of that size. Counts the blocks and checks that their bytes are
 * the log's. */
static struct buf read_blocks(struct slice log, size_t block_bytes, size_t *count, size_t *largest) {
    struct source source;
    struct err err = {0};
    struct described out = {.line = 1};
    struct buf block = {0}, all = {0};
    bool more;
    *count = *largest = 0;
    assert_true(source_open(&source, scratch_path("log"), &err));
    struct block_reader reader = {.source = &source, .block_bytes = block_bytes, .held = held, .held_from = held_from};
    for (;; ++*count) {
        assert_true(block_read(&reader, &block, &more, &err));
        if (!more)
            break;
        assert_true(block.len > 0);
        *largest = block.len > *largest ? block.len : *largest;
        buf_add(&all, buf_slice(&block));
        add_block(&out, buf_slice(&block));
    }
    flush_strays(&out);
    assert_slices(buf_slice(&all), log);
    assert_true(block_read(&reader, &block, &more, &err) && !more); /* stays at the end */
    block_reader_finish(&reader);
    source_close(&source);
    buf_free(&block);
    buf_free(&all);
    return out.text;
}

/* The same for a log that is a single block. */
static struct buf describe(struct slice log) {
    struct described out = {.line = 1};
    add_block(&out, log);
    flush_strays(&out);
    return out.text;
}

/* A log with everything at which a split could go wrong. */
static struct buf make_log(void) {
    struct buf log = {0};
    log_line(&log, "junk before\n\tand an orphan\n");
    log_payload(&log, "\"a\": 1", "one\n\n\ttwo\n" PREFIX "{\"no\": 1}\nlast");
    log_line(&log, "\n\r\n");
    log_record(&log, "\"b\": 1");
    log_line(&log, "\torphan\n\t" PREFIX "{\"indented\": 1}\n\tits payload or not");
    log_payload_lead(&log, "[rank0]:", "\"c\": 1", SLICE("one\n" PREFIX "{\"d\": 1}\nthree"));
    log_line(&log, "[rank0]:\tmore of it");
    log_payload_lead(&log, "\t", "\"e\": 1", SLICE("odd"));
    log_line(&log, "text\r");
    log_payload(&log, "\"f\": 1", "");
    log_line(&log, PREFIX "{\"g\": ");
    log_line(&log, "\tpayload of a broken record");
    log_line(&log, PREFIX "{\"has_payload\": \"x\"}\r\n\tcrlf\r\n\t\r\n\r");
    log_payload(&log, "\"h\": 1", "\n\n\n");
    buf_add_lit(&log, "\0\xff junk without a newline");
    return log;
}

static void gives_the_same_for_any_size(void **state) {
    (void)state;
    struct buf log = make_log(), whole = describe(buf_slice(&log));
    size_t count, largest;
    write_file(scratch_path("log"), buf_slice(&log));
    assert_has(buf_slice(&whole), "stray");
    for (size_t bytes = 1; bytes <= 4096;
         bytes = bytes == log.len + 8 ? 4096 : bytes + 1) { /* larger sizes are equivalent */
        struct buf got = read_blocks(buf_slice(&log), bytes, &count, &largest);
        if (!slice_eq(buf_slice(&got), buf_slice(&whole)))
            fail_msg("blocks of %zu bytes differ: %.*s\nis not\n%.*s", bytes, SLICE_ARG(buf_slice(&got)),
                     SLICE_ARG(buf_slice(&whole)));
        assert_true(bytes > 1 || count > 3);
        assert_true(bytes <= log.len || count == 1);
        buf_free(&got);
    }
    buf_free(&log);
    buf_free(&whole);
}

static void gives_the_same_when_records_are_held(void **state) {
    static int (*const opens[])(void *context) = {NULL, open_none, open_full, open_file};
    static const size_t block_bytes[] = {1, 7, 64, 500};
    struct buf log = make_log(), whole = describe(buf_slice(&log));
    size_t count, largest;
    (void)state;
    write_file(scratch_path("log"), buf_slice(&log));
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++)
        for (held_from = 1; held_from < 400; held_from += held_from < 20 ? 1 : 37)
            for (size_t b = 0; b < sizeof block_bytes / sizeof *block_bytes; b++) {
                held = (struct held){.open = opens[i]};
                struct buf got = read_blocks(buf_slice(&log), block_bytes[b], &count, &largest);
                assert_slices(buf_slice(&got), buf_slice(&whole));
                buf_free(&got);
            }
    buf_free(&log);
    buf_free(&whole);
}

/* A log truncated anywhere, in small blocks. */
static void gives_the_same_for_any_cut(void **state) {
    (void)state;
    struct buf log = make_log();
    for (size_t len = 0; len <= log.len; len++) {
        size_t count, largest;
        struct slice cut = slice_first(buf_slice(&log), len);
        struct buf whole = describe(cut);
        write_file(scratch_path("log"), cut);
        struct buf got = read_blocks(cut, 64, &count, &largest);
        assert_slices(buf_slice(&got), buf_slice(&whole));
        assert_true(len > 0 || count == 0);
        buf_free(&got);
        buf_free(&whole);
    }
    buf_free(&log);
}

static void keeps_blocks_small(void **state) {
    (void)state;
    enum { BYTES = 4096 };
    struct buf log = {0};
    size_t count, largest;
    for (int i = 0; i < 2000; i++)
        log_payload(&log, "\"a\": 1", "some payload\nof two lines");
    write_file(scratch_path("log"), buf_slice(&log));
    struct buf got = read_blocks(buf_slice(&log), BYTES, &count, &largest);
    assert_true(count >= log.len / BYTES && count <= 2 * log.len / BYTES);
    assert_true(largest <= BYTES);
    buf_free(&got);
    buf_free(&log);
}

static void grows_for_a_large_record(void **state) {
    (void)state;
    enum { LINES = 3000 };
    struct buf log = {0}, payload = {0};
    size_t count, largest;
    for (int i = 0; i < LINES; i++)
        buf_addf(&payload, "line %d\n", i);
    log_record(&log, "\"a\": 1");
    log_payload_lead(&log, "", "\"b\": 1", buf_slice(&payload));
    log_record(&log, "\"c\": 1");
    log_record(&log, "\"d\": 1");
    write_file(scratch_path("log"), buf_slice(&log));
    struct buf got = read_blocks(buf_slice(&log), 100, &count, &largest);
    assert_true(count >= 2);
    assert_true(largest > payload.len);
    assert_has(buf_slice(&got), "line 2999");
    assert_has(buf_slice(&got), " 1 {\"b\": 1");
    buf_free(&got);
    buf_free(&payload);
    buf_free(&log);
}

enum { JUNK_BLOCK = 2 * BLOCK_JUNK_BYTES, JUNK_BYTES = JUNK_BLOCK + (64 << 10) };

/* Adds copies of the line, many at a time. If they were not split, a block would exceed JUNK_BLOCK. */
static void add_junk(struct buf *log, const char *line) {
    struct buf lines = {0};
    while (lines.len < (size_t)64 << 10)
        buf_add_str(&lines, line);
    while (log->len < JUNK_BYTES)
        buf_add(log, buf_slice(&lines));
    buf_free(&lines);
}

/* Junk is split, too, although no record starts in it: memory does not grow with it. */

static void bounds_junk(void **state) {
    (void)state;
    static const char *const junk[] = {"some text that is no record\n", "\tsome text that is no record\n", "\n",
                                       "[rank0]:\torphan\n"};
    for (size_t k = 0; k < sizeof junk / sizeof *junk; k++) {
        struct buf log = {0};
        size_t count, largest;
        log_payload(&log, "\"a\": 1", "one");
        log_line(&log, "junk");
        add_junk(&log, junk[k]);
        log_payload(&log, "\"b\": 1", "two");
        write_file(scratch_path("log"), buf_slice(&log));
        struct buf got = read_blocks(buf_slice(&log), 256 * 1024, &count, &largest);
        assert_true(largest <= JUNK_BLOCK);
        assert_has(buf_slice(&got), "{\"a\": 1");
        assert_has(buf_slice(&got), "{\"b\": 1");
        buf_free(&got);
        buf_free(&log);
    }
}

/* The same after a record without payload: TABs that follow it are junk. */
static void bounds_orphans(void **state) {
    (void)state;
    struct buf log = {0};
    size_t count, largest;
    log_record(&log, "\"a\": 1");
    add_junk(&log, "\torphan of a record without payload\n");
    log_record(&log, "\"b\": 1");
    write_file(scratch_path("log"), buf_slice(&log));
    struct buf got = read_blocks(buf_slice(&log), 256 * 1024, &count, &largest);
    assert_true(largest <= JUNK_BLOCK);
    buf_free(&got);
    buf_free(&log);
}

/* ---- limits ------------------------------------------------------------------------------------------------------- */

static bool keep_tee(void *context, struct slice bytes) {
    buf_add(context, bytes);
    return true;
}

/* The lines of the records that are kept and left out, as the pipeline decides it. */
static struct buf list_records(struct slice log, size_t block_bytes, size_t record_max, size_t *largest) {
    struct source source;
    struct err err = {0};
    struct buf out = {0}, block = {0}, all = {0};
    struct arena arena = {0};
    struct records records = {0};
    uint64_t line = 1;
    bool more;
    *largest = 0;
    assert_true(source_open(&source, scratch_path("log"), &err));
    struct block_reader reader = {.source = &source,
                                  .block_bytes = block_bytes,
                                  .record_max = record_max,
                                  .held = held,
                                  .held_from = held_from,
                                  .tee = keep_tee,
                                  .context = &all};
    for (;;) {
        assert_true(block_read(&reader, &block, &more, &err));
        if (!more)
            break;
        *largest = block.cap > *largest ? block.cap : *largest;
        line += reader.lines_before;
        decode_block(buf_slice(&block), &arena, NULL, &records);
        for (size_t i = 0, s = 0; i <= records.count; i++) {
            const struct record *record = i < records.count ? &records.items[i] : NULL;
            for (; s < records.strays.count && (!record || records.strays.items[s].line < record->line); s++)
                for (uint32_t l = 0; l < records.strays.items[s].count; l++)
                    buf_addf(&out, "%llu stray\n", (unsigned long long)line + records.strays.items[s].line + l);
            if (!record)
                break;
            bool left = reader.too_large || record->log_bytes > record_max;
            buf_addf(&out, "%llu %s\n", (unsigned long long)line + record->line, left ? "left out" : "kept");
            assert_true(left || !record->has_payload || record->payload_good);
        }
        assert_true(!reader.too_large || (records.count == 1 && records.strays.count == 0));
        line += records.lines;
        arena_reset(&arena);
    }
    assert_slices(buf_slice(&all), log);
    block_reader_finish(&reader);
    source_close(&source);
    records_finish(&records);
    arena_free(&arena);
    buf_free(&block);
    buf_free(&all);
    return out;
}

static const char *text_of(struct buf *text) {
    buf_add_byte(text, '\0');
    text->len--;
    return text->ptr;
}

static void add_many(struct buf *out, char c, size_t count) {
    memset(buf_reserve(out, count), c, count);
    out->len += count;
}

static void leaves_out_large_records(void **state) {
    enum { MAX = 100000 };
    static const char expected[] = "1 kept\n2 left out\n4 kept\n5 left out\n1006 stray\n1007 kept\n1008 left out\n"
                                   "3009 kept\n3010 stray\n3011 left out\n";
    static const size_t block_bytes[] = {64, 1000, 4096, 1 << 16, 1 << 18, 1 << 22};
    struct buf log = {0}, payload = {0};
    (void)state;
    log_record(&log, "\"a\": 1");
    add_many(&payload, 'x', 3 * MAX);
    log_payload(&log, "\"one_line\": 1", text_of(&payload));
    log_record(&log, "\"b\": 1");
    payload.len = 0;
    for (int i = 0; i < 1000; i++)
        buf_addf(&payload, "%s%0300d", i ? "\n" : "", i);
    log_payload(&log, "\"many_lines\": 1", text_of(&payload));
    log_line(&log, "text");
    log_record(&log, "\"c\": 1");
    payload.len = 0;
    for (int i = 0; i < 1000; i++)
        buf_addf(&payload, "%s%0300d\n", i ? "\n" : "", i); /* with empty lines */
    log_payload_lead(&log, "[rank0]:", "\"lead\": 1", buf_slice(&payload));
    log_record(&log, "\"d\": 1");
    log_line(&log, "text");
    payload.len = 0;
    add_many(&payload, 'z', 5 * MAX);
    log_payload(&log, "\"at_the_end\": 1", text_of(&payload));
    write_file(scratch_path("log"), buf_slice(&log));
    for (size_t i = 0; i < sizeof block_bytes / sizeof *block_bytes; i++) {
        size_t largest;
        struct buf got = list_records(buf_slice(&log), block_bytes[i], MAX, &largest);
        print_message("# blocks of %zu bytes\n", block_bytes[i]);
        assert_slices(buf_slice(&got), slice_str(expected));
        assert_true(largest <= 8 * MAX || largest <= 2 * block_bytes[i]);
        buf_free(&got);
        if (block_bytes[i] > MAX)
            continue;
        for (held_from = 1; held_from <= 10000; held_from *= 100) {
            held = (struct held){.open = open_file};
            got = list_records(buf_slice(&log), block_bytes[i], MAX, &largest);
            assert_slices(buf_slice(&got), slice_str(expected));
            buf_free(&got);
        }
        held_from = 0;
        held = (struct held){0};
    }
    /* exactly as large as allowed, and one byte too large */
    for (size_t over = 0; over < 2; over++) {
        log.len = payload.len = 0;
        log_payload(&log, "\"a\": 1", "x");
        add_many(&payload, 'x', MAX - log.len + 1 + over);
        log.len = 0;
        log_payload(&log, "\"a\": 1", text_of(&payload));
        assert_int_equal(log.len, MAX + over);
        log_record(&log, "\"b\": 1");
        write_file(scratch_path("log"), buf_slice(&log));
        for (size_t i = 0; i < sizeof block_bytes / sizeof *block_bytes; i++) {
            size_t largest;
            struct buf got = list_records(buf_slice(&log), block_bytes[i], MAX, &largest);
            assert_slices(buf_slice(&got), slice_str(over ? "1 left out\n3 kept\n" : "1 kept\n3 kept\n"));
            buf_free(&got);
        }
    }
    buf_free(&log);
    buf_free(&payload);
}

/* What is held in a file takes no memory, and a record that is kept comes back whole. */
static void holds_large_records_in_a_file(void **state) {
    enum { MAX = 3000000 };
    struct buf log = {0}, payload = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        payload.len = 0;
        for (int l = 0; l < (i == 1 ? 40000 : 20000); l++)
            buf_addf(&payload, "%s%0100d", l ? "\n" : "", l);
        log_payload(&log, "\"a\": 1", text_of(&payload));
    }
    write_file(scratch_path("log"), buf_slice(&log));
    for (int filed = 0; filed < 2; filed++) {
        size_t largest;
        held = (struct held){.open = filed ? open_file : NULL};
        held_from = 100000;
        struct buf got = list_records(buf_slice(&log), 4096, MAX, &largest);
        assert_slices(buf_slice(&got), SLICE("1 kept\n20002 left out\n60003 kept\n"));
        assert_true(largest >= 2020000 && (largest < MAX) == filed);
        buf_free(&got);
    }
    buf_free(&log);
    buf_free(&payload);
}

/* An envelope, and lines that are no records: memory stays far below their length. */
static void leaves_out_long_lines(void **state) {
    struct buf log = {0};
    size_t largest;
    (void)state;
    log_payload(&log, "\"a\": 1", "x");
    add_many(&log, 'j', 30 << 20);
    log_line(&log, "");
    log_line(&log, "\tan orphan");
    log_record(&log, "\"b\": 1");
    struct buf head = {0};
    buf_add_lit(&head, "\"c\": \"");
    add_many(&head, 'c', 40 << 20);
    buf_add_lit(&head, "\"");
    log_payload(&log, text_of(&head), "its\npayload");
    buf_free(&head);
    log_record(&log, "\"d\": 1");
    log_line(&log, "text");
    add_many(&log, 'j', 10 << 20);
    write_file(scratch_path("log"), buf_slice(&log));
    struct buf got = list_records(buf_slice(&log), 4096, BLOCK_RECORD_MAX, &largest);
    assert_slices(buf_slice(&got), SLICE("1 kept\n3 stray\n4 stray\n5 kept\n6 left out\n9 kept\n10 stray\n11 stray\n"));
    assert_true(largest <= 2 * BLOCK_HEAD_MAX);
    buf_free(&got);
    buf_free(&log);
}

static void reports_failed_reads(void **state) {
    (void)state;
    struct buf block = {0}, log = {0};
    struct err err = {0};
    struct source source;
    bool more = true;
    log_record(&log, "\"a\": 1");
    write_file(scratch_path("log"), buf_slice(&log));
    assert_true(source_open(&source, scratch_path("log"), &err));
    int folder = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(dup2(folder, source.fd) >= 0); /* reading a folder is an error */
    struct block_reader reader = {.source = &source, .block_bytes = 4096};
    assert_false(block_read(&reader, &block, &more, &err));
    assert_int_equal(err.code, ERR_INPUT);
    close(folder);
    block_reader_finish(&reader);
    source_close(&source);
    buf_free(&block);
    buf_free(&log);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_same_for_any_size),
        cmocka_unit_test_teardown(gives_the_same_when_records_are_held, hold_nothing),
        cmocka_unit_test(gives_the_same_for_any_cut),
        cmocka_unit_test(keeps_blocks_small),
        cmocka_unit_test(grows_for_a_large_record),
        cmocka_unit_test(bounds_junk),
        cmocka_unit_test(bounds_orphans),
        cmocka_unit_test(leaves_out_large_records),
        cmocka_unit_test_teardown(holds_large_records_in_a_file, hold_nothing),
        cmocka_unit_test(leaves_out_long_lines),
        cmocka_unit_test(reports_failed_reads),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
