/* sink/spool: keeps bytes in memory while they are few, then in an unnamed file. */
#define _GNU_SOURCE
#include "support.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "sink/sinks.h"
#include "sink/spool.h"

static int dirfd_of;
static struct sink *sink;
static struct spool *spool;

static int begin(void **state) {
    (void)state;
    dirfd_of = fresh_folder("spool");
    sink = directory_sink_create(dirfd_of);
    spool = spool_create(sink);
    return 0;
}

static int end(void **state) {
    (void)state;
    spool_destroy(spool);
    sink_destroy(sink);
    close(dirfd_of);
    return 0;
}

/* Bytes that identify their origin. */
static struct buf bytes_of(size_t len, unsigned seed) {
    struct buf bytes = {0};
    char *to = buf_reserve(&bytes, len + 1);
    for (size_t i = 0; i < len; i++)
        to[i] = (char)(i * 31 + i / 251 + seed);
    bytes.len = len;
    return bytes;
}

static void assert_kept(uint64_t offset, const struct buf *bytes) {
    struct buf back = {0};
    assert_true(spool_read(spool, offset, bytes->len, &back));
    assert_slices(buf_slice(&back), buf_slice(bytes));
    buf_free(&back);
}

static int open_files(void) {
    int count = 0;
    for (int fd = 0; fd < 200; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* The limit is exceeded in the middle. No file has a name at any time. */
static void round_trips(void **state) {
    (void)state;
    enum { PIECES = 9 };
    static const size_t sizes[PIECES] = {1, 0, SPOOL_BYTES / 2, SPOOL_BYTES / 2 - 1, 1, 70000, 3 * SPOOL_BYTES, 0, 5};
    struct buf pieces[PIECES];
    uint64_t offsets[PIECES];
    struct err err = {0};
    int before = open_files();
    for (unsigned i = 0; i < PIECES; i++) {
        pieces[i] = bytes_of(sizes[i], i);
        assert_true(spool_add(spool, buf_slice(&pieces[i]), &offsets[i]));
        assert_int_equal(open_files(), before + (i >= 4)); /* one file, once there are more than SPOOL_BYTES */
        for (unsigned k = 0; k <= i; k++)
            assert_kept(offsets[k], &pieces[k]);
    }
    struct buf tree = read_tree("spool");
    assert_int_equal(tree.len, 0);
    buf_free(&tree);
    assert_true(spool_good(spool, &err));
    for (unsigned i = 0; i < PIECES; i++)
        buf_free(&pieces[i]);
}

static void rejects_reads_beyond_its_end(void **state) {
    (void)state;
    struct buf out = {0};
    uint64_t offset;
    assert_true(spool_add(spool, SLICE("some"), &offset));
    assert_false(spool_read(spool, 1, 4, &out));
    assert_false(spool_read(spool, 5, 0, &out));
    assert_false(spool_read(spool, UINT64_MAX, 2, &out));
    assert_int_equal(out.len, 0);
    assert_true(spool_read(spool, 4, 0, &out));
    buf_free(&out);
    struct err err = {0};
    assert_false(spool_good(spool, &err)); /* what was to be read is missing in the report */
    assert_non_null(strstr(err.text, "cannot read a temporary file next to the report"));
}

/* Without a directory, it stays in memory regardless of size. */
static void stays_in_memory_with_a_report_in_memory(void **state) {
    (void)state;
    struct sink *memory = memory_sink_create();
    struct spool *other = spool_create(memory);
    struct buf large = bytes_of(3 * SPOOL_BYTES, 1), back = {0};
    uint64_t offset;
    int before = open_files();
    assert_true(spool_add(other, buf_slice(&large), &offset));
    assert_true(spool_read(other, offset, large.len, &back));
    assert_slices(buf_slice(&back), buf_slice(&large));
    assert_int_equal(open_files(), before);
    buf_free(&large);
    buf_free(&back);
    spool_destroy(other);
    sink_destroy(memory);
}

struct writer {
    pthread_t thread;
    unsigned seed;
    bool good;
};

static void *write_and_read(void *arg) {
    struct writer *writer = arg;
    writer->good = true;
    for (unsigned i = 0; i < 60; i++) {
        struct buf bytes = bytes_of(20000 + i, writer->seed + i), back = {0};
        uint64_t offset;
        writer->good &= spool_add(spool, buf_slice(&bytes), &offset) && spool_read(spool, offset, bytes.len, &back) &&
                        slice_eq(buf_slice(&back), buf_slice(&bytes));
        buf_free(&bytes);
        buf_free(&back);
    }
    return NULL;
}

static void serves_several_threads(void **state) {
    (void)state;
    struct writer writers[4];
    for (unsigned i = 0; i < 4; i++) {
        writers[i].seed = 1000 * i;
        assert_int_equal(pthread_create(&writers[i].thread, NULL, write_and_read, &writers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(writers[i].thread, NULL);
        assert_true(writers[i].good);
    }
}

/* Two alternating sequences, each read in its own order. */
static void keeps_sequences_apart(void **state) {
    (void)state;
    struct spooled a, b, none = {0};
    struct buf expected_a = {0}, expected_b = {0}, large = bytes_of(600000, 7);
    spooled_start(&a, spool);
    spooled_start(&b, spool);
    for (int i = 0; i < 100000; i++) {
        buf_addf(&a.buf, "a %d\n", i);
        buf_addf(&expected_a, "a %d\n", i);
        spooled_flush_if_full(&a);
        assert_true(a.buf.len < 1 << 20);
        if (i % 3 == 0) {
            char text[32];
            snprintf(text, sizeof text, "b %d\n", i);
            spooled_add(&b, slice_str(text));
            buf_addf(&expected_b, "b %d\n", i);
        }
    }
    spooled_add(&b, buf_slice(&large)); /* after data that was not written yet */
    buf_add(&expected_b, buf_slice(&large));
    spooled_add(&none, SLICE("taken by nobody"));
    spooled_end(&a);
    spooled_end(&b);
    assert_int_equal(a.bytes, expected_a.len);
    for (size_t i = 0; i < a.pieces.count; i++) { /* whole lines, as they were added */
        struct buf piece = {0};
        assert_true(spooled_read(&a, i, &piece));
        assert_int_equal(piece.ptr[0], 'a');
        assert_int_equal(piece.ptr[piece.len - 1], '\n');
        buf_free(&piece);
    }
    struct files files;
    struct stream stream;
    files_init(&files, sink);
    stream_open(&stream, &files, "both");
    spooled_copy(&a, &stream);
    spooled_copy(&none, &stream);
    spooled_copy(&b, &stream);
    stream_close(&stream);
    files_finish(&files);
    buf_add(&expected_a, buf_slice(&expected_b));
    struct buf content = read_file(dirfd_of, "both");
    assert_slices(buf_slice(&content), buf_slice(&expected_a));
    buf_free(&content);
    buf_free(&expected_a);
    buf_free(&expected_b);
    buf_free(&large);
    spooled_free(&a);
    spooled_free(&b);
    spooled_free(&none);
}

/* Simulates a full disk with a limit on the file size: reported once, and to each reader of the bytes. */
static void keeps_errors_of_the_disk(void **state) {
    (void)state;
    struct rlimit old, small = {SPOOL_BYTES + 100000, 0};
    struct buf bytes = bytes_of(300000, 1), back = {0};
    struct err err = {0};
    struct spooled spooled;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    spooled_start(&spooled, spool);
    for (int i = 0; i < 10; i++)
        spooled_add(&spooled, buf_slice(&bytes));
    spooled_end(&spooled);
    bool good = spool_good(spool, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    assert_false(good);
    assert_non_null(strstr(err.text, "cannot write a temporary file next to the report: File too large"));
    uint64_t offset;
    assert_false(spool_add(spool, SLICE("x"), &offset)); /* nothing is stored any more */
    assert_int_equal(errno, EFBIG);
    assert_true(spooled_read(&spooled, 0, &back));
    assert_false(spooled_read(&spooled, spooled.pieces.count - 1, &back));
    struct files files;
    struct stream stream;
    files_init(&files, sink);
    stream_open(&stream, &files, "late");
    spooled_copy(&spooled, &stream);
    stream_close(&stream);
    assert_false(files_good(&files, &err));
    assert_non_null(strstr(err.text, "cannot write 'late' in the report: File too large"));
    files_finish(&files);
    spooled_free(&spooled);
    buf_free(&bytes);
    buf_free(&back);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(round_trips),
        TEST(rejects_reads_beyond_its_end),
        TEST(stays_in_memory_with_a_report_in_memory),
        TEST(serves_several_threads),
        TEST(keeps_sequences_apart),
        TEST(keeps_errors_of_the_disk),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
