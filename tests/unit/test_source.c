/* trace/source: plain, gzip and zstd logs: complete, several in one, truncated and corrupt. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "trace/source.h"

enum { TEXT_LINES = 40000 }; /* about 2 MB */

static char folder[] = "/tmp/tlparse-test-source-XXXXXX";
static char path[sizeof folder + 16];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/log", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void write_file(const struct buf *bytes) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(buf_slice(bytes).ptr, 1, bytes->len, file), bytes->len);
    assert_int_equal(fclose(file), 0);
}

/* Text that is neither highly compressible nor incompressible. */
static struct buf make_text(unsigned lines) {
    struct buf text = {0};
    uint32_t random = 1;
    for (unsigned i = 0; i < lines; i++) {
        random = random * 1664525 + 1013904223;
        buf_addf(&text, "V0101 line %u holds %08x and some other text\n", i, random);
    }
    return text;
}

static void add_gzip(struct buf *out, struct slice text) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    uLong bound = deflateBound(&z, text.len);
    z.next_in = (unsigned char *)text.ptr;
    z.avail_in = (uInt)text.len;
    z.next_out = (unsigned char *)buf_reserve(out, bound);
    z.avail_out = (uInt)bound;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->len += bound - z.avail_out;
    deflateEnd(&z);
}

static void add_zstd(struct buf *out, struct slice text) {
    size_t bound = ZSTD_compressBound(text.len);
    size_t len = ZSTD_compress(buf_reserve(out, bound), bound, text.ptr, text.len, 3);
    assert_false(ZSTD_isError(len));
    out->len += len;
}

/* Reads the file with reads of `step` bytes. Returns the bytes, and in *damage a copy of the damage or NULL. */
static struct buf read_all(const char *from, size_t step, char **damage) {
    struct buf got = {0};
    struct source source;
    struct err err = {0};
    ssize_t len;
    assert_true(source_open(&source, from, &err));
    while ((len = source_read(&source, buf_reserve(&got, step), step, &err)) > 0) {
        got.len += (size_t)len;
        if ((size_t)len < step) /* a short read is the last one */
            assert_int_equal(source_read(&source, buf_reserve(&got, step), step, &err), 0);
    }
    assert_int_equal(len, 0);
    *damage = source_damage(&source) ? mem_strdup(source_damage(&source)) : NULL;
    source_close(&source);
    source_close(&source);
    return got;
}

/* The file must yield the text with reads of any size; damage NULL: none. */
static void assert_reads(const struct buf *bytes, struct slice text, const char *damage) {
    static const size_t steps[] = {7, 4096, 1 << 20, 16 << 20};
    write_file(bytes);
    for (size_t i = text.len > 300000; i < sizeof steps / sizeof *steps; i++) {
        char *why;
        struct buf got = read_all(path, steps[i], &why);
        assert_int_equal(got.len, text.len);
        if (text.len)
            assert_memory_equal(got.ptr, text.ptr, text.len);
        if (damage)
            assert_true(why && strstr(why, damage));
        else
            assert_null(why);
        buf_free(&got);
        free(why);
    }
}

static void reads_plain(void **state) {
    static const char *const texts[] = {"",     "a",      "1234567", "12345678", "123456789",
                                        "\x1f", "(\xb5/", "PK\n",    "BZh9 log"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct buf bytes = {0};
        buf_add_str(&bytes, texts[i]);
        assert_reads(&bytes, slice_str(texts[i]), NULL);
        buf_free(&bytes);
    }
    struct buf text = make_text(TEXT_LINES);
    text.ptr[0] = '\0';
    assert_reads(&text, buf_slice(&text), NULL);
    buf_free(&text);
}

typedef void add_packed(struct buf *out, struct slice text);
static add_packed *const packers[] = {add_gzip, add_zstd};

static void reads_packed(void **state) {
    (void)state;
    for (size_t p = 0; p < 2; p++) {
        for (unsigned lines = 0; lines <= TEXT_LINES; lines = lines * 20 + 1) {
            struct buf text = make_text(lines), packed = {0};
            packers[p](&packed, buf_slice(&text));
            assert_reads(&packed, buf_slice(&text), NULL);
            buf_free(&text);
            buf_free(&packed);
        }
    }
}

/* Consecutive members, in such a number and of such sizes that their ends fall on every position of a buffer. */
static void reads_members(void **state) {
    (void)state;
    for (size_t p = 0; p < 2; p++) {
        struct buf text = make_text(8000), packed = {0};
        for (size_t from = 0, len = 0; from < text.len; from += len, len = len % 97 + 1) {
            packers[p](&packed, slice_first(slice_from(buf_slice(&text), from), len));
            if (p == 1 && len % 10 == 0) /* a skippable frame of zstd */
                buf_add(&packed, SLICE("\x53\x2a\x4d\x18\x03\x00\x00\x00xyz"));
        }
        assert_reads(&packed, buf_slice(&text), NULL);
        buf_free(&text);
        buf_free(&packed);
    }
}

static void reads_skippable_frame_first(void **state) {
    struct buf packed = {0};
    (void)state;
    buf_add(&packed, SLICE("\x50\x2a\x4d\x18\x02\x00\x00\x00hi"));
    add_zstd(&packed, SLICE("text"));
    assert_reads(&packed, SLICE("text"), NULL);
    buf_free(&packed);
}

/* The window of a frame is memory that its head asks for. */
static void refuses_large_windows(void **state) {
    (void)state;
    for (int log = 27; log <= 28; log++) {
        struct buf packed = {0};
        ZSTD_CCtx *zstd = ZSTD_createCCtx();
        assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, log)));
        ZSTD_inBuffer in = {"text", 4, 0}, none = {"", 0, 0}; /* in two calls, so that the size is unknown */
        ZSTD_outBuffer out = {buf_reserve(&packed, 1000), 1000, 0};
        assert_false(ZSTD_isError(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_continue)));
        assert_int_equal(ZSTD_compressStream2(zstd, &out, &none, ZSTD_e_end), 0);
        packed.len = out.pos;
        assert_reads(&packed, log == 27 ? SLICE("text") : SLICE(""),
                     log == 27 ? NULL : "needs a window of more than 128 MiB (decompress it first: zstd -d --long=31)");
        ZSTD_freeCCtx(zstd);
        buf_free(&packed);
    }
}

/* What is read of a damaged file, and why no more, does not depend on the size of the reads. */
static void assert_same_for_all_reads(const struct buf *bytes) {
    static const size_t steps[] = {1, 7, 200, 4096, 1 << 20};
    char *first = NULL, *why;
    struct buf all = {0};
    write_file(bytes);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct buf got = read_all(path, steps[i], &why);
        if (i == 0) {
            all = got;
            first = why;
            continue;
        }
        assert_true(slice_eq(buf_slice(&got), buf_slice(&all)));
        assert_true(why ? first && strcmp(why, first) == 0 : !first);
        buf_free(&got);
        free(why);
    }
    buf_free(&all);
    free(first);
}

/* A frame of several blocks, with a checksum. */
static void add_zstd_blocks(struct buf *out, struct slice text) {
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    size_t bound = ZSTD_compressBound(text.len) + 4096;
    ZSTD_outBuffer to = {buf_reserve(out, bound), bound, 0};
    assert_non_null(zstd);
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(zstd, text.len);
    while (text.len) {
        ZSTD_inBuffer in = {text.ptr, text.len < 300 ? text.len : 300, 0};
        text = slice_from(text, in.size);
        assert_int_equal(ZSTD_compressStream2(zstd, &to, &in, text.len ? ZSTD_e_flush : ZSTD_e_end), 0);
    }
    ZSTD_freeCCtx(zstd);
    out->len += to.pos;
}

static void damage_does_not_depend_on_reads(void **state) {
    static void (*const all[])(struct buf *, struct slice) = {add_gzip, add_zstd, add_zstd_blocks};
    (void)state;
    for (size_t p = 0; p < sizeof all / sizeof *all; p++) {
        struct buf text = make_text(40), packed = {0}, bad = {0};
        all[p](&packed, buf_slice(&text));
        all[p](&packed, slice_first(buf_slice(&text), 500));
        for (size_t at = 4; at < packed.len; at++) {
            bad.len = 0;
            buf_add(&bad, buf_slice(&packed));
            bad.ptr[at] ^= 0x55;
            assert_same_for_all_reads(&bad);
            bad.ptr[at] ^= 0x55;
            bad.len = at;
            assert_same_for_all_reads(&bad);
        }
        buf_free(&text);
        buf_free(&packed);
        buf_free(&bad);
    }
}

static void tolerates_trailing_data(void **state) {
    (void)state;
    for (size_t p = 0; p < 2; p++) {
        struct buf text = make_text(100), packed = {0};
        packers[p](&packed, buf_slice(&text));
        memset(buf_reserve(&packed, 1000), 0, 1000);
        packed.len += 1000;
        assert_reads(&packed, buf_slice(&text), NULL); /* padding */
        packers[p](&packed, SLICE("more\n"));
        buf_add_lit(&text, "more\n");
        assert_reads(&packed, buf_slice(&text), NULL);
        buf_add_lit(&packed, "garbage");
        assert_reads(&packed, buf_slice(&text), "ignored uncompressed data");
        buf_free(&text);
        buf_free(&packed);
    }
}

/* A truncated log yields its beginning, and the damage says so. */
static void reads_truncated_logs(void **state) {
    (void)state;
    for (size_t p = 0; p < 2; p++) {
        struct buf text = make_text(TEXT_LINES), packed = {0};
        size_t last = 0;
        packers[p](&packed, buf_slice(&text));
        size_t whole = packed.len;
        for (size_t part = 1; part <= 10; part++) {
            char *why;
            packed.len = part == 10 ? whole - 1 : whole * part / 10;
            write_file(&packed);
            struct buf got = read_all(path, 100000, &why);
            assert_true(why && strstr(why, "is truncated"));
            assert_in_range(got.len, last, text.len);
            assert_memory_equal(got.ptr, text.ptr, got.len);
            assert_true(got.len + 300000 > text.len * part / 10); /* at most one block is missing */
            last = got.len;
            buf_free(&got);
            free(why);
        }
        assert_true(last + 300000 > text.len);
        buf_free(&text);
        buf_free(&packed);
    }
}

static void reads_corrupt_logs(void **state) {
    (void)state;
    for (size_t p = 0; p < 2; p++) {
        struct buf text = make_text(TEXT_LINES), packed = {0};
        char *why;
        packers[p](&packed, buf_slice(&text));
        memset(packed.ptr + packed.len * 3 / 4, 0xff, 64);
        write_file(&packed);
        struct buf got = read_all(path, 16 << 20, &why); /* one read: nothing before the error may be lost */
        assert_true(why && strstr(why, "corrupt ("));
        assert_in_range(got.len, text.len / 2, text.len - 1);
        assert_memory_equal(got.ptr, text.ptr, text.len / 2);
        buf_free(&got);
        free(why);
        buf_free(&text);
        buf_free(&packed);
    }
}

static void refuses_other_files(void **state) {
    static const struct {
        struct slice bytes;
        const char *says, *hint;
    } foreign[] = {{{"\3757zXZ\0\0\0\0", 9}, ": xz compression", "xz -dc"},
                   {{"BZh91AY&SY", 10}, ": bzip2 compression", "bzip2 -dc"},
                   {{"PK\3\4....", 8}, ": zip compression", "unzip -p"}};
    struct source source;
    struct err err = {0};
    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        struct buf bytes = {0};
        buf_add(&bytes, foreign[i].bytes);
        write_file(&bytes);
        err.code = ERR_NONE;
        assert_false(source_open(&source, path, &err));
        assert_int_equal(err.code, ERR_INPUT);
        assert_non_null(strstr(err.text, foreign[i].says));
        assert_non_null(strstr(err.hint, foreign[i].hint));
        buf_free(&bytes);
    }
    assert_false(source_open(&source, folder, &err));
    assert_non_null(strstr(err.text, "folder"));
    err.code = ERR_NONE;
    assert_false(source_open(&source, "/nowhere/log", &err));
    assert_int_equal(err.code, ERR_INPUT);
    assert_non_null(strstr(err.text, "/nowhere/log: No such file"));
}

static void *write_slowly(void *arg) {
    int fd = *(int *)arg;
    for (int i = 0; i < 20; i++) {
        usleep(1000);
        if (write(fd, "0123456789", 10) != 10)
            break;
    }
    close(fd);
    return NULL;
}

static void reads_standard_input(void **state) {
    int ends[2], before = dup(STDIN_FILENO);
    char to[300];
    struct source source;
    struct err err = {0};
    pthread_t writer;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(pthread_create(&writer, NULL, write_slowly, &ends[1]), 0);
    assert_true(source_open(&source, "-", &err));
    assert_string_equal(source.name, "(standard input)");
    assert_int_equal(source.file_bytes, 0);
    assert_true(source.modified > 0);
    assert_int_equal(source_read(&source, to, 150, &err), 150); /* filled, although it came in pieces */
    assert_int_equal(source_read(&source, to, sizeof to, &err), 50);
    assert_int_equal(source_read(&source, to, sizeof to, &err), 0);
    source_close(&source);
    pthread_join(writer, NULL);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* still open */
    dup2(before, STDIN_FILENO);
    close(before);
}

static void counts_the_file(void **state) {
    struct buf text = make_text(TEXT_LINES), packed = {0};
    struct source source;
    struct err err = {0};
    struct stat st;
    (void)state;
    add_gzip(&packed, buf_slice(&text));
    write_file(&packed);
    assert_int_equal(stat(path, &st), 0);
    assert_true(source_open(&source, path, &err));
    assert_string_equal(source.name, path);
    assert_int_equal(source.file_bytes, packed.len);
    assert_int_equal(source.modified, st.st_mtime);
    char *to = mem_alloc(text.len);
    assert_int_equal(source_read(&source, to, 1000, &err), 1000);
    assert_true(source.file_read > 0 && source.file_read < source.file_bytes);
    assert_int_equal(source_read(&source, to, text.len, &err), text.len - 1000);
    assert_int_equal(source_read(&source, to, 1, &err), 0);
    assert_int_equal(source.file_read, packed.len);
    source_close(&source);
    free(to);
    buf_free(&text);
    buf_free(&packed);
}

/* Several files are one stream, and no line continues in the next file. */
static void reads_several(void **state) {
    char names[4][sizeof folder + 16], to[64];
    const char *paths[4];
    static const char *const texts[] = {"one\ntwo", "", "three\n", "four"};
    struct source source;
    struct err err = {0};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct buf text = {0}, packed = {0};
        paths[i] = names[i];
        snprintf(names[i], sizeof names[i], "%s/part%zu", folder, i);
        buf_add_str(&text, texts[i]);
        if (i == 2)
            add_gzip(&packed, buf_slice(&text));
        FILE *file = fopen(names[i], "wb");
        const struct buf *content = i == 2 ? &packed : &text;
        assert_int_equal(fwrite(buf_slice(content).ptr ? buf_slice(content).ptr : "", 1, content->len, file),
                         content->len);
        assert_int_equal(fclose(file), 0);
        buf_free(&text);
        buf_free(&packed);
    }
    const char *with_a_hole[] = {paths[0], "/nowhere/at/all", paths[1], paths[2], paths[3]};
    for (size_t step = 1; step < sizeof to; step += 7) {
        size_t len = 0;
        ssize_t got;
        assert_true(source_open_all(&source, "all", with_a_hole, 5, &err));
        while ((got = source_read(&source, to + len, step < sizeof to - len ? step : sizeof to - len, &err)) > 0)
            len += (size_t)got;
        assert_int_equal(got, 0);
        assert_int_equal(len, 18);
        assert_memory_equal(to, "one\ntwo\nthree\nfour", len);
        assert_string_equal(source.name, "all");
        assert_string_equal(source_file_at(&source, 1)->path, paths[0]);
        assert_string_equal(source_file_at(&source, 2)->path, paths[0]);
        assert_string_equal(source_file_at(&source, 3)->path, paths[2]);
        assert_string_equal(source_file_at(&source, 3)->label, paths[2] + 1); /* "/" is the common folder */
        assert_int_equal(source_file_at(&source, 3)->bytes, 6);
        assert_int_equal(source_file_at(&source, 4)->first_line, 4);
        assert_non_null(strstr(source_damage(&source), "cannot open /nowhere/at/all"));
        assert_int_equal(source_reach(&source, 1), 0);
        assert_int_equal(source_reach(&source, 2), 0);
        assert_int_equal(source_reach(&source, 4), source_file_at(&source, 4) - source.files);
        source.files[0].records = 1;
        source.files[3].records = 1;
        assert_int_equal(source_records(&source), 2);
        source_close(&source);
    }
    assert_false(source_open_all(&source, "all", (const char *[]){"/nowhere/a", "/nowhere/b"}, 2, &err));
    assert_int_equal(err.code, ERR_INPUT);
    for (size_t i = 0; i < 4; i++)
        unlink(names[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_plain),
        cmocka_unit_test(reads_packed),
        cmocka_unit_test(reads_members),
        cmocka_unit_test(reads_skippable_frame_first),
        cmocka_unit_test(refuses_large_windows),
        cmocka_unit_test(damage_does_not_depend_on_reads),
        cmocka_unit_test(tolerates_trailing_data),
        cmocka_unit_test(reads_truncated_logs),
        cmocka_unit_test(reads_corrupt_logs),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(reads_standard_input),
        cmocka_unit_test(counts_the_file),
        cmocka_unit_test(reads_several),
    };
    return cmocka_run_group_tests_name("source", tests, make_folder, remove_folder);
}
