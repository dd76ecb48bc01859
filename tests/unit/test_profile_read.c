/* profile/profile_read: the events of traces, in any form, block by block, and what is refused. */
#define _GNU_SOURCE
#include "support.h"

#include "base/pool.h"
#include "profile/profile_read.h"

#define X(category, name, at, us)                                                                                      \
    "{\"ph\": \"X\", \"cat\": \"" category "\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 2, \"ts\": " at           \
    ", \"dur\": " us "}"
#define OP(name, at, us) X("cpu_op", name, at, us)

/* Reads the text, in blocks of this size, with a worker or without. */
static bool read_text(struct profile_trace *trace, struct slice text, size_t block, bool ahead, struct err *err) {
    FILE *file = fopen("trace.json", "w");
    struct source source;
    assert_non_null(file);
    assert_int_equal(fwrite(text.ptr, 1, text.len, file), text.len);
    fclose(file);
    assert_true(source_open(&source, "trace.json", err));
    struct pool *pool = ahead ? pool_create(1, err) : NULL;
    bool good = profile_read(trace, &source, pool, block, err);
    if (pool)
        pool_destroy(pool);
    source_close(&source);
    return good;
}

static void must_read(struct profile_trace *trace, const char *text) {
    struct err err = {0};
    if (!read_text(trace, slice_str(text), 0, false, &err))
        fail_msg("%s", err.text);
}

static void refuses(const char *text, const char *why) {
    struct profile_trace trace;
    struct err err = {0};
    assert_false(read_text(&trace, slice_str(text), 0, false, &err));
    assert_int_equal(err.code, ERR_INPUT);
    assert_has(slice_str(err.text), why);
    profile_trace_free(&trace);
}

static struct slice name_at(const struct profile_trace *trace, size_t i) {
    return trace->names.items[trace->events.items[i].name];
}

static void reads_times(void **state) {
    static const struct {
        const char *text;
        int64_t ns;
    } times[] = {{"0", 0},
                 {"1", 1000},
                 {"1.5", 1500},
                 {"1.001", 1001},
                 {"1.0019", 1001},
                 {"-2.25", -2250},
                 {"5085398278726.206", 5085398278726206}};
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct profile_trace trace;
        char text[200];
        snprintf(text, sizeof text, "[" OP("a", "%s", "1") "]", times[i].text);
        must_read(&trace, text);
        assert_int_equal(trace.events.count, 1);
        assert_int_equal(trace.events.items[0].start_ns, times[i].ns);
        assert_false(trace.clock_known);
        profile_trace_free(&trace);
    }
}

static void takes_the_clock_from_either_side(void **state) {
    static const char *const texts[] = {"{\"baseTimeNanoseconds\": 7000, \"traceEvents\": [" OP("a", "2.5", "1") "]}",
                                        "{\"traceEvents\": [" OP("a", "2.5", "1") "], \"baseTimeNanoseconds\": 7000}"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct profile_trace trace;
        must_read(&trace, texts[i]);
        assert_true(trace.clock_known);
        assert_int_equal(trace.events.items[0].start_ns, 9500);
        profile_trace_free(&trace);
    }
}

static void sorts_by_track_and_time(void **state) {
    struct profile_trace trace;
    (void)state;
    must_read(&trace,
              "[" OP("late", "9", "1") "," OP("inner", "3", "1") "," OP(
                  "outer", "3", "5") ","
                                     "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": \"s "
                                     "7\", \"ts\": 1, \"dur\": 2, "
                                     "\"args\": {\"stream\": 7, \"correlation\": 12}}," OP("first", "1", "1") "]");
    static const char *const names[] = {"first", "outer", "inner", "late", "k"};
    assert_int_equal(trace.events.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_slice(name_at(&trace, i), names[i]);
    assert_int_equal(trace.events.items[4].kind, PROFILE_DEVICE);
    assert_int_equal(trace.events.items[4].id, 12);
    assert_int_equal(trace.tracks.count, 2);
    assert_slice(trace.tracks.items[1].thread, "s 7");
    profile_trace_free(&trace);
}

static void keeps_only_its_kinds(void **state) {
    struct profile_trace trace;
    (void)state;
    must_read(&trace, "[" X("python_function", "f", "1",
                            "1") "," X("Trace", "t", "1",
                                       "1") "," X("user_annotation", "step", "1",
                                                  "1") ","
                                                       "{\"ph\": \"i\", \"name\": \"mark\", \"ts\": 1}, {\"ph\": "
                                                       "\"M\", \"args\": {\"a\": [1, {\"b\": \"]}\\\"\"}]}}, {}]");
    assert_int_equal(trace.events.count, 1);
    assert_slice(name_at(&trace, 0), "step");
    profile_trace_free(&trace);
}

static void unescapes_names(void **state) {
    struct profile_trace trace;
    (void)state;
    must_read(&trace, "[" OP("a \\\"b\\\" \\u00e9\\\\", "1", "1") "," OP("\\\\", "2", "1") "]");
    assert_slice(name_at(&trace, 0), "a \"b\" \xc3\xa9\\");
    assert_slice(name_at(&trace, 1), "\\");
    profile_trace_free(&trace);
}

static void reads_the_rank(void **state) {
    struct profile_trace trace;
    (void)state;
    must_read(
        &trace,
        "{\"distributedInfo\": {\"backend\": \"nccl\", \"pg\": [{\"rank\": 9}], \"rank\": 3}, \"traceEvents\": []}");
    assert_int_equal(trace.rank, 3);
    profile_trace_free(&trace);
    must_read(&trace, "{\"traceEvents\": []}");
    assert_int_equal(trace.rank, -1);
    profile_trace_free(&trace);
}

static void refuses_what_is_no_trace(void **state) {
    (void)state;
    refuses("", "is empty");
    refuses("hello", "does not begin with { or [");
    refuses("[" OP("a", "1", "1"), "is not complete");
    refuses("{\"traceEvents\": [" OP("a", "1", "1") "]", "is not complete");
    refuses("[1]", "not JSON at byte 1");
    refuses("[{\"ph\" 1}]", "not JSON at byte 7");
    refuses("[{\"ph\": @}]", "not JSON at byte 8");
    refuses("[] []", "not JSON at byte 3");
    refuses("[" OP("a", "null", "1") "]", "no number of microseconds");
    refuses("[" OP("a", "1e3", "1") "]", "no number of microseconds");
    refuses("[" OP("a", "1", "-1") "]", "no number of microseconds");
    refuses("[" OP("a", "1", "1000000000000000") "," OP("b", "1", "1000000000000000") "]", "no clock can show");
    refuses("{\"baseTimeNanoseconds\": 9223372036854775807, \"traceEvents\": [" OP("a", "1", "1") "]}",
            "no clock can show");
    refuses("{\"traceEvents\": [" OP("a", "1", "1") "], \"baseTimeNanoseconds\": 9223372036854775807}",
            "no clock can show");
}

static void refuses_what_is_too_large(void **state) {
    struct profile_trace trace;
    struct err err = {0};
    AUTO_BUF text = {0};
    (void)state;
    buf_add_lit(&text, "[{\"name\": \"");
    while (text.len < 17 << 20)
        buf_add_lit(&text, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
    buf_add_lit(&text, "\"}]");
    assert_false(read_text(&trace, buf_slice(&text), 0, false, &err));
    assert_has(slice_str(err.text), "more than 16 MiB");
    profile_trace_free(&trace);
    text.len = 0;
    buf_add_lit(&text, "[");
    for (int i = 0; i < 70000; i++)
        buf_addf(
            &text,
            "%s{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": %d, \"ts\": 1, \"dur\": 1}",
            i ? "," : "", i);
    buf_add_lit(&text, "]");
    assert_false(read_text(&trace, buf_slice(&text), 0, false, &err));
    assert_has(slice_str(err.text), "more threads");
    profile_trace_free(&trace);
}

static void blocks_do_not_matter(void **state) {
    AUTO_BUF text = {0};
    struct profile_trace one, other;
    struct err err = {0};
    (void)state;
    buf_add_lit(&text,
                " {\"schemaVersion\": 1, \"x\": {\"y\": [\"]\"]}, \"baseTimeNanoseconds\": 5, \"traceEvents\": [");
    for (int i = 0; i < 300; i++)
        buf_addf(&text, "%s" OP("op \\\"%d\\\"", "%d.25", "1"), i ? ",\n" : "", i % 7, i * 3 % 100);
    buf_add_lit(&text, "] } ");
    assert_true(read_text(&one, buf_slice(&text), 0, false, &err));
    for (size_t block = 1; block < 4000; block = block * 3 + 1) {
        assert_true(read_text(&other, buf_slice(&text), block, block % 2, &err));
        assert_int_equal(other.events.count, 300);
        assert_int_equal(other.names.count, 7);
        assert_int_equal(other.bytes, one.bytes);
        for (size_t i = 0; i < 300; i++) {
            assert_int_equal(other.events.items[i].start_ns, one.events.items[i].start_ns);
            assert_slices(name_at(&other, i), name_at(&one, i));
        }
        profile_trace_free(&other);
    }
    profile_trace_free(&one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_times),
        cmocka_unit_test(takes_the_clock_from_either_side),
        cmocka_unit_test(sorts_by_track_and_time),
        cmocka_unit_test(keeps_only_its_kinds),
        cmocka_unit_test(unescapes_names),
        cmocka_unit_test(reads_the_rank),
        cmocka_unit_test(refuses_what_is_no_trace),
        cmocka_unit_test(refuses_what_is_too_large),
        cmocka_unit_test(blocks_do_not_matter),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
