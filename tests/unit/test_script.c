/* sink/script: data as a script, decoded with libzstd and base64. */
#define _GNU_SOURCE
#include "unpack.h"

#include "sink/script.h"

static void assert_round_trip(struct slice bytes) {
    struct buf script = {0};
    script_add_put(&script, SLICE("-_0_0_0/3"), bytes);
    char key[64];
    struct buf back = unpack_script(buf_slice(&script), key);
    assert_string_equal(key, "-_0_0_0/3");
    assert_slices(buf_slice(&back), bytes);
    buf_free(&back);
    buf_free(&script);
}

static void round_trips(void **state) {
    (void)state;
    assert_round_trip(SLICE(""));
    assert_round_trip(SLICE("a"));
    assert_round_trip(SLICE("ab"));
    assert_round_trip(SLICE("abc"));
    assert_round_trip(SLICE("nul\0 \xff\xfe </script> \"quotes\" \\ \n"));
    struct buf bytes = {0};
    uint32_t random = 1;
    for (int i = 0; i < 300000; i++) { /* incompressible: zstd is not smaller than the text */
        random = random * 1664525 + 1013904223;
        buf_add_byte(&bytes, (char)(random >> 24));
        if (i < 70)
            assert_round_trip(buf_slice(&bytes));
    }
    assert_round_trip(buf_slice(&bytes));
    memset(bytes.ptr, 'x', bytes.len);
    assert_round_trip(buf_slice(&bytes));
    buf_free(&bytes);
}

/* Base64 has no character that could end a string or a script. */
static void writes_nothing_but_base64(void **state) {
    (void)state;
    struct buf script = {0};
    script_add_put(&script, SLICE("report"), SLICE("</script><script>alert(1)</script>\"'\\"));
    struct slice text = buf_slice(&script);
    assert_true(slice_starts(text, SLICE("tl.put(\"report\",\"")) && slice_ends(text, SLICE("\");\n")));
    for (size_t i = 17; i + 4 < text.len; i++)
        assert_non_null(strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", text.ptr[i]));
    buf_free(&script);
}

static void adds_to_what_is_there(void **state) {
    (void)state;
    struct buf script = {0}, again = {0};
    script_add_put(&script, SLICE("a"), SLICE("one"));
    size_t first = script.len;
    script_add_put(&script, SLICE("b"), SLICE("two"));
    script_add_put(&again, SLICE("b"), SLICE("two"));
    assert_slices(slice_from(buf_slice(&script), first), buf_slice(&again)); /* and the same bytes each time */
    buf_free(&script);
    buf_free(&again);
}

static void writes_a_part(void **state) {
    int dirfd = fresh_folder("script");
    struct files files;
    struct err err = {0};
    struct buf file = {0};
    char key[64];
    (void)state;
    struct sink *sink = directory_sink_create(dirfd);
    files_init(&files, sink);
    files_folder(&files, SLICE("data/"));
    script_write_part(&files, "kernels", 12, SLICE("[1]"));
    assert_true(files_good(&files, &err));
    file = read_file(dirfd, "data/kernels.12.js");
    struct buf back = unpack_script(buf_slice(&file), key);
    assert_string_equal(key, "kernels/12");
    assert_slice(buf_slice(&back), "[1]");
    buf_free(&back);
    buf_free(&file);
    files_finish(&files);
    sink_destroy(sink);
    close(dirfd);
}

static void assert_unreadable(struct slice file) {
    struct slice key;
    struct buf bytes = {0};
    buf_add_lit(&bytes, "before");
    assert_false(script_read(file, &key, &bytes));
    assert_buf(&bytes, "before");
    buf_free(&bytes);
}

/* Only what script_add_put() writes is read, and nothing that claims to unpack to more than it can. */
static void reads_back(void **state) {
    static const char bytes[] = "nul\0 \xff </script> \n and some text, text, text";
    (void)state;
    for (size_t len = 0; len < sizeof bytes; len++) {
        struct buf file = {0}, back = {0};
        struct slice key;
        script_add_put(&file, SLICE("-_0_0_0/3"), slice_make(bytes, len));
        assert_true(script_read(buf_slice(&file), &key, &back));
        assert_slice(key, "-_0_0_0/3");
        assert_slices(buf_slice(&back), slice_make(bytes, len));
        for (size_t cut = 0; cut < file.len; cut++)
            assert_unreadable(slice_first(buf_slice(&file), cut));
        file.ptr[file.len / 2] = '!';
        assert_unreadable(buf_slice(&file));
        buf_free(&file);
        buf_free(&back);
    }
    assert_unreadable(SLICE("tl.put(\"a\",\"\");\n"));
    assert_unreadable(SLICE("tl.put(\"a\",\"====\");\n"));
    assert_unreadable(SLICE("tl.put(\"a\",\"AAAA\");\n"));
    assert_unreadable(SLICE("tl.put(\"a\",\"KLUv/aD/////AQAA\");\n")); /* has nothing, and claims 4 GiB */
    assert_unreadable(SLICE("alert(1)"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(writes_nothing_but_base64),
        cmocka_unit_test(adds_to_what_is_there),
        cmocka_unit_test(writes_a_part),
        cmocka_unit_test(reads_back),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
