/* sink/files over sink/directory_sink: writes below one directory, never through a link, and keeps the first failure.
 */
#define _GNU_SOURCE
#include "support.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "sink/files.h"

static int dirfd_of;
static struct sink *sink;
static struct files files;

static int begin(void **state) {
    (void)state;
    dirfd_of = fresh_folder("files");
    sink = directory_sink_create(dirfd_of);
    files_init(&files, sink);
    return 0;
}

static int end(void **state) {
    (void)state;
    files_finish(&files);
    sink_destroy(sink);
    close(dirfd_of);
    return 0;
}

static void assert_good(void) {
    struct err err = {0};
    if (!files_good(&files, &err))
        fail_msg("%s", err.text);
}

static void assert_failed(const char *part) {
    struct err err = {0};
    assert_false(files_good(&files, &err));
    assert_int_equal(err.code, ERR_SYSTEM);
    if (!strstr(err.text, part))
        fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void writes_files(void **state) {
    (void)state;
    files_folder(&files, SLICE("a/b/c.txt"));
    files_folder(&files, SLICE("a/b/d.txt"));
    files_folder(&files, SLICE("a/e.txt"));
    files_write(&files, SLICE("a/b/c.txt"), SLICE("nul\0 and\nmore"));
    files_write(&files, SLICE("a/e.txt"), SLICE(""));
    files_write(&files, SLICE("top"), SLICE("x"));
    files_write(&files, SLICE("top"), SLICE("")); /* replaces the file */
    assert_good();
    struct buf content = read_file(dirfd_of, "a/b/c.txt");
    assert_slices(buf_slice(&content), SLICE("nul\0 and\nmore"));
    buf_free(&content);
    assert_file(dirfd_of, "a/e.txt", "");
    assert_file(dirfd_of, "top", "");
    assert_false(file_exists(dirfd_of, "a/b/d.txt"));
}

static void accepts_existing_folders(void **state) {
    (void)state;
    assert_int_equal(mkdirat(dirfd_of, "a", 0777), 0);
    files_folder(&files, SLICE("a/b"));
    files_write(&files, SLICE("a/b"), SLICE("x"));
    files_folder(&files, SLICE("no folder at all"));
    assert_good();
    assert_false(file_exists(dirfd_of, "no folder at all"));
}

static void follows_no_link(void **state) {
    (void)state;
    write_file(scratch_path("outside"), SLICE("mine"));
    assert_int_equal(symlinkat("../outside", dirfd_of, "link"), 0);
    files_write(&files, SLICE("link"), SLICE("theirs"));
    assert_failed("cannot create 'link' in the report");
    assert_file(AT_FDCWD, scratch_path("outside"), "mine");
}

static void opens_no_stream_through_a_link(void **state) {
    (void)state;
    struct stream stream;
    write_file(scratch_path("outside"), SLICE("mine"));
    assert_int_equal(symlinkat("../outside", dirfd_of, "link"), 0);
    stream_open(&stream, &files, "link");
    stream_add(&stream, SLICE("theirs"));
    stream_close(&stream);
    assert_failed("link");
    assert_file(AT_FDCWD, scratch_path("outside"), "mine");
}

/* "Nothing is opened through a link" includes the folders of the path. */
static void follows_no_link_to_a_folder(void **state) {
    (void)state;
    close(fresh_folder("elsewhere"));
    assert_int_equal(symlinkat("../elsewhere", dirfd_of, "a"), 0);
    files_folder(&files, SLICE("a/b.txt"));
    files_write(&files, SLICE("a/b.txt"), SLICE("theirs"));
    assert_false(file_exists(AT_FDCWD, scratch_path("elsewhere/b.txt")));
    assert_failed("'a");
}

static void keeps_the_first_failure(void **state) {
    (void)state;
    files_write(&files, SLICE("no/such/folder.txt"), SLICE("x"));
    files_write(&files, SLICE("other/folder.txt"), SLICE("x"));
    assert_failed("'no/such/folder.txt' in the report: No such file or directory");
    files_write(&files, SLICE("good.txt"), SLICE("x")); /* nothing is written any more */
    assert_false(file_exists(dirfd_of, "good.txt"));
    errno = ENOSPC;
    files_fail(&files, "write", SLICE("later"));
    assert_failed("no/such/folder.txt");
}

static void reports_what_failed(void **state) {
    (void)state;
    struct err err = {0};
    struct buf path = {0};
    while (path.len < 5000)
        buf_add_lit(&path, "long/");
    errno = ENOSPC;
    files_fail(&files, "write", buf_slice(&path));
    assert_false(files_good(&files, &err));
    assert_non_null(strstr(err.text, "cannot write 'long/long/"));
    assert_non_null(strstr(err.text, "No space left on device"));
    buf_free(&path);
}

static void refuses_paths_that_are_too_long(void **state) {
    (void)state;
    struct buf path = {0};
    while (path.len < 5000)
        buf_add_lit(&path, "a/");
    files_folder(&files, buf_slice(&path));
    files_write(&files, buf_slice(&path), SLICE("x"));
    assert_failed("too long");
    buf_free(&path);
}

static void an_existing_file_is_a_failure(void **state) {
    (void)state;
    files_write(&files, SLICE("a"), SLICE("x"));
    files_folder(&files, SLICE("a/b"));
    files_write(&files, SLICE("a/b"), SLICE("x"));
    assert_failed("'a");
}

/* Simulates a full disk with a limit on the file size. */
static void keeps_errors_of_the_disk(void **state) {
    (void)state;
    struct rlimit old, small = {100000, 100000};
    struct buf content = {0};
    struct stream stream;
    struct err err = {0};
    while (content.len < 300000)
        buf_add_lit(&content, "some text\n");
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    stream_open(&stream, &files, "stream");
    for (int i = 0; i < 10; i++)
        stream_add(&stream, buf_slice(&content));
    stream_close(&stream);
    bool good = files_good(&files, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    assert_false(good);
    assert_non_null(strstr(err.text, "cannot write 'stream' in the report: File too large"));
    buf_free(&content);
}

static void streams_whole_files(void **state) {
    (void)state;
    struct stream stream;
    struct buf expected = {0}, large = {0};
    while (large.len < 700000)
        buf_add_lit(&large, "large\n");
    stream_open(&stream, &files, "stream");
    for (int i = 0; i < 50000; i++) {
        buf_addf(&expected, "line %d\n", i);
        buf_addf(&stream.buf, "line %d\n", i);
        stream_flush_if_full(&stream);
        assert_true(stream.buf.len < 1 << 20);
    }
    stream_add(&stream, buf_slice(&large)); /* after data that was not flushed yet */
    buf_add(&expected, buf_slice(&large));
    stream_add(&stream, SLICE("end"));
    buf_add_lit(&expected, "end");
    stream_close(&stream);
    assert_int_equal(stream.bytes, expected.len);
    assert_good();
    struct buf content = read_file(dirfd_of, "stream");
    assert_slices(buf_slice(&content), buf_slice(&expected));
    buf_free(&content);
    buf_free(&expected);
    buf_free(&large);
}

/* A sink below has its own directory, which must be new, and shares files by hard links. */
static void shares_files_with_a_sink_below(void **state) {
    (void)state;
    struct stat ours, theirs;
    assert_int_equal(mkdirat(dirfd_of, "taken", 0777), 0);
    assert_null(sink_below(sink, "taken"));
    assert_int_equal(errno, EEXIST);
    struct sink *lower = sink_below(sink, "lower");
    assert_non_null(lower);
    struct files inner;
    files_init(&inner, lower);
    files_folder(&files, SLICE("assets/"));
    files_write(&files, SLICE("assets/app.js"), SLICE("code"));
    files_folder(&inner, SLICE("assets/"));
    assert_true(lower->ops->share(lower, sink, "assets/app.js"));
    assert_false(lower->ops->share(lower, sink, "assets/none.js"));
    assert_file(dirfd_of, "lower/assets/app.js", "code");
    assert_int_equal(fstatat(dirfd_of, "assets/app.js", &ours, 0), 0);
    assert_int_equal(fstatat(dirfd_of, "lower/assets/app.js", &theirs, 0), 0);
    assert_int_equal(ours.st_ino, theirs.st_ino);
    files_finish(&inner);
    sink_destroy(lower);
    assert_good();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(writes_files),
        TEST(accepts_existing_folders),
        TEST(follows_no_link),
        TEST(opens_no_stream_through_a_link),
        TEST(follows_no_link_to_a_folder),
        TEST(keeps_the_first_failure),
        TEST(reports_what_failed),
        TEST(refuses_paths_that_are_too_long),
        TEST(an_existing_file_is_a_failure),
        TEST(keeps_errors_of_the_disk),
        TEST(streams_whole_files),
        TEST(shares_files_with_a_sink_below),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
