/* trace/record: the records of a block, their payloads, and stray lines. */
#define _GNU_SOURCE
#include "support.h"

#include "kinds/kind.h"
#include "trace/record.h"

struct decoded {
    char *bytes;
    struct arena arena;
    struct records records;
};

/* Decodes a copy that ends at the end of its memory. */
static struct decoded decode(struct slice log, record_decoder *decoder) {
    struct decoded decoded = {.bytes = malloc(log.len ? log.len : 1)};
    if (log.len)
        memcpy(decoded.bytes, log.ptr, log.len);
    decode_block(slice_make(decoded.bytes, log.len), &decoded.arena, decoder, &decoded.records);
    return decoded;
}

static struct decoded decode_buf(struct buf *log) {
    struct decoded decoded = decode(buf_slice(log), registry_decode);
    buf_free(log);
    return decoded;
}

static void end(struct decoded *decoded) {
    records_finish(&decoded->records);
    arena_free(&decoded->arena);
    free(decoded->bytes);
}

/* The only record of a log. */
static struct record *only(struct decoded *decoded) {
    assert_int_equal(decoded->records.count, 1);
    assert_int_equal(decoded->records.strays.count, 0);
    return &decoded->records.items[0];
}

static void assert_stray(const struct decoded *decoded, size_t place, uint32_t line, uint32_t count, const char *text) {
    assert_true(place < decoded->records.strays.count);
    struct stray stray = decoded->records.strays.items[place];
    assert_int_equal(stray.line, line);
    assert_int_equal(stray.count, count);
    assert_slice(stray.text, text);
}

static void reads_records(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"x\": 1, " ID0);
    log_payload(&log, "\"chromium_event\": {}, \"rank\": 3", "{\"ts\": 1}");
    log_record(&log, "");
    size_t bytes = log.len;
    struct decoded decoded = decode_buf(&log);
    struct record *record = decoded.records.items;
    assert_int_equal(decoded.records.count, 3);
    assert_int_equal(decoded.records.lines, 4);
    assert_slice(record[0].envelope, "{\"x\": 1, " ID0 "}");
    assert_false(record[0].has_payload || record[0].has_rank);
    assert_null(record[0].payload.ptr);
    assert_int_equal(record[0].id.state, COMPILE_ID_GOOD);
    assert_int_equal(record[1].line, 1);
    assert_true(record[1].has_payload && record[1].payload_good && record[1].has_rank && record[1].rank == 3);
    assert_slice(record[1].payload, "{\"ts\": 1}");
    assert_true(yyjson_is_obj(record[1].nodes->json)); /* the decoder was called */
    assert_int_equal(record[2].line, 3);
    assert_int_equal(record[2].id.state, COMPILE_ID_NONE);
    assert_int_equal(record[0].log_bytes + record[1].log_bytes + record[2].log_bytes, bytes);
    end(&decoded);
}

/* A node for each key but those of context: first what the registry knows, in the order of outputs. */
static void lists_nodes(void **state) {
    (void)state;
    static const char *const keys[] = {"dynamo_output_graph", "artifact", "other", "another"};
    struct buf log = {0};
    size_t count = 0;
    log_payload(&log,
                "\"other\": 1, \"artifact\": {\"name\": \"a\"}, \"another\": 2, \"dynamo_output_graph\": {}, " ID0,
                "class GraphModule");
    struct decoded decoded = decode_buf(&log);
    for (const struct node *node = only(&decoded)->nodes; node; node = node->next) {
        assert_true(count < sizeof keys / sizeof *keys);
        assert_slice(node->key, keys[count]);
        assert_true((node->kind != NULL) == (count < 2));
        assert_ptr_equal(node->value, json_get(only(&decoded)->root, keys[count]));
        assert_true((node->trace != NULL) == (count == 0)); /* each key has what its own kind found */
        count++;
    }
    assert_int_equal(count, sizeof keys / sizeof *keys);
    end(&decoded);
}

/* TABs within lines are kept. Empty payload lines are payload, and so are lines that look like records. */
static void removes_one_tab(void **state) {
    (void)state;
    static const char *const payloads[] = {
        "",
        "one",
        "one\ntwo",
        "\tindented\n\t\ttwice",
        "a\n\nb",
        "\n",
        "\n\n\n",
        "ends with a newline\n",
        "a\tb\t",
        (PREFIX "{\"x\": 1}\nmore"),
        "a\rb",
        "\r\n",
        "ends with \r",
    };
    for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
        struct buf log = {0};
        log_payload(&log, "\"x\": 1", payloads[i]);
        struct decoded decoded = decode_buf(&log);
        struct record *record = only(&decoded);
        assert_slice(record->payload, payloads[i]);
        assert_true(record->payload_good);
        end(&decoded);
    }
    struct buf log = {0};
    log_payload_lead(&log, "", "", SLICE("nul\0 \xff\xfe no utf-8"));
    struct decoded decoded = decode_buf(&log);
    assert_slices(only(&decoded)->payload, SLICE("nul\0 \xff\xfe no utf-8"));
    assert_true(only(&decoded)->payload_good);
    end(&decoded);
}

/* Empty lines are dropped everywhere. */
static void drops_stuttered_lines(void **state) {
    (void)state;
    struct buf log = {0}, stuttered = {0};
    log_payload(&log, "\"x\": 1", "one\n\ntwo\nthree");
    log_record(&log, "\"y\": 1");
    buf_add_lit(&stuttered, "\n\r\n");
    for (size_t i = 0; i < log.len; i++) {
        buf_add_byte(&stuttered, log.ptr[i]);
        if (log.ptr[i] == '\n')
            buf_add_lit(&stuttered, "\n\r\n\n");
    }
    struct decoded decoded = decode_buf(&stuttered);
    assert_int_equal(decoded.records.count, 2);
    assert_int_equal(decoded.records.strays.count, 0);
    assert_slice(decoded.records.items[0].payload, "one\n\ntwo\nthree");
    assert_true(decoded.records.items[0].payload_good);
    assert_int_equal(decoded.records.items[0].line, 2);
    assert_int_equal(decoded.records.items[1].line, 2 + 5 * 4);
    buf_free(&log);
    end(&decoded);
}

/* A log that passed through a system with other line ends. */
static void reads_crlf(void **state) {
    (void)state;
    struct buf log = {0}, crlf = {0};
    log_payload(&log, "\"x\": 1", "one\n\ntwo\n");
    log_payload(&log, "\"y\": 1", "");
    log_record(&log, "\"z\": 1");
    for (size_t i = 0; i < log.len; i++) {
        if (log.ptr[i] == '\n')
            buf_add_byte(&crlf, '\r');
        buf_add_byte(&crlf, log.ptr[i]);
    }
    struct decoded decoded = decode_buf(&crlf);
    assert_int_equal(decoded.records.count, 3);
    assert_int_equal(decoded.records.strays.count, 0);
    assert_slice(decoded.records.items[0].payload, "one\n\ntwo\n");
    assert_slice(decoded.records.items[1].payload, "");
    for (int i = 0; i < 3; i++)
        assert_true(decoded.records.items[i].root && decoded.records.items[i].payload_good == (i < 2));
    assert_slice(decoded.records.items[2].envelope, "{\"z\": 1}");
    buf_free(&log);
    end(&decoded);
}

/* Carriage returns are removed only if the MD5 then matches. */
static void keeps_returns_of_bad_payloads(void **state) {
    (void)state;
    struct buf log = {0};
    unsigned char md5[MD5_BYTES];
    md5_of(SLICE("a\r\nb\r"), md5);
    log_line(&log, PREFIX "{\"has_payload\": \"00000000000000000000000000000000\"}");
    log_line(&log, "\ta\r\n\tb\r");
    struct decoded decoded = decode_buf(&log);
    struct record *record = only(&decoded);
    assert_slice(record->payload, "a\r\nb\r");
    assert_false(record->payload_good);
    assert_memory_equal(record->md5, md5, sizeof md5);
    end(&decoded);
}

static void checks_the_md5(void **state) {
    (void)state;
    static const char *const claims[] = {"\"0cc175b9c0f1b6a831c399e269772662\"",
                                         "\"zz\"",
                                         "\"\"",
                                         "\"0CC175B9C0F1B6A831C399E269772661\"",
                                         "null",
                                         "5",
                                         "[]",
                                         "\"../../escaped\""};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        struct buf log = {0};
        buf_addf(&log, PREFIX "{\"has_payload\": %s}\n\ta\n", claims[i]);
        struct decoded decoded = decode_buf(&log);
        struct record *record = only(&decoded);
        assert_true(record->has_payload);
        assert_false(record->payload_good);
        assert_slice(record->payload, "a"); /* still used */
        end(&decoded);
    }
    struct buf log = {0};
    log_line(&log, PREFIX "{\"has_payload\": \"0cc175b9c0f1b6a831c399e269772661\"}");
    log_line(&log, "\ta");
    struct decoded decoded = decode_buf(&log);
    assert_true(only(&decoded)->payload_good);
    assert_slice(only(&decoded)->claimed, "0cc175b9c0f1b6a831c399e269772661");
    end(&decoded);
}

static void takes_a_missing_payload(void **state) {
    (void)state;
    struct buf log = {0};
    log_line(&log, PREFIX "{\"has_payload\": \"0cc175b9c0f1b6a831c399e269772661\"}");
    log_record(&log, "\"y\": 1");
    struct decoded decoded = decode_buf(&log);
    assert_int_equal(decoded.records.count, 2);
    assert_true(decoded.records.items[0].has_payload && !decoded.records.items[0].payload_good);
    assert_non_null(decoded.records.items[0].payload.ptr);
    assert_slice(decoded.records.items[0].payload, "");
    end(&decoded);
    /* At the very end of the log, with the MD5 of empty data. */
    decoded = decode(SLICE(PREFIX "{\"has_payload\": \"d41d8cd98f00b204e9800998ecf8427e\"}"), NULL);
    assert_true(only(&decoded)->payload_good);
    end(&decoded);
}

/* Payload lines belong to a record only if it has has_payload. */
static void counts_orphans_as_strays(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"x\": 1");
    log_line(&log, "\torphan\n\torphan");
    log_payload(&log, "\"y\": 1", "mine");
    log_line(&log, "not mine\n\tnor this");
    log_record(&log, "\"z\": 1");
    struct decoded decoded = decode_buf(&log);
    assert_int_equal(decoded.records.count, 3);
    assert_int_equal(decoded.records.strays.count, 2);
    assert_stray(&decoded, 0, 1, 2, "\torphan");
    assert_stray(&decoded, 1, 5, 2, "not mine");
    assert_slice(decoded.records.items[1].payload, "mine");
    end(&decoded);
}

static void groups_strays(void **state) {
    (void)state;
    struct buf log = {0};
    log_line(&log, "one\ntwo\n\nfour\r");
    log_record(&log, "\"x\": 1");
    log_line(&log, "six");
    buf_add_lit(&log, "\0seven \xff");
    struct decoded decoded = decode_buf(&log);
    assert_int_equal(decoded.records.count, 1);
    assert_int_equal(decoded.records.lines, 7);
    assert_int_equal(decoded.records.strays.count, 3);
    assert_stray(&decoded, 0, 0, 2, "one");
    assert_stray(&decoded, 1, 3, 1, "four\r");
    assert_stray(&decoded, 2, 5, 2, "six");
    end(&decoded);
}

/* A launcher writes "[rank0]:" before each line. */
static void takes_payloads_with_a_lead(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload_lead(&log, "[rank0]:", "\"x\": 1", SLICE("one\n\n\tthree"));
    log_payload_lead(&log, "[rank1]:", "\"y\": 1", SLICE("other"));
    log_line(&log, "[rank0]:\tof the wrong rank");
    struct decoded decoded = decode_buf(&log);
    assert_int_equal(decoded.records.count, 2);
    assert_slice(decoded.records.items[0].glog.lead, "[rank0]:");
    assert_slice(decoded.records.items[0].payload, "one\n\n\tthree");
    assert_slice(decoded.records.items[1].payload, "other");
    assert_true(decoded.records.items[0].payload_good && decoded.records.items[1].payload_good);
    assert_int_equal(decoded.records.strays.count, 1);
    assert_stray(&decoded, 0, 6, 1, "[rank0]:\tof the wrong rank");
    end(&decoded);
    /* The lead of the record, but TABs without it: some transports mark only the first line. */
    log_line(&log, "[rank0]:" PREFIX "{\"has_payload\": \"0cc175b9c0f1b6a831c399e269772661\"}");
    log_line(&log, "\ta");
    decoded = decode_buf(&log);
    assert_true(only(&decoded)->payload_good);
    end(&decoded);
}

static void ends_without_a_newline(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"x\": 1", "one\ntwo");
    log.len--;
    struct decoded decoded = decode_buf(&log);
    assert_slice(only(&decoded)->payload, "one\ntwo");
    assert_true(only(&decoded)->payload_good);
    assert_int_equal(decoded.records.lines, 3);
    end(&decoded);
    decoded = decode(SLICE(PREFIX "{}"), NULL);
    assert_slice(only(&decoded)->envelope, "{}");
    end(&decoded);
    decoded = decode(SLICE(""), NULL);
    assert_int_equal(decoded.records.count + decoded.records.strays.count + decoded.records.lines, 0);
    end(&decoded);
    decoded = decode(SLICE(PREFIX "{\"has_payload\": \"0cc175b9c0f1b6a831c399e269772661\"}\n\t"), NULL);
    assert_slice(only(&decoded)->payload, "");
    end(&decoded);
}

/* What json_read repairs is repaired here, and the envelope is then strict JSON. */
static void repairs_envelopes(void **state) {
    (void)state;
    static const struct {
        const char *given, *expected;
    } cases[] = {
        {"{\"a\": NaN}", "{\"a\": null}"},
        {"{\"a\": \"\\ud800\"}", "{\"a\": \"\\ufffd\"}"},
        {"{\"a\": \"\xff\"}", "{\"a\": \"\xef\xbf\xbd\"}"},
        {"  {\"a\": 1}  ", "{\"a\": 1}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0};
        buf_addf(&log, PREFIX "%s\n", cases[i].given);
        struct decoded decoded = decode_buf(&log);
        assert_non_null(only(&decoded)->root);
        assert_slice(only(&decoded)->envelope, cases[i].expected);
        end(&decoded);
    }
}

static void keeps_records_without_an_object(void **state) {
    (void)state;
    static const char *const bad[] = {"", "{", "[1]", "\"text\"", "null", "7", "{\"has_payload\": \"x\"", "{} {}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct buf log = {0};
        buf_addf(&log, PREFIX "%s\n\tline\n", bad[i]);
        struct decoded decoded = decode_buf(&log);
        assert_int_equal(decoded.records.count, 1);
        assert_null(decoded.records.items[0].root);
        assert_false(decoded.records.items[0].has_payload);
        assert_slice(decoded.records.items[0].glog.rest, bad[i]);
        assert_stray(&decoded, 0, 1, 1, "\tline"); /* it is unknown whose payload this is */
        end(&decoded);
    }
}

static void reads_ranks(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool has;
        uint64_t rank;
    } cases[] = {{"0", true, 0},     {"7", true, 7},   {"\"zero\"", false, 0},
                 {"null", false, 0}, {"-1", false, 0}, {"1.5", false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0};
        buf_addf(&log, PREFIX "{\"rank\": %s}\n", cases[i].text);
        struct decoded decoded = decode_buf(&log);
        assert_int_equal(only(&decoded)->has_rank, cases[i].has);
        assert_int_equal(only(&decoded)->rank, cases[i].rank);
        end(&decoded);
    }
}

/* The arrays are reused for the next block, without the content of the last. */
static void resets_for_each_block(void **state) {
    (void)state;
    struct arena arena = {0};
    struct records records = {0};
    char first[] = PREFIX "{}\nstray\n" PREFIX "{}\n", second[] = "other\n";
    decode_block(slice_str(first), &arena, NULL, &records);
    assert_int_equal(records.count, 2);
    decode_block(slice_str(second), &arena, NULL, &records);
    assert_int_equal(records.count, 0);
    assert_int_equal(records.strays.count, 1);
    assert_int_equal(records.strays.items[0].line, 0);
    assert_int_equal(records.lines, 1);
    records_finish(&records);
    assert_null(records.items);
    arena_free(&arena);
}

static void writes_md5(void **state) {
    (void)state;
    unsigned char md5[MD5_BYTES];
    struct buf hex = {0};
    md5_of(SLICE(""), md5);
    md5_add_hex(&hex, md5);
    assert_buf(&hex, "d41d8cd98f00b204e9800998ecf8427e");
    buf_free(&hex);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_records),
        cmocka_unit_test(lists_nodes),
        cmocka_unit_test(removes_one_tab),
        cmocka_unit_test(drops_stuttered_lines),
        cmocka_unit_test(reads_crlf),
        cmocka_unit_test(keeps_returns_of_bad_payloads),
        cmocka_unit_test(checks_the_md5),
        cmocka_unit_test(takes_a_missing_payload),
        cmocka_unit_test(counts_orphans_as_strays),
        cmocka_unit_test(groups_strays),
        cmocka_unit_test(takes_payloads_with_a_lead),
        cmocka_unit_test(ends_without_a_newline),
        cmocka_unit_test(repairs_envelopes),
        cmocka_unit_test(keeps_records_without_an_object),
        cmocka_unit_test(reads_ranks),
        cmocka_unit_test(resets_for_each_block),
        cmocka_unit_test(writes_md5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
